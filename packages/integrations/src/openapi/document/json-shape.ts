/** Counts from a quick scan of a JSON text, before it is parsed. */
export interface JsonShape {
  /** Number of members of all objects, with duplicates. */
  readonly members: number;
  /** An upper bound of the number of values. */
  readonly values: number;
  /** Offset at which the text first exceeds the allowed depth. */
  readonly tooDeepAt: number | undefined;
}

/**
 * Scans brackets, colons and commas only, which is much faster than parsing. The counts mean nothing for invalid JSON.
 */
export function shapeOfJson(text: string, maxDepth: number): JsonShape {
  let members = 0;
  let values = 1;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        at = endOfString(text, at);
        break;
      case openBrace:
      case openBracket:
        depth += 1;
        values += 1;
        if (depth > maxDepth) return { members, values, tooDeepAt: at };
        break;
      case closeBrace:
      case closeBracket:
        depth -= 1;
        break;
      case colon:
        members += 1;
        break;
      case comma:
        values += 1;
        break;
    }
  }
  return { members, values, tooDeepAt: undefined };
}

/**
 * An upper bound of the number of values, found in leaps. Counting stops a little above `enough`. Commas within texts
 * count as well.
 */
export function valuesAtMost(text: string, enough: number): number {
  let count = 1;
  for (const sign of [",", "[", "{"]) {
    for (let at = text.indexOf(sign); at !== -1 && count <= enough; at = text.indexOf(sign, at + 1)) count += 1;
  }
  return count;
}

/**
 * An upper bound of the number of members: colons that follow a quote. A text that begins with a colon counts as well.
 */
export function membersAtMost(text: string): number {
  let count = 0;
  for (let at = text.indexOf(":"); at !== -1; at = text.indexOf(":", at + 1)) {
    let before = at - 1;
    while (isBlank(text.charCodeAt(before))) before -= 1;
    if (text.charCodeAt(before) === quote && !isEscaped(text, before)) count += 1;
  }
  return count;
}

const isBlank = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;
const colon = 0x3a;

/** Offset of the closing quote, or the end of the text. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    if (!isEscaped(text, end)) return end;
  }
  return text.length;
}

/** Escaped by an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === backslash) first -= 1;
  return (at - first) % 2 === 1;
}
