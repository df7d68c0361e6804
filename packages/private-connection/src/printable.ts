/** Characters that a terminal obeys, or that change the order of what it shows: control, format, line separators, halves. */
const obeyed = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Foreign text, on one line and without a character that a terminal would obey. Pure. */
export function printable(text: string): string {
  return text.replace(obeyed, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The same for the stack of an error: its frames keep their lines. Pure. */
export function printableStack(stack: string): string {
  return stack
    .split(/\n(?= +at )/)
    .map(printable)
    .join("\n");
}
