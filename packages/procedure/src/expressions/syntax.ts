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
    case "unexpected_token":
    case "expected_token":
      return explainedToken(error.summary);
    default:
      return `${error.summary}.`;
  }
}

/** `Expected RPAREN, got EOF` and `Unexpected token: EOF` in the signs that a person writes. */
function explainedToken(summary: string): string {
  const [first = "", second] = summary.match(/\b[A-Z]{2,}\b/g) ?? [];
  const sign = (token: string): string => tokens.get(token) ?? token.toLowerCase();
  if (second === "EOF") return `The expression ends too early: ${sign(first)} is missing.`;
  if (first === "EOF") return "The expression ends too early.";
  return second === undefined ? `Unexpected ${sign(first)}.` : `Expected ${sign(first)}, found ${sign(second)}.`;
}

/** The library's token names as a person writes them. */
const tokens: ReadonlyMap<string, string> = new Map([
  ["EOF", "the end"],
  ["IDENTIFIER", "name"],
  ["NUMBER", "number"],
  ["STRING", "text"],
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
  ["PLUS", '"+"'],
  ["MINUS", '"-"'],
  ["MULTIPLY", '"*"'],
  ["DIVIDE", '"/"'],
  ["MODULO", '"%"'],
  ["EQ", '"=="'],
  ["NE", '"!="'],
  ["LT", '"<"'],
  ["LE", '"<="'],
  ["GT", '">"'],
  ["GE", '">="'],
  ["AND", '"&&"'],
  ["OR", '"||"'],
  ["NOT", '"!"'],
  ["IN", '"in"'],
]);
