import { ProcedoError } from "@procedo/contract";
import type { FrozenCall, Intent, RunState } from "@procedo/procedure";
import { ActionError } from "../integrations/action-error.ts";
import { EgressError } from "../egress/egress-error.ts";
import type { Log } from "../ports/log.ts";
import type { Redactor } from "../secrets/redact.ts";
import { causes } from "./failure.ts";

const maxStackLength = 8_000;

/**
 * Logs where the code of an action threw an exception that it did not foresee. Only the names and frames of the stack: a
 * message may quote the call's arguments, and stands in the run's record.
 */
export function logException(
  log: Log,
  error: unknown,
  { runId }: Pick<RunState["facts"], "runId">,
  { nodeId, attempt, frozen }: Pick<Intent, "nodeId" | "attempt"> & { readonly frozen: FrozenCall },
  redactor: Redactor,
): void {
  const chain = [...causes(error)];
  if (chain.some((cause) => cause instanceof ActionError || cause instanceof EgressError)) return;
  // A configuration error of ours is told by its message, which holds no payload.
  const said = ProcedoError.isError(error) ? { error: redactor.text(error.message) } : {};
  const stack = chain.map(framesOf).join("\ncaused by ");
  const { connection, action } = frozen;
  log.warn("An action threw an exception.", {
    ...{ runId, nodeId, connection, action, attempt },
    ...said,
    stack: stack === "" ? `a ${typeof error} was thrown` : redactor.cut(stack, maxStackLength),
  });
}

function framesOf(error: object): string {
  const { name, stack } = error as { name?: unknown; stack?: unknown };
  const frames = typeof stack === "string" ? stack.split("\n").filter((line) => /^\s+at /.test(line)) : [];
  return [typeof name === "string" ? name : "an object", ...frames].join("\n");
}
