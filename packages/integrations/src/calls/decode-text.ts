/** Text of an answer, and how certain its charset is. */
export interface DecodedText {
  readonly text: string;
  /** Whether the bytes or the label say the charset; else windows-1252 stands for one that is not known. */
  readonly certain: boolean;
}

/**
 * Decodes the text of an answer. The bytes are believed before their label: a byte order mark, the zero bytes of UTF-16,
 * then UTF-8. A label of the Latin family says little, because servers set it by default (`charset=ISO-8859-1` over
 * UTF-8), and text of that family, or UTF-16 without a zero byte, hardly ever happens to be UTF-8. Every other label is
 * believed where the bytes fit it.
 *
 * @param charset as the label names it; unknown names count as none
 */
export function decodeText(bytes: Uint8Array, charset: string | undefined): DecodedText {
  const unicode = unicodeOf(bytes);
  if (unicode !== undefined) return { text: new TextDecoder(unicode).decode(bytes), certain: true };
  const named = encodingOf(charset);
  const isBelieved = named !== undefined && named !== latin && !named.startsWith("utf-16");
  const text = (isBelieved ? strictly(bytes, named) : undefined) ?? strictly(bytes, "utf-8");
  if (text !== undefined) return { text, certain: true };
  const own = named === undefined ? undefined : strictly(bytes, named);
  if (own !== undefined) return { text: own, certain: true };
  return { text: new TextDecoder(latin).decode(bytes), certain: false };
}

/** The charset that a `Content-Type` names. */
export function charsetOf(contentType: string | null): string | undefined {
  return /[;\s]charset\s*=\s*["']?([^"';,\s]+)/i.exec(contentType ?? "")?.[1];
}

/** The encoding that an XML declaration names (XML 1.0, 4.3.3); it is written in ASCII. */
export function declaredByXml(bytes: Uint8Array): string | undefined {
  const beginning = new TextDecoder(latin).decode(bytes.subarray(0, 200));
  return /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(beginning)?.[1];
}

/** What WHATWG's Encoding Standard reads as ISO-8859-1 and ASCII. */
const latin = "windows-1252";

/** By a byte order mark, or by the zero byte beside the first character, which is ASCII in JSON and nearly all text. */
function unicodeOf(bytes: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" | undefined {
  const [first, second, third] = bytes;
  if (first === 0xef && second === 0xbb && third === 0xbf) return "utf-8";
  if (first === 0xff && second === 0xfe) return "utf-16le";
  if (first === 0xfe && second === 0xff) return "utf-16be";
  if (first === undefined || second === undefined || bytes.byteLength % 2 === 1) return undefined;
  if (first === 0 && isAscii(second)) return "utf-16be";
  return isAscii(first) && second === 0 ? "utf-16le" : undefined;
}

const isAscii = (byte: number): boolean => byte > 0 && byte < 0x80;

function encodingOf(charset: string | undefined): string | undefined {
  if (charset === undefined) return undefined;
  try {
    return new TextDecoder(charset).encoding;
  } catch {
    return undefined;
  }
}

/** `undefined` for bytes that are not in the encoding. */
function strictly(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
