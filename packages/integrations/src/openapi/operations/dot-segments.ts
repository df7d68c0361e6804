/**
 * Whether a segment of a path, as it is written, could be read as `.` or `..`: after any number of decodings, without what
 * follows a `;`, with a backslash read as a slash, or with look-alikes of dots and slashes folded to the real ones.
 */
export function readsAsDots(segment: string): boolean {
  if (!mayHoldDots.test(segment)) return false;
  // Escapes are of bytes, which are characters only when all of them are decoded.
  const bytes = decodeFully(Buffer.from(segment, "utf8").toString("latin1"));
  const text = Buffer.from(bytes, "latin1").toString("utf8");
  return text.normalize("NFKC").split(/[/\\]/).some(isDots);
}

/** A dot, an escape, or a character that may look like a dot: most segments hold none. */
const mayHoldDots = /[.%\u0080-\uffff]/;

/** Each round makes the text shorter or leaves it, so this ends. */
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
