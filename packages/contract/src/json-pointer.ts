/** JSON pointer (RFC 6901) to the place that a path of names and indexes leads to; `""` is the whole. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  let pointer = "";
  for (const step of path) pointer += `/${escapePointerToken(String(step))}`;
  return pointer;
}

/** The names and indexes of a JSON pointer (RFC 6901), as text; none for `""`. */
export function pointerTokens(pointer: string): readonly string[] {
  if (pointer === "") return [];
  const tokens = pointer.slice(1).split("/");
  return pointer.includes("~") ? tokens.map(unescapePointerToken) : tokens;
}

/** A name as a token of a JSON pointer (RFC 6901). */
export function escapePointerToken(name: string): string {
  return name.includes("~") || name.includes("/") ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;
}

/** The name that a token of a JSON pointer (RFC 6901) stands for. */
export function unescapePointerToken(token: string): string {
  return token.includes("~") ? token.replaceAll("~1", "/").replaceAll("~0", "~") : token;
}
