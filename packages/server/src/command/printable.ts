/**
 * Characters that control a terminal or reorder its text: control and format characters, line separators, lone
 * surrogates.
 */
const obeyed = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Replaces the characters of untrusted text that control a terminal. The result is one line. Pure. */
export function printable(text: string): string {
  return text.replace(obeyed, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Escapes the same characters in JSON text, except the line breaks of its own formatting. Pure. */
export function printableJson(json: string): string {
  return json.replace(obeyed, (character) => (character === "\n" ? character : inJson(character)));
}

function inJson(character: string): string {
  return character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
