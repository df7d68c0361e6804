import { ProcedoError } from "@procedo/contract";
import type { FrozenCall, Intent, RunState } from "@procedo/procedure";
import { ActionError } from "../integrations/action-error.ts";
import { EgressError } from "../egress/egress-error.ts";
import type { Log } from "../ports/log.ts";
import type { Redactor } from "../secrets/redact.ts";
import { causes } from "./failure.ts";

const maxStackLength = 8_000;

/**
 * Logs the place at which an action's code threw an unforeseen exception: the names and frames of the stack only. The
 * message may quote arguments of the call, and is part of the run's record.
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
  // The message of a configuration error of the engine holds no payload.
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
