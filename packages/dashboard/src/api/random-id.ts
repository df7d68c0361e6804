/** A random id of 128 bits. `crypto.randomUUID` is missing on pages that are served over plain HTTP. */
export function randomId(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
