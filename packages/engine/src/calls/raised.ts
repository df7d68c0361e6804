import type { CompiledNode, Raised, StepError } from "@procedo/procedure";

/** A node failed without a call. */
export function raised(
  node: Exclude<CompiledNode, { kind: "start" }>,
  visit: number,
  atMs: number,
  { message, code, details }: StepError,
): Raised {
  const error: StepError = {
    message,
    ...(code === undefined ? {} : { code }),
    ...(details === undefined ? {} : { details }),
  };
  return { type: "raised", atMs, nodeId: node.id, kind: node.kind, visit, error };
}
