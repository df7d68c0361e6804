import { ProcedoError, type Environment } from "@procedo/contract";
import type { ResolveConnection, ResolvedConnection } from "../connections/resolved-connection.ts";
import type { Action } from "../integrations/integration.ts";

export type FoundAction =
  | { readonly ok: true; readonly action: Action; readonly connection: ResolvedConnection }
  | { readonly ok: false; readonly message: string };

/**
 * The action that a call names, or why the call cannot be made. At once when the connection is known already, as it
 * nearly always is. A storage that does not answer is thrown on: that passes, and is not the call's fault.
 */
export function findAction(
  resolve: ResolveConnection,
  environment: Environment,
  call: { readonly connection: string; readonly action: string },
): FoundAction | Promise<FoundAction> {
  const connection = resolve(environment, call.connection);
  if (!(connection instanceof Promise)) return actionOf(connection, environment, call);
  return connection.then(
    (found) => actionOf(found, environment, call),
    (error: unknown) => {
      if (!ProcedoError.isError(error) || error.retryable) throw error;
      return { ok: false, message: `Connection "${call.connection}" cannot be used. ${error.message}` };
    },
  );
}

function actionOf(
  connection: ResolvedConnection | undefined,
  environment: Environment,
  call: { readonly connection: string; readonly action: string },
): FoundAction {
  if (connection === undefined) {
    const message = `There is no connection "${call.connection}" in ${environment}. Create it and start again.`;
    return { ok: false, message };
  }
  const action = connection.integration.actions.get(call.action);
  if (action !== undefined) return { ok: true, action, connection };
  return { ok: false, message: `Connection "${call.connection}" has no action "${call.action}".` };
}
