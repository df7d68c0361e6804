/** Characters that a terminal obeys, or that change the order of what it shows: control, format, line separators, halves. */
const obeyed = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** Text that came from outside, on one line and without a character that a terminal would obey. Pure. */
export function printable(text: string): string {
  return text.replace(obeyed, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The same JSON with each such character as an escape; only its own line breaks stay. Pure. */
export function printableJson(json: string): string {
  return json.replace(obeyed, (character) => (character === "\n" ? character : inJson(character)));
}

function inJson(character: string): string {
  return character.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
