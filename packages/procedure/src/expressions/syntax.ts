import { Environment, ParseError } from "@marcbachmann/cel-js";
import type { ASTNode } from "@marcbachmann/cel-js";

/** Characters of source that one expression may have. */
export const sourceLimit = 4_096;

/** How deep an expression may nest; a chain `a || b || c` counts each link. */
export const depthLimit = 200;

/** Something wrong with an expression, and where in its source. */
export interface ExpressionProblem {
  /** What is wrong and what to write instead. */
  readonly message: string;
  /** Characters from the beginning of the source. */
  readonly offset: number;
}

/**
 * Only the grammar is the library's. Its evaluator knows whole numbers apart from JSON's numbers, compares texts by size, matches by
 * backtracking and counts no steps, and what is registered there cannot be taken away; so what an expression means is decided in
 * this folder, over the library's syntax tree.
 */
const grammar = new Environment({
  enableOptionalTypes: true,
  limits: { maxAstNodes: 1_000, maxDepth: 64, maxListElements: 200, maxMapEntries: 200, maxCallArguments: 8 },
});

export function parseExpression(source: string): { readonly ast: ASTNode } | { readonly problem: ExpressionProblem } {
  if (source.length > sourceLimit) {
    return { problem: { message: `An expression has at most ${sourceLimit} characters.`, offset: sourceLimit } };
  }
  if (source.trim() === "") return { problem: { message: "The expression is empty.", offset: 0 } };
  try {
    return { ast: grammar.parse(source).ast };
  } catch (error) {
    if (!(error instanceof ParseError)) throw error;
    return { problem: { message: explained(error), offset: error.range?.start ?? 0 } };
  }
}

function explained(error: ParseError): string {
  switch (error.code) {
    case "limit_exceeded":
      return "The expression is too large: write it as several, in nodes of their own.";
    case "unexpected_character":
      return `${error.summary}. A comparison is written ==, "and" is &&, "or" is ||.`;
    case "newline_in_string":
      return "A text in quotes ends on its line: write \\n for a new line.";
    default:
      return `${error.summary.replaceAll(/\b[A-Z]{2,}\b/g, (token) => tokens.get(token) ?? token.toLowerCase())}.`;
  }
}

/** What the library's names of tokens look like in the source. */
const tokens: ReadonlyMap<string, string> = new Map([
  ["EOF", "the end"],
  ["IDENTIFIER", "a name"],
  ["NUMBER", "a number"],
  ["STRING", "a text"],
  ["LPAREN", '"("'],
  ["RPAREN", '")"'],
  ["LBRACKET", '"["'],
  ["RBRACKET", '"]"'],
  ["LBRACE", '"{"'],
  ["RBRACE", '"}"'],
  ["COLON", '":"'],
  ["COMMA", '","'],
  ["DOT", '"."'],
  ["QUESTION", '"?"'],
]);
