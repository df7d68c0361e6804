import type { HumanReviewNode, JsonObject, ToolCallNode } from "@procedo/contract";
import { isObject } from "../schemas/schema-walk.ts";
import type { Draft, DraftNode } from "./read-document.ts";

type SchemaOfAction = (node: ToolCallNode) => JsonObject | undefined;

/** JSON Schema of every node's output, as far as it is known, for checking the expressions that read it. */
export function outputSchemas(draft: Draft, ofAction: SchemaOfAction): Map<string, JsonObject | undefined> {
  const schemas = new Map<string, JsonObject | undefined>();
  for (const node of draft.nodes) {
    if (!schemas.has(node.id)) schemas.set(node.id, outputSchema(node, ofAction));
  }
  return schemas;
}

function outputSchema({ node }: DraftNode, ofAction: SchemaOfAction): JsonObject | undefined {
  switch (node?.kind) {
    case "tool_call":
      return ofAction(node);
    case "condition":
      return { type: "object", properties: { branch: { type: "string" } } };
    case "human_review":
      return reviewOutput(node);
    case "start":
    case "end":
    case undefined:
      return undefined;
  }
}

/** `{ "approved": true }`, or the outputs that the decision supplied: any object, unless the node has a schema for them. */
function reviewOutput({ outputs }: HumanReviewNode): JsonObject | undefined {
  if (outputs === undefined) return undefined;
  const approved = { approved: { type: "boolean" } };
  return isObject(outputs["properties"])
    ? { ...outputs, properties: { ...approved, ...outputs["properties"] } }
    : outputs;
}
