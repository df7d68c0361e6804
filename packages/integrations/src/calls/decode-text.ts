/** Text of a response, with the certainty of its charset. */
export interface DecodedText {
  readonly text: string;
  /** Whether the bytes or the label determine the charset. If not, the text was decoded as windows-1252. */
  readonly certain: boolean;
}

/**
 * Decodes the text of a response. Bytes take precedence over the label: a byte order mark, the zero bytes of UTF-16,
 * then UTF-8. Servers often set a western European label by default (`charset=ISO-8859-1` over UTF-8), and text in such
 * a charset is rarely valid UTF-8 by chance. Nor is text of any other charset with several different non-ASCII
 * characters. Other labels apply when the bytes are valid in them.
 *
 * @param charset the label's charset; unknown names are ignored
 */
export function decodeText(bytes: Uint8Array, charset: string | undefined): DecodedText {
  const unicode = unicodeOf(bytes);
  if (unicode !== undefined) return { text: new TextDecoder(unicode).decode(bytes), certain: true };
  const named = encodingOf(charset);
  const utf8 = strictly(bytes, "utf-8");
  if (utf8 !== undefined && (named === undefined || contradicts(utf8, named))) return { text: utf8, certain: true };
  const text = (named === undefined ? undefined : strictly(bytes, named)) ?? utf8;
  return text === undefined ? { text: new TextDecoder(latin).decode(bytes), certain: false } : { text, certain: true };
}

/** The charset of a `Content-Type`. */
export function charsetOf(contentType: string | null): string | undefined {
  return /[;\s]charset\s*=\s*["']?([^"';,\s]+)/i.exec(contentType ?? "")?.[1];
}

/** The encoding in an XML declaration (XML 1.0, 4.3.3), which is written in ASCII. */
export function declaredByXml(bytes: Uint8Array): string | undefined {
  const beginning = new TextDecoder(latin).decode(bytes.subarray(0, 200));
  return /^\s*<\?xml\b[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(beginning)?.[1];
}

/** Labels that the WHATWG Encoding Standard decodes as windows-1252, such as ISO-8859-1 and ASCII. */
const latin = "windows-1252";

/** Encodings that servers set by default, or that define no letters. */
const defaults = new Set([latin, "utf-8", "iso-8859-15", "windows-1254", "macintosh", "x-user-defined"]);

/** Whether valid UTF-8 is UTF-8, although the label names another encoding. */
function contradicts(utf8: string, named: string): boolean {
  if (defaults.has(named)) return true;
  // In UTF-16, one byte of a letter is rarely a printable character: all Cyrillic letters have the byte 4.
  if (named.startsWith("utf-16")) return !/[\0-\x08\x0e-\x1f]/.test(utf8);
  let others = "";
  for (let count = 0; count < tellingCharacters; count++) {
    const [other] = new RegExp(`[^\\0-\\x7f${others}]`, "u").exec(utf8) ?? [];
    if (other === undefined) return false;
    others += other;
  }
  return true;
}

/**
 * Number of different non-ASCII characters that identify UTF-8. One in a hundred pairs of Chinese characters in GBK is
 * valid UTF-8; with four different characters, one in five thousand.
 */
const tellingCharacters = 4;

/**
 * Detects a byte order mark, or a zero byte beside the first character. JSON and most texts start with an ASCII
 * character.
 */
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

/** Names used by Windows and Java in addition to those of the Encoding Standard. */
const codePages: ReadonlyMap<string, string> = new Map([
  ["cp932", "shift_jis"],
  ["cp936", "gbk"],
  ["cp949", "euc-kr"],
  ["cp950", "big5"],
]);

function encodingOf(charset: string | undefined): string | undefined {
  if (charset === undefined) return undefined;
  const name = charset.toLowerCase();
  const label = codePages.get(name) ?? name;
  return encodingUnder(label) ?? encodingUnder(label.replaceAll("_", "-"));
}

function encodingUnder(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return undefined;
  }
}

/** `undefined` for bytes that are invalid in the encoding. */
function strictly(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
