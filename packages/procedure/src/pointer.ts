/** The JSON pointer (RFC 6901) of reference tokens; `""` for none. */
export function pointerTo(...tokens: readonly (string | number)[]): string {
  let pointer = "";
  for (const token of tokens) {
    pointer += typeof token === "number" ? `/${token}` : `/${token.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  }
  return pointer;
}

/** The reference tokens of a JSON pointer (RFC 6901). */
export function tokensOf(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));
}
