/* The values that the expressions of a document may read, as far as the document alone tells. */
import type { JsonObject, ProcedureDocument, ProcedureNode } from "@procedo/contract";
import { scopeTypes, type ScopeTypes } from "@procedo/procedure";

/** The types for checking expressions in the page. The service knows the results of calls, too. */
export function scopeOf({ input, nodes }: ProcedureDocument): ScopeTypes {
  return scopeTypes({ input, outputs: new Map(nodes.map((node) => [node.id, outputOf(node)])) });
}

function outputOf(node: ProcedureNode): JsonObject | undefined {
  if (node.kind !== "condition") return undefined;
  const text = { type: "string" };
  const properties = node.question === undefined ? { branch: text } : { branch: text, reason: text };
  return { type: "object", properties };
}
