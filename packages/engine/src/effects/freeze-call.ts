import type { JsonValue } from "@procedo/contract";
import type { CompiledToolCall, FrozenCall, RunLimits, RunState } from "@procedo/procedure";
import type { ResolveConnection } from "../connections/resolved-connection.ts";
import { findConnection } from "./find-connection.ts";
import { renderObject, scopeOf } from "./render.ts";

export const defaultTimeoutMs = 60_000;

export interface FreezePorts {
  readonly limits: RunLimits;
  readonly resolveConnection: ResolveConnection;
}

export type Frozen =
  | { readonly ok: true; readonly call: FrozenCall; readonly timeoutMs: number }
  | { readonly ok: false; readonly message: string; readonly details?: JsonValue };

/** Renders a tool call and checks it against the action as it is now. */
export async function freezeCall(ports: FreezePorts, state: RunState, node: CompiledToolCall): Promise<Frozen> {
  const { environment } = state.facts;
  const found = await findConnection(ports.resolveConnection, environment, node.connection);
  if (!found.ok) return found;
  const { connection } = found;
  const action = connection.integration.actions.get(node.action);
  if (action === undefined) {
    return { ok: false, message: `Connection "${node.connection}" has no action "${node.action}".` };
  }
  const args = renderObject(node.arguments, scopeOf(state), ports.limits, `The arguments of "${node.id}"`);
  if (!args.ok) return args;
  const violations = action.check(args.value);
  if (violations.length > 0) {
    const list = violations.map(({ path, message }) => `${path || "/"} ${message}`).join("; ");
    const details = violations.map(({ path, message }) => ({ path, message }));
    return { ok: false, message: `The arguments of "${node.id}" do not fit "${node.action}": ${list}`, details };
  }
  return {
    ok: true,
    call: {
      connection: node.connection,
      action: node.action,
      revision: action.revision,
      effect: action.effect,
      args: args.value,
    },
    timeoutMs: node.timeoutMs ?? action.timeoutMs ?? defaultTimeoutMs,
  };
}
