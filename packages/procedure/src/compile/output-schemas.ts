import type { HumanReviewNode, JsonObject, ToolCallNode } from "@procedo/contract";
import type { CallSchemas, ScopeSchemas } from "../expressions/scope-types.ts";
import { isObject } from "../schemas/schema-walk.ts";
import type { Draft, DraftNode } from "./read-document.ts";
import type { ActionShape } from "./surroundings.ts";

type ShapeOfAction = (node: ToolCallNode) => ActionShape | undefined;

/** JSON Schemas of the nodes' outputs, as far as they are known. They type the expressions that read them. */
export function outputSchemas(draft: Draft, shapeOf: ShapeOfAction): Required<Pick<ScopeSchemas, "outputs" | "calls">> {
  const outputs = new Map<string, JsonObject | undefined>();
  const calls = new Map<string, CallSchemas>();
  for (const { id, node, broken } of draft.nodes) {
    if (outputs.has(id)) continue;
    if (["/instructions", "/maxCalls", "/question", "/outputs"].some((field) => broken.has(field))) {
      outputs.set(id, undefined);
      continue;
    }
    const shape = node?.kind === "tool_call" ? shapeOf(node) : undefined;
    const makesSeveral = node?.kind === "tool_call" && node.instructions !== undefined && (node.maxCalls ?? 1) > 1;
    if (makesSeveral) calls.set(id, { arguments: shape?.input, output: shape?.output });
    outputs.set(id, makesSeveral ? undefined : outputSchema(node, shape));
  }
  return { outputs, calls };
}

function outputSchema(node: DraftNode["node"], shape: ActionShape | undefined): JsonObject | undefined {
  switch (node?.kind) {
    case "tool_call":
      return shape?.output;
    case "condition": {
      const branch = { type: "string" };
      const properties = node.question === undefined ? { branch } : { branch, reason: { type: "string" } };
      return { type: "object", properties };
    }
    case "human_review":
      return reviewOutput(node);
    case "start":
    case "end":
    case undefined:
      return undefined;
  }
}

/** `{ "approved": true }`, or the outputs of the decision: any object, unless the node has a schema for them. */
function reviewOutput({ outputs }: HumanReviewNode): JsonObject | undefined {
  if (outputs === undefined) return undefined;
  const approved = { approved: { type: "boolean" } };
  return isObject(outputs["properties"])
    ? { ...outputs, properties: { ...approved, ...outputs["properties"] } }
    : outputs;
}
