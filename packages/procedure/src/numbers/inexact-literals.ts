import { scanJson, type JsonPath } from "../json/scan-json.ts";
import { isExactLiteral } from "./exact-literal.ts";

/**
 * Whether a JSON text may contain a number that a double cannot hold: 15 significant digits and an exponent of two
 * digits always fit. For nearly all texts, this one search is the whole cost.
 */
export function mayBeInexact(text: string): boolean {
  return /\d[\d.]{15}|\d[eE][+-]?\d{3}/.test(text);
}

/**
 * Reports the inexact numbers of a JSON text in order, each with the offset of its first character. For a text that is
 * not JSON, only those before its first fault.
 */
export function inexactLiterals(text: string, found: (literal: string, start: number, path: JsonPath) => void): void {
  scanJson(text, {
    scalar(start, end, path) {
      if (text[start] === '"') return;
      const literal = text.slice(start, end);
      if (mayBeInexact(literal) && !isExactLiteral(literal)) found(literal, start, path);
    },
  });
}
