/** JSON pointer (RFC 6901) to the place that a path of names and indexes leads to; `""` is the whole. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path.map((token) => `/${String(token).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
}
