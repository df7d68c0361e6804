import { referenceText } from "@procedo/contract";
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
