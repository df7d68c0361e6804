/**
 * The normal form of a text: UTF-8 with all escapes undone repeatedly, without line breaks. Two escaped forms of one
 * secret have the same normal form, regardless of the number and order of the escapes. Pure.
 *
 * Escapes are those of URLs and forms (`%2F`, `%u002F`), HTML and XML (`&amp;`, `&#38;`, `&#x26;`), and JSON and
 * programming languages (`\"`, `\/`, `\u0026`, `\x26`). Line breaks, with the indentation of the next line, are dropped
 * because base64 and PEM are wrapped.
 */
export interface NormalForm {
  /** One character for each byte. */
  readonly bytes: string;
  /** Position in the text, in characters, at which the source of a byte of {@link NormalForm.bytes} begins. */
  startOf(index: number): number;
  /** Position in the text, in characters, at which the source of the byte ends. */
  endOf(index: number): number;
}

/** Whether the text contains escapes or line breaks. Characters beyond ASCII do not count. */
export function hasEscapes(text: string): boolean {
  return ["%", "&", "\\", "\n", "\r"].some((sign) => text.includes(sign));
}

/** Only the bytes of the normal form, which takes half of the time. */
export function normalBytes(text: string): string {
  return undo(text, undefined);
}

export function normalForm(text: string): NormalForm {
  const places: Places = { starts: new Uint32Array(text.length * 3), ends: new Uint32Array(text.length * 3) };
  const bytes = undo(text, places);
  return {
    bytes,
    startOf: (index) => places.starts[index] ?? text.length,
    endOf: (index) => places.ends[index] ?? text.length,
  };
}

/** Matches an incomplete escape at the end of a normal form, whose rest was cut off. */
const openEscape =
  /(?:%(?:u[0-9a-f]{0,3}|[0-9a-f])?|&(?:#?[0-9a-z]{0,9})?|\\(?:u[0-9a-f]{0,3}|x[0-9a-f]?)?|\xed[\xa0-\xaf][\x80-\xbf])$/i;

/** Length of a normal form, followed by its lengths without one or more incomplete escapes at its end. */
export function lengthsWithoutOpenEscapes(bytes: string): readonly number[] {
  const lengths = [bytes.length];
  // No escape is longer than this, not even with escapes nested in it.
  let tail = bytes.slice(-64);
  for (;;) {
    const open = openEscape.exec(tail);
    if (open === null) return lengths;
    tail = tail.slice(0, open.index);
    lengths.push((lengths.at(-1) ?? 0) - open[0].length);
  }
}

interface Places {
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
}

const tab = 0x09;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const percent = 0x25;
const ampersand = 0x26;
const hash = 0x23;
const semicolon = 0x3b;
const backslash = 0x5c;
const letterU = 0x75;
const letterX = 0x78;

/** Length of the longest escape that ends with a hexadecimal digit: `\u0026`. */
const longestNumeric = 6;
/** Length of the longest HTML reference that is read, from `&` to `;`. */
const longestReference = 12;

/**
 * Reads the text once. Whenever the output ends with an escape, the escape is replaced by its character, which may
 * complete another escape. Each replacement removes at least one byte, so the time is linear.
 */
function undo(text: string, places: Places | undefined): string {
  const { length } = text;
  const out = Buffer.allocUnsafe(length * 3);
  let size = 0;
  /** Index of the last `%` or `\` in the output. An escape other than a reference can end only near it. */
  let mark = -longestNumeric;
  /** Index of the last `&` in the output. A reference can end only near it. */
  let reference = -longestReference;
  /** Output size at which a line break was dropped. The indentation that follows is dropped too. */
  let breakAt = -1;
  for (let at = 0; at < length; at++) {
    const code = text.charCodeAt(at);
    if (code === lineFeed || code === carriageReturn) {
      breakAt = size;
      continue;
    }
    if (size === breakAt && (code === space || code === tab)) continue;
    let end = at + 1;
    if (code === backslash && size > 0 && out[size - 1] === backslash && !isBackslash(text, at - 1)) {
      // This backslash begins a new escape. The one before it came from an escape, so it does not escape this one.
      mark = size;
      size = writeByte(out, size, code, places, at, end);
      continue;
    }
    if (code < 0x80) {
      let start = at;
      if (
        (code === percent || code === ampersand) &&
        size > 0 &&
        out[size - 1] === backslash &&
        isBackslash(text, at - 1)
      ) {
        // A literal backslash escapes this sign, not the character of the escape that the sign may begin.
        size -= 1;
        start = places?.starts[size] ?? at;
        mark = lastOf(out, size, longestNumeric, percent, backslash);
      }
      size = writeByte(out, size, code, places, start, end);
    } else {
      const whole = text.codePointAt(at) ?? code;
      if (whole > 0xffff) end += 1;
      size = writeCode(out, size, whole, places, at, end);
      at = end - 1;
    }
    for (;;) {
      let from = size - mark <= longestNumeric ? escapeBefore(out, size, mark) : -1;
      let escaped = from < 0 ? none : escapedBy(out, from, size);
      if (escaped === none && out[size - 1] === semicolon && size - reference <= longestReference) {
        from = reference;
        escaped = from < 0 ? none : referenced(out, from, size);
      }
      if (escaped === none) break;
      const start = places?.starts[from] ?? 0;
      size = from;
      mark = lastOf(out, from, longestNumeric, percent, backslash);
      reference = lastOf(out, from, longestReference, ampersand, ampersand);
      if (escaped === lineFeed || escaped === carriageReturn) {
        breakAt = from;
        break;
      }
      if (from === breakAt && (escaped === space || escaped === tab || escaped === ~space || escaped === ~tab)) break;
      if (from < breakAt) breakAt = -1;
      size =
        escaped < 0
          ? writeByte(out, size, ~escaped, places, start, end)
          : writeCode(out, size, escaped, places, start, end);
    }
    if (size === 0) continue;
    const last = out[size - 1];
    if (last === percent || last === backslash) mark = size - 1;
    else if (last === ampersand) reference = size - 1;
  }
  return out.toString("latin1", 0, withoutIdleBackslashes(out, size, places));
}

/**
 * Removes backslashes before `%`, `&` and characters beyond ASCII. They were kept because `%` or `&` might begin an
 * escape whose character the backslash escapes.
 */
function withoutIdleBackslashes(out: Buffer, size: number, places: Places | undefined): number {
  const first = out.subarray(0, size).indexOf(backslash);
  if (first === -1) return size;
  let kept = first;
  for (let at = first; at < size; at++) {
    const next = out[at + 1] ?? 0;
    if (out[at] === backslash && at + 1 < size && (next === percent || next === ampersand || next >= 0x80)) continue;
    out[kept] = out[at] ?? 0;
    if (places !== undefined) place(places, kept, places.starts[at] ?? 0, places.ends[at] ?? 0);
    kept += 1;
  }
  return kept;
}

function place({ starts, ends }: Places, index: number, start: number, end: number): void {
  starts[index] = start;
  ends[index] = end;
}

function isBackslash(text: string, at: number): boolean {
  return text.charCodeAt(at) === backslash;
}

/** Writes a byte and returns the new size. */
function writeByte(
  out: Buffer,
  size: number,
  byte: number,
  places: Places | undefined,
  start: number,
  end: number,
): number {
  out[size] = byte;
  if (places !== undefined) place(places, size, start, end);
  return size + 1;
}

function writeCode(
  out: Buffer,
  size: number,
  code: number,
  places: Places | undefined,
  start: number,
  end: number,
): number {
  if (code < 0x80) return writeByte(out, size, code, places, start, end);
  const high = code >= 0xdc00 && code <= 0xdfff ? highBefore(out, size) : 0;
  if (high !== 0) {
    // The second half of a character whose first half was escaped separately.
    const whole = 0x10000 + (high - 0xd800) * 0x400 + (code - 0xdc00);
    return writeCode(out, size - 3, whole, places, places?.starts[size - 3] ?? start, end);
  }
  const bytes = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
  out[size] = leads[bytes] | (code >> (6 * (bytes - 1)));
  for (let at = 1; at < bytes; at++) out[size + at] = 0x80 | ((code >> (6 * (bytes - 1 - at))) & 0x3f);
  if (places !== undefined) for (let at = 0; at < bytes; at++) place(places, size + at, start, end);
  return size + bytes;
}

/** Leading bits of the first byte of UTF-8, by the number of bytes. */
const leads = { 2: 0xc0, 3: 0xe0, 4: 0xf0 } as const;

/** An unpaired high surrogate at the end of the output; 0 if there is none. */
function highBefore(out: Buffer, size: number): number {
  const [first, second = 0, third = 0] = size < 3 ? [] : out.subarray(size - 3, size);
  return first === 0xed && second >= 0xa0 && second <= 0xaf ? 0xd000 | ((second & 0x3f) << 6) | (third & 0x3f) : 0;
}

function lastOf(out: Buffer, end: number, within: number, one: number, other: number): number {
  for (let at = end - 1; at >= 0 && at >= end - within; at--) {
    if (out[at] === one || out[at] === other) return at;
  }
  return -within;
}

/** Result for text that is no escape. */
const none = -257;

/** Start of the escape that ends here, judged by its length only; -1 if none ends here. */
function escapeBefore(out: Buffer, size: number, mark: number): number {
  const length = size - mark;
  if (out[mark] === backslash) {
    const letter = out[mark + 1];
    if (letter === percent || letter === ampersand) return -1;
    return length === (letter === letterU ? 6 : letter === letterX ? 4 : 2) ? mark : -1;
  }
  return length === (out[mark + 1] === letterU ? 6 : 3) ? mark : -1;
}

/** The code point of an escape, or a byte as `~byte`. */
function escapedBy(out: Buffer, from: number, size: number): number {
  const length = size - from;
  if (length === 2) {
    const letter = out[from + 1] ?? 0;
    return controls[letter] || ~letter;
  }
  let value = 0;
  for (let at = length === 3 ? from + 1 : from + 2; at < size; at++) {
    const digit = hexValue(out[at] ?? 0);
    if (digit === -1) return none;
    value = value * 16 + digit;
  }
  return length === 6 || value === lineFeed || value === carriageReturn ? value : ~value;
}

/** The code point of an HTML reference. */
function referenced(out: Buffer, from: number, size: number): number {
  const end = size - 1;
  if (out[from + 1] !== hash) {
    let name = 0;
    for (let at = from + 1; at < end; at++) name = name * 128 + (out[at] ?? 0);
    return references.get(name) ?? none;
  }
  const isHex = ((out[from + 2] ?? 0) | 0x20) === letterX;
  const begin = isHex ? from + 3 : from + 2;
  let value = 0;
  for (let at = begin; at < end; at++) {
    const digit = hexValue(out[at] ?? 0);
    if (digit === -1 || (!isHex && digit > 9)) return none;
    value = value * (isHex ? 16 : 10) + digit;
  }
  return begin < end && value > 0 && value <= 0x10ffff ? value : none;
}

/** The value of a hexadecimal digit; -1 for another character. */
function hexValue(code: number): number {
  if (code >= 0x30 && code <= 0x39) return code - 0x30;
  const letter = code | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

const letterControls: Readonly<Record<number, number>> = { 0x62: 8, 0x66: 12, 0x6e: 10, 0x72: 13, 0x74: 9 };
/**
 * Control characters by the letter after a backslash; 0 for the character itself. Reading an object takes twice as
 * long.
 */
const controls = Uint8Array.from({ length: 256 }, (_none, letter) => letterControls[letter] ?? 0);

function numberOf(name: string): number {
  return [...name].reduce((number, letter) => number * 128 + letter.charCodeAt(0), 0);
}

/** Named HTML references for ASCII characters. The keys are the names encoded as numbers. */
const references: ReadonlyMap<number, number> = new Map(
  Object.entries({
    ...{ "\t": "Tab", "!": "excl", '"': "quot QUOT", "#": "num", $: "dollar", "%": "percnt", "&": "amp AMP" },
    ...{ "'": "apos", "(": "lpar", ")": "rpar", "*": "ast midast", "+": "plus", ",": "comma", ".": "period" },
    ...{ "/": "sol", ":": "colon", ";": "semi", "<": "lt LT", "=": "equals", ">": "gt GT", "?": "quest" },
    ...{ "@": "commat", "[": "lsqb lbrack", "\\": "bsol", "]": "rsqb rbrack", "^": "Hat", _: "lowbar", "`": "grave" },
    ...{ "{": "lcub lbrace", "|": "verbar vert", "}": "rcub rbrace" },
  }).flatMap(([character, names]) =>
    names.split(" ").map((name) => [numberOf(name), character.charCodeAt(0)] as const),
  ),
);
