/** Characters that control a terminal or reorder its text: control, format, line separators, lone surrogates. */
const obeyed = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Foreign text on one line, without characters that control a terminal. Pure. */
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
