/** Text of an answer, and how certain its charset is. */
export interface DecodedText {
  readonly text: string;
  /** Whether the bytes or the label say the charset; else windows-1252 stands for one that is not known. */
  readonly certain: boolean;
}

/**
 * Decodes the text of an answer. The bytes are believed before their label: a byte order mark, the zero bytes of UTF-16,
 * then UTF-8. A label of western European text says little, because servers set it by default (`charset=ISO-8859-1` over
 * UTF-8), and such text hardly ever happens to be UTF-8. Nor does text of any charset with several different characters.
 * Every other label is believed where the bytes fit it.
 *
 * @param charset as the label names it; unknown names count as none
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

/** Encodings that servers name by default, or that name no letters. */
const defaults = new Set([latin, "utf-8", "iso-8859-15", "windows-1254", "macintosh", "x-user-defined"]);

/** Whether text that was read as UTF-8 is that, although another encoding is named. */
function contradicts(utf8: string, named: string): boolean {
  if (defaults.has(named)) return true;
  // In UTF-16 one half of a letter is hardly ever a printable character: it is 4 in all of Cyrillic.
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
 * Different characters beyond ASCII that make a text UTF-8. Of two Chinese characters in GBK one in a hundred pairs is valid
 * UTF-8, of four different ones one in five thousand.
 */
const tellingCharacters = 4;

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

/** Names beside those of the Encoding Standard, as Windows and Java have them. */
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

/** `undefined` for bytes that are not in the encoding. */
function strictly(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
