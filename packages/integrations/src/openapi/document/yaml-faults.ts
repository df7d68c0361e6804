import { Composer, Lexer, Parser, type CST } from "yaml";
import type { ImportProblem } from "../imported-api.ts";
import type { Position } from "./api-document.ts";
import { maxDocumentDepth } from "./document-limits.ts";
import { createProblemList } from "./problem-list.ts";

/** Limit of the library's input. It takes about half a kilobyte and two microseconds per token. */
const maxTokens = 300_000;
const maxLength = 4_000_000;

/** The offset at which a reader stopped, and its message. */
export interface YamlFault {
  readonly reason: string;
  readonly offset: number;
}

/**
 * Lists all faults of a rejected YAML text. The `yaml` library continues after a fault, at ten times the cost. If the
 * text is too large for it, or if it finds no fault, only the first reader's fault is listed.
 */
export function yamlFaults(
  text: string,
  first: YamlFault,
  positionOf: (offset: number) => Position,
): readonly ImportProblem[] {
  const { faults, quotes } = isTooLarge(text) ? { faults: [], quotes: [] } : allFaults(text);
  const problems = createProblemList();
  for (const { reason, offset } of faults.length > 0 ? faults : [first]) {
    problems.add(() => {
      const quote = quotes.findLast(({ start, lineEnd }) => start < offset && offset <= lineEnd);
      if (quote !== undefined && reason.startsWith("Missing closing")) {
        const message = "The YAML cannot be read from here on: the quote that opens here is never closed.";
        return { severity: "error", pointer: "", message, ...positionOf(quote.start) };
      }
      const doubt =
        quote === undefined ? "" : ` Was the quote that opens on line ${positionOf(quote.start).line} left open?`;
      return { severity: "error", pointer: "", message: inWords(reason) + doubt, ...positionOf(offset) };
    });
  }
  return problems.listed();
}

function inWords(reason: string): string {
  const [line = ""] = reason.split("\n", 1);
  return `The YAML cannot be read here: ${line.replace(/[.:]{1,3}$/, "").slice(0, 200)}.`;
}

function isTooLarge(text: string): boolean {
  if (text.length > maxLength) return true;
  let tokens = 0;
  for (const _token of new Lexer().lex(text)) {
    tokens += 1;
    if (tokens > maxTokens) return true;
  }
  return false;
}

/** A quoted text that is not closed on its first line. A missing quote extends it to the next quote. */
interface LongQuote {
  readonly start: number;
  /** The end of the line on which the text ends. */
  readonly lineEnd: number;
}

const reachesOn = (quoted: string): boolean =>
  quoted.includes("\n") || quoted.length < 2 || quoted.at(-1) !== quoted.at(0);

interface AllFaults {
  readonly faults: readonly YamlFault[];
  readonly quotes: readonly LongQuote[];
}

function allFaults(text: string): AllFaults {
  const faults: YamlFault[] = [];
  const quotes: LongQuote[] = [];
  const composer = new Composer({ schema: "core", resolveKnownTags: false, uniqueKeys: false, prettyErrors: false });
  const take = (documents: ReturnType<Composer["end"]>) => {
    for (const { errors } of documents) {
      for (const { message, pos } of errors) faults.push({ reason: message, offset: pos[0] });
    }
  };
  for (const token of new Parser().parse(text)) {
    for (const { type, start, end, depth } of tokensIn(token)) {
      // Composing values from tokens is recursive.
      if (depth > maxDocumentDepth) return { faults, quotes };
      if (!type.endsWith("-quoted-scalar") || !reachesOn(text.slice(start, end))) continue;
      const lineEnd = text.indexOf("\n", end);
      quotes.push({ start, lineEnd: lineEnd === -1 ? text.length : lineEnd });
    }
    take(composer.next(token));
  }
  take(composer.end());
  return { faults, quotes };
}

interface NestedToken {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

/** A parsed token and all nested tokens, iteratively. */
function* tokensIn(whole: CST.Token): Generator<NestedToken> {
  const open: { readonly token: CST.Token; readonly depth: number }[] = [{ token: whole, depth: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { token, depth } = next;
    const length = "source" in token ? token.source.length : 0;
    yield { type: token.type, start: token.offset, end: token.offset + length, depth };
    if (token.type === "document") {
      if (token.value !== undefined) open.push({ token: token.value, depth });
    } else if ("items" in token) {
      for (const { key, value } of token.items) {
        if (key !== null && key !== undefined) open.push({ token: key, depth: depth + 1 });
        if (value !== undefined) open.push({ token: value, depth: depth + 1 });
      }
    }
  }
}
