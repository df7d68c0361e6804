/** What one quick look at a JSON text tells, before anything is made of it. */
export interface JsonShape {
  /** How many members all objects have together, doubled names counted twice. */
  readonly members: number;
  /** At least as many as there are values. */
  readonly values: number;
  /** Where the text first nests deeper than allowed. */
  readonly tooDeepAt: number | undefined;
}

/** Looks at brackets, colons and commas only, so it takes a fraction of the time of parsing. A text that is no JSON gives whatever it gives. */
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
 * At least as many as there are values, found by leaps; counts no further than a little above `enough`. A comma in a text
 * counts as well.
 */
export function valuesAtMost(text: string, enough: number): number {
  let count = 1;
  for (const sign of [",", "[", "{"]) {
    for (let at = text.indexOf(sign); at !== -1 && count <= enough; at = text.indexOf(sign, at + 1)) count += 1;
  }
  return count;
}

/** At least as many as there are members: colons that follow a quote. A text that begins with a colon counts as well. */
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

/** Offset of the closing quote, or the text's end. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    if (!isEscaped(text, end)) return end;
  }
  return text.length;
}

/** By an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === backslash) first -= 1;
  return (at - first) % 2 === 1;
}
