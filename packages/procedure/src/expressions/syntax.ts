import { Environment, ParseError } from "@marcbachmann/cel-js";
import type { ASTNode } from "@marcbachmann/cel-js";

/** Maximum number of characters in one expression. */
export const sourceLimit = 4_096;

/** Maximum nesting depth of an expression; a chain `a || b || c` counts each link. */
export const depthLimit = 200;

/** A problem of an expression, with its place in the source. */
export interface ExpressionProblem {
  /** The fault and its correction. */
  readonly message: string;
  /** Position in the source, in characters. */
  readonly offset: number;
}

/**
 * Only the grammar comes from the library. Its evaluator separates whole numbers from JSON's numbers, compares texts by
 * size, matches patterns by backtracking, counts no steps, and has functions that cannot be removed. This folder
 * therefore defines the meaning of expressions, over the library's syntax tree.
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
      return "The expression is too large: split it into several, in separate nodes.";
    case "unexpected_character":
      return `${error.summary}. A comparison is written ==, "and" is &&, "or" is ||.`;
    case "newline_in_string":
      return "A text in quotes cannot continue on the next line: write \\n for a new line.";
    default:
      return `${error.summary.replaceAll(/\b[A-Z]{2,}\b/g, (token) => tokens.get(token) ?? token.toLowerCase())}.`;
  }
}

/** The source form of the library's token names. */
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
