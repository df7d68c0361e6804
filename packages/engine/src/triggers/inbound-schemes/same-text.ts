import { hash, timingSafeEqual } from "node:crypto";

/** Whether two texts are equal, in a time that depends neither on their contents nor on the length of the secret one. */
export function isSameText(given: string, secret: string): boolean {
  return timingSafeEqual(hash("sha256", given, "buffer"), hash("sha256", secret, "buffer"));
}
