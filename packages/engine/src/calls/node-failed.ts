import type { CompiledNode, NodeFailed, StepError } from "@procedo/procedure";

/** The entry for a node that failed without a call. */
export function nodeFailed(
  node: Exclude<CompiledNode, { kind: "start" }>,
  visit: number,
  atMs: number,
  { message, code, details }: StepError,
): NodeFailed {
  const error: StepError = {
    message,
    ...(code === undefined ? {} : { code }),
    ...(details === undefined ? {} : { details }),
  };
  return { type: "node_failed", atMs, nodeId: node.id, kind: node.kind, visit, error };
}
