import { maxReferenceLength } from "@procedo/contract";
import type { CompiledProcedure } from "../compiled.ts";
import type { Scope } from "../expressions/expression.ts";

/**
 * The reference of a run that starts; `undefined` if the procedure defines none, if a value of its template is missing
 * or has no text, or if nothing visible is left. A start never fails because of its reference.
 */
export function referenceOf(
  { reference }: Pick<CompiledProcedure, "reference">,
  { input, run }: Pick<Scope, "input" | "run">,
): string | undefined {
  const rendered = reference?.render({ input, run, nodes: {} });
  if (rendered?.ok !== true) return undefined;
  const { value } = rendered;
  const hasText = typeof value === "string" || typeof value === "number" || typeof value === "boolean";
  const text = hasText ? referenceText(String(value)) : "";
  return text === "" ? undefined : text;
}

/** Control characters, broken surrogates, and characters that are invisible or change the direction of a text. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * The form in which references are stored and searched: composed (NFC), without characters that cannot be seen, with
 * single spaces, and cut at 200 characters (UTF-16 code units), but not within a character. References that look alike
 * for this reason are equal.
 */
export function referenceText(text: string): string {
  const clean = text.replace(/\s/gu, " ").replace(unseen, "").replace(/ +/g, " ").normalize("NFC").trim();
  if (clean.length <= maxReferenceLength) return clean;
  const cut = clean.slice(0, maxReferenceLength);
  return (cut.isWellFormed() ? cut : cut.slice(0, -1)).trimEnd();
}
