import { ProcedoError, type Environment } from "@procedo/contract";
import { actionNamed, type ResolveConnection, type ResolvedConnection } from "../connections/resolved-connection.ts";
import { effectProblem, isActionEffect } from "../integrations/check-integration.ts";
import type { Action } from "../integrations/integration.ts";

export type FoundAction =
  | { readonly ok: true; readonly action: Action; readonly connection: ResolvedConnection }
  | { readonly ok: false; readonly message: string };

/** A call as its node names it, or a frozen call. */
export interface NamedCall {
  readonly connection: string;
  readonly action: string;
  /** Of a frozen call: the revision of its action at that time. */
  readonly revision?: string;
  readonly connectionId?: string;
}

/**
 * The action that a call names, or why the call cannot be made. At once when the connection is known already, as it
 * nearly always is. A storage that does not answer is thrown on: that passes, and is not the call's fault.
 */
export function findAction(
  resolve: ResolveConnection,
  environment: Environment,
  call: NamedCall,
): FoundAction | Promise<FoundAction> {
  const connection = resolve(environment, call.connection);
  const found = connection instanceof Promise ? undefined : actionOf(connection, environment, call);
  if (found !== undefined && !(found instanceof Promise)) return found;
  return (async () => found ?? actionOf(await connection, environment, call))().catch((error: unknown) => {
    if (!ProcedoError.isError(error) || error.retryable) throw error;
    return { ok: false, message: `Connection "${call.connection}" cannot be used. ${error.message}` };
  });
}

function actionOf(
  connection: ResolvedConnection | undefined,
  environment: Environment,
  call: NamedCall,
): FoundAction | Promise<FoundAction> {
  if (connection === undefined) {
    const message = `There is no connection "${call.connection}" in ${environment}. Create it and start again.`;
    return { ok: false, message };
  }
  const { withheld, actionAt } = connection;
  if (withheld !== undefined) {
    return { ok: false, message: `Nothing was sent through connection "${call.connection}". ${withheld}` };
  }
  const action = actionNamed(connection, call.action);
  const { revision } = call;
  // A connection that took over the name is not searched: the call is not made through it.
  const asItWas = actionAt !== undefined && call.connectionId === connection.connectionId;
  if (asItWas && revision !== undefined && revision !== action?.revision) {
    return actionAt(call.action, revision).then((earlier) =>
      earlier === undefined ? { ok: false, message: changed(call) } : { ok: true, action: earlier, connection },
    );
  }
  if (action !== undefined && !isActionEffect(action.effect)) {
    const message = `Action "${call.action}" of connection "${call.connection}" ${effectProblem(action.effect)}`;
    return { ok: false, message };
  }
  if (action !== undefined) return { ok: true, action, connection };
  return { ok: false, message: `Connection "${call.connection}" has no action "${call.action}".` };
}

function changed({ connection, action }: NamedCall): string {
  return (
    `Action "${action}" of connection "${connection}", or the address that it leads to, has changed since the call was ` +
    "decided on. Nothing was sent; ask again."
  );
}
