import { ProcedoError } from "@procedo/contract";
import type { FrozenCall, Intent, RunState } from "@procedo/procedure";
import { ActionError } from "../integrations/action-error.ts";
import { EgressError } from "../egress/egress-error.ts";
import type { Log } from "../ports/log.ts";
import type { Redactor } from "../secrets/redact.ts";
import { causes } from "./failure.ts";

const maxStackLength = 8_000;

/**
 * Logs where an action's code threw an unexpected exception: only the names and frames of the stack. The message may
 * quote arguments of the call and is therefore part of the run's record only.
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
  // The message of the engine's own error holds no payload.
  const message = ProcedoError.isError(error) ? { error: redactor.text(error.message) } : {};
  const stack = chain.map(framesOf).join("\ncaused by ");
  const { connection, action } = frozen;
  log.warn("An action threw an exception.", {
    ...{ runId, nodeId, connection, action, attempt },
    ...message,
    stack: stack === "" ? `a ${typeof error} was thrown` : redactor.cut(stack, maxStackLength),
  });
}

function framesOf(error: object): string {
  const { name, stack } = error as { name?: unknown; stack?: unknown };
  const frames = typeof stack === "string" ? stack.split("\n").filter((line) => /^\s+at /.test(line)) : [];
  return [typeof name === "string" ? name : "an object", ...frames].join("\n");
}
