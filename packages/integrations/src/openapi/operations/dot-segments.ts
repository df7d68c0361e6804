/**
 * Whether a segment of a path could be read as `.` or `..` by any reader: after any number of decodings, without a `;`
 * suffix, with a backslash as a slash, or with look-alike characters normalized to dots and slashes.
 */
export function readsAsDots(segment: string): boolean {
  if (!mayHoldDots.test(segment)) return false;
  // Escapes are decoded together, because several of them may encode one character.
  const bytes = decodeFully(Buffer.from(segment, "utf8").toString("latin1"));
  const text = Buffer.from(bytes, "latin1").toString("utf8");
  return text.normalize("NFKC").split(/[/\\]/).some(isDots);
}

/** A dot, an escape, or a character that resembles a dot. Most segments contain none. */
const mayHoldDots = /[.%\u0080-\uffff]/;

/** Terminates, because each round shortens the text or leaves it unchanged. */
export function decodeFully(text: string): string {
  for (let before = text; ;) {
    const after = before.replace(/%([0-9a-f]{2})/gi, (_escape, hex: string) => String.fromCharCode(parseInt(hex, 16)));
    if (after === before) return after;
    before = after;
  }
}

function isDots(part: string): boolean {
  const beforeParameters = part.split(";", 1)[0]?.trim();
  return beforeParameters === "." || beforeParameters === "..";
}
