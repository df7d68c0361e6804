/** A JSON pointer (RFC 6901) of reference tokens; `""` for none. */
export function pointerTo(...tokens: readonly (string | number)[]): string {
  let pointer = "";
  for (const token of tokens) {
    pointer += typeof token === "number" ? `/${token}` : `/${token.replaceAll("~", "~0").replaceAll("/", "~1")}`;
  }
  return pointer;
}
