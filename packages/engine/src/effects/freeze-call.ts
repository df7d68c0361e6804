import type { JsonValue } from "@procedo/contract";
import type { CompiledToolCall, FrozenCall, RunLimits, RunState } from "@procedo/procedure";
import type { Action } from "../integrations/integration.ts";
import { callDigest } from "../reviews/review-row.ts";
import type { FoundAction } from "./find-action.ts";
import { renderObject, scopeOf } from "./render.ts";

export type Frozen =
  | { readonly ok: true; readonly call: FrozenCall; readonly action: Action }
  | { readonly ok: false; readonly message: string; readonly details?: JsonValue; readonly code?: "limit" };

/** Renders a tool call and checks it against the action as it is now. */
export function freezeCall(limits: RunLimits, state: RunState, node: CompiledToolCall, found: FoundAction): Frozen {
  if (!found.ok) return found;
  const { action } = found;
  const args = renderObject(node.arguments, scopeOf(state), limits, `The arguments of "${node.id}"`);
  if (!args.ok) return args;
  const violations = action.check(args.value);
  if (violations.length > 0) {
    const list = violations.map(({ path, message }) => `${path || "/"} ${message}`).join("; ");
    const details = violations.map(({ path, message }) => ({ path, message }));
    return { ok: false, message: `The arguments of "${node.id}" do not fit "${node.action}": ${list}`, details };
  }
  const { connection } = node;
  const { connectionId } = found.connection;
  const { revision, effect } = action;
  const call = { connection, connectionId, action: node.action, revision, effect, args: args.value };
  return { ok: true, action, call };
}

/**
 * A call that a person has approved: sent exactly as it was shown, whatever the run's data would render to by now, or
 * not at all.
 */
export function approvedCall(call: FrozenCall, digest: string, found: FoundAction): Frozen {
  if (callDigest(call) !== digest) {
    const message = "The approved call is not what the reviewer saw. Nothing was sent; the journal has to be examined.";
    return { ok: false, message };
  }
  if (!found.ok) return found;
  if (found.connection.connectionId !== call.connectionId) {
    const message = `Connection "${call.connection}" was replaced since the call was approved. Nothing was sent; ask again.`;
    return { ok: false, message };
  }
  if (found.action.revision !== call.revision) {
    const message = `Action "${call.action}" has changed since the call was approved. Nothing was sent; ask again.`;
    return { ok: false, message };
  }
  return { ok: true, action: found.action, call };
}
