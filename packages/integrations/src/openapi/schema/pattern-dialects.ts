/** A pattern in ECMAScript, or the reason why it cannot be translated. `why` continues "The pattern …". */
export type EcmascriptPattern =
  { readonly ok: true; readonly pattern: string } | { readonly ok: false; readonly why: string };

/** Syntax of other dialects that ECMAScript would interpret differently or never match. */
class ForeignSyntax extends Error {}

/**
 * Translates a pattern of PCRE, Ruby, Java or Python to ECMAScript: removes enclosing slashes, replaces `\A` by `^`,
 * `[[:alpha:]]` and `\p{Alpha}` by ranges, and the flag `i` by both cases of each letter. An ECMAScript pattern stays
 * unchanged.
 */
export function ecmascriptPattern(written: string): EcmascriptPattern {
  try {
    assertPattern(written);
    const { source, ignoresCase } = withoutFlags(withoutSlashes(withoutSpace(written)));
    return { ok: true, pattern: translated(source, ignoresCase) };
  } catch (fault) {
    if (fault instanceof ForeignSyntax) return { ok: false, why: fault.message };
    throw fault;
  }
}

interface Bare {
  readonly source: string;
  readonly ignoresCase: boolean;
}

/** A YAML block ends with a line break, which would follow `$`. */
function withoutSpace(written: string): string {
  const trimmed = written.trim();
  const [start, end] = [written.trimStart(), written.trimEnd()];
  const left = /^(?:\^|\\A|\/\^)/.test(trimmed) ? start : written;
  return /(?:\$|\\[zZ]|\$\/[a-z]*)$/.test(trimmed) ? left.slice(0, left.length - (written.length - end.length)) : left;
}

/** Slashes around a pattern are the syntax of a literal. Without an anchor or a flag, they may belong to the text. */
function withoutSlashes(written: string): Bare {
  const asWritten: Bare = { source: written, ignoresCase: false };
  const [, source = "", flags = ""] = /^\/(.*)\/([gimsuvyxADU]*)$/s.exec(written) ?? [];
  if (source === "" || /(?<!\\)(?:\\\\)*\//.test(source.replaceAll(/\[(?:\\.|[^\]\\])*\]/gs, ""))) return asWritten;
  const isAnchored = /^(?:\^|\\A)/.test(source) || /(?:\$|\\[zZ])$/.test(source);
  if (!isAnchored && flags === "") {
    throw new ForeignSyntax("is between slashes, which may be delimiters or part of the pattern");
  }
  if (/[^giu]/.test(flags)) throw new ForeignSyntax(`has the flags "${flags}"`);
  return { source, ignoresCase: flags.includes("i") };
}

function withoutFlags({ source, ignoresCase }: Bare): Bare {
  return source.startsWith("(?i)")
    ? { source: source.slice("(?i)".length), ignoresCase: true }
    : { source, ignoresCase };
}

/**
 * POSIX and Java classes, as the content of a class. Classes of letters include every alphabet, as in Ruby: a pattern
 * that is too wide costs a rejection by the service, but one that is too narrow prevents a payment.
 */
const classes: ReadonlyMap<string, string> = new Map([
  ["alpha", "\\p{L}\\p{M}"],
  ["alnum", "\\p{L}\\p{M}\\p{N}"],
  ["ascii", "\\x00-\\x7F"],
  ["blank", "\\p{Zs}\\t"],
  ["cntrl", "\\p{Cc}"],
  ["digit", "\\p{Nd}"],
  ["graph", "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}"],
  ["lower", "\\p{Ll}"],
  ["print", "\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Zs}"],
  ["punct", "\\p{P}\\p{S}"],
  ["space", "\\s"],
  ["upper", "\\p{Lu}"],
  ["word", "\\p{L}\\p{M}\\p{N}_"],
  ["xdigit", "0-9A-Fa-f"],
]);

const tokens =
  /\\[pP]\{\^?[^{}]*\}|\\x\{[0-9a-fA-F]+\}|\\u\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\c[A-Za-z]|\\[^]|\[:\^?[a-z]+:\]|\(\?P?[<=>]|\(\?[a-zA-Z-]+[:)]|\{\s*\d*\s*(?:,\s*\d*\s*)?\}|[^]/gu;

/** One character beyond the basic plane, for patterns without the flag `u`. */
const surrogatePair = /(?<!\\)((?:\\\\)*)\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/g;

function withCodePoint(_: string, before: string, high: string, low: string): string {
  const codePoint = String.fromCharCode(parseInt(high, 16), parseInt(low, 16)).codePointAt(0) ?? 0;
  return `${before}\\u{${codePoint.toString(16).toUpperCase()}}`;
}

function translated(source: string, ignoresCase: boolean): string {
  const all = source.replaceAll(surrogatePair, withCodePoint).match(tokens) ?? [];
  let out = "";
  let at = 0;
  const next = (): string | undefined => all[at++];
  for (let token = next(); token !== undefined; token = next()) {
    if (token === "[") out += readClass();
    else if (token.startsWith("[:")) out += posixAlone(token);
    // Possessive quantifier. Without it, the pattern matches a superset.
    else if (token !== "+" || !isQuantifier(all[at - 2])) out += outside(token);
  }
  return out;

  function outside(token: string): string {
    if (token === "\\A") return "^";
    if (token === "\\z" || token === "\\Z") return "$";
    if (token === "(?P<") return "(?<";
    if (token === "(?>") return "(?:";
    if (token.startsWith("(?P") || (/^\(\?[a-zA-Z-]+[:)]$/.test(token) && token !== "(?:")) {
      throw new ForeignSyntax(`has "${token}", which ECMAScript does not have`);
    }
    if (token === "\\\\" && isDoubled(all[at], all[at + 1])) throw new ForeignSyntax(doubled);
    if (isBareRange(token, all[at], all[at + 1]))
      throw new ForeignSyntax(`has ${token}-${all[at + 1]} outside of brackets`);
    const repeat = repeatOf(token);
    if (repeat !== undefined) return repeat;
    const named = namedClass(token);
    if (named !== undefined) return named.negated ? `[^${named.inside}]` : `[${named.inside}]`;
    if (ignoresCase && /^[A-Za-z]$/.test(token)) return `[${token.toUpperCase()}${token.toLowerCase()}]`;
    return escapeOf(token, ignoresCase);
  }

  function readClass(): string {
    let inside = "";
    if (all[at] === "^") inside += next() ?? "";
    // In POSIX, a leading bracket is one of the characters. In ECMAScript, `[]` matches nothing.
    if (all[at] === "]" && (inside === "" || isClosedFrom(at + 1))) {
      at += 1;
      inside += "\\]";
    }
    let nests = false;
    for (let token = next(); token !== "]"; token = next()) {
      if (token === undefined) throw new ForeignSyntax("has a class that does not end");
      if (token === "&" && all[at] === "&")
        throw new ForeignSyntax('intersects classes by "&&", which ECMAScript does not do');
      nests ||= token === "[";
      inside += insideClass(token);
    }
    if (nests && isClosedFrom(at))
      throw new ForeignSyntax("has classes within a class, which ECMAScript does not have");
    return `[${inside}]`;
  }

  function insideClass(token: string): string {
    if (token.startsWith("[:")) {
      const posix = classes.get(token.replaceAll(/[[\]:^]/g, ""));
      if (posix === undefined || token.includes("^"))
        throw new ForeignSyntax(`has the class ${token}, which is not known`);
      return posix;
    }
    if (/^\\[AzZB]$/.test(token)) throw new ForeignSyntax(`has ${token} in a class`);
    // A hyphen at the end of a class is literal.
    if (token === "\\\\" && (/^[dDwWsS]$/.test(all[at] ?? "") || (all[at] === "-" && all[at + 1] !== "]"))) {
      throw new ForeignSyntax(doubled);
    }
    const named = namedClass(token);
    if (named?.negated === true) throw new ForeignSyntax(`has ${token} in a class`);
    if (named !== undefined) return named.inside;
    return ignoresCase ? foldedInClass(token) : escapeOf(token, false);
  }

  /** Adds the other case. A range is converted as one unit of three tokens. */
  function foldedInClass(token: string): string {
    const [dash, end] = [all[at], all[at + 1]];
    const isRange = dash === "-" && end !== undefined && end !== "]";
    if (!isRange) return /^[A-Za-z]$/.test(token) ? token.toUpperCase() + token.toLowerCase() : escapeOf(token, true);
    at += 2;
    const range = `${token}-${end}`;
    if (/^(?:[a-z]-[a-z]|[A-Z]-[A-Z])$/.test(range)) return range.toUpperCase() + range.toLowerCase();
    if (/^\d-\d$/.test(range)) return range;
    throw new ForeignSyntax(`takes either case of the range ${range}`);
  }

  /** Whether a bracket closes before another one opens. */
  function isClosedFrom(place: number): boolean {
    return all.slice(place).find((token) => token === "[" || token === "]") === "]";
  }
}

/** A range without brackets is not a class and matches its own three characters. */
const isBareRange = (from: string, dash: string | undefined, to: string | undefined): boolean =>
  dash === "-" && ["az", "AZ", "09"].includes(`${from}${to}`);

/**
 * Texts that some documents use instead of a pattern: the name of a format, or a picture such as `YYYY-MM-DD` or
 * `999-99`. As a pattern, they would match only themselves.
 */
function assertPattern(written: string): void {
  if (formats.has(written)) throw new ForeignSyntax("is the name of a format and not a regular expression");
  const isPicture = /^(?:[YyMmDdHhSs]+|[T .,:/_Z-])+$/.test(written)
    ? new Set(written.match(/([YyMmDdHhSs])\1+/g)).size > 1
    : /^[X9#]{2,}(?:[ ./-][X9#]+)+$/.test(written);
  if (isPicture) throw new ForeignSyntax("is a picture of the text and not a regular expression");
}

const formats = new Set([
  "date",
  "date-time",
  "datetime",
  "time",
  "email",
  "hostname",
  "ipv4",
  "ipv6",
  "uri",
  "url",
  "uuid",
]);

const doubled = "matches a backslash where a class such as \\d seems meant: its backslashes are doubled";

/** Whether an escaped backslash precedes a character that is rarely literal. */
function isDoubled(following: string | undefined, after: string | undefined): boolean {
  if (following === undefined) return false;
  if (/^[dDwWsSbB/-]$/.test(following)) return true;
  return following === "." && !/^[*+?{]/.test(after ?? "");
}

/** `[:alpha:]` without the brackets of a class around it. */
function posixAlone(token: string): string {
  const posix = classes.get(token.replaceAll(/[[\]:^]/g, ""));
  if (posix === undefined) return token;
  return token.includes("^") ? `[^${posix}]` : `[${posix}]`;
}

const isQuantifier = (token: string | undefined): boolean =>
  token !== undefined && (/^[*+?]$/.test(token) || repeatOf(token) !== undefined);

/**
 * In other dialects, `{,3}` counts from 0 and `{1, 3}` ignores the space. In ECMAScript, they are literal characters.
 */
function repeatOf(token: string): string | undefined {
  const [, from = "", comma = "", to = ""] = /^\{\s*(\d*)\s*(?:(,)\s*(\d*)\s*)?\}$/.exec(token) ?? [];
  return from === "" && to === "" ? undefined : `{${from === "" ? "0" : from}${comma}${to}}`;
}

/** A class with a Java name, or a script by its name alone. ECMAScript accepts general categories. */
function namedClass(token: string): { readonly inside: string; readonly negated: boolean } | undefined {
  const [, letter, name = ""] = /^\\([pP])\{(.*)\}$/.exec(token) ?? [];
  if (letter === undefined || category.test(name)) return undefined;
  const inside = classes.get(name.toLowerCase());
  if (inside !== undefined) return { inside, negated: letter === "P" };
  for (const property of [name, `Script=${name}`]) {
    const known = `\\${letter}{${property}}`;
    if (isProperty(known)) return property.includes("=") ? { inside: known, negated: false } : undefined;
  }
  throw new ForeignSyntax(`has the class ${token}, which ECMAScript does not know`);
}

const category = /^(?:L[ulmto]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cfson]?)$/;

function isProperty(escape: string): boolean {
  try {
    new RegExp(escape, "u");
    return true;
  } catch {
    return false;
  }
}

/** An escaped letter without a meaning in ECMAScript is the literal letter there, and has another meaning elsewhere. */
function escapeOf(token: string, ignoresCase: boolean): string {
  const [, hex] = /^\\x\{0*([0-9a-fA-F]{1,4})\}$/.exec(token) ?? [];
  if (hex !== undefined) return `\\u${hex.padStart(4, "0")}`;
  if (ignoresCase && /^\\[pPux]/.test(token)) throw new ForeignSyntax(`takes either case of ${token}`);
  if (!/^\\[A-Za-z]$/.test(token) || /[bBdDfknrsStvwW]/.test(token[1] ?? "")) return token;
  throw new ForeignSyntax(`has ${token}, which ECMAScript does not know`);
}
