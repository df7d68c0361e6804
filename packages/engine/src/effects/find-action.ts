import { ProcedoError, type Environment } from "@procedo/contract";
import type { Action } from "../integrations/integration.ts";
import type { ResolveConnection, ResolvedConnection } from "../connections/resolved-connection.ts";

export type FoundAction =
  | { readonly ok: true; readonly action: Action; readonly connection: ResolvedConnection }
  | { readonly ok: false; readonly message: string };

/** The action that a call names, or why the call cannot be made. */
export async function findAction(
  resolve: ResolveConnection,
  environment: Environment,
  call: { readonly connection: string; readonly action: string },
): Promise<FoundAction> {
  const found = await findConnection(resolve, environment, call.connection);
  if (!found.ok) return found;
  const action = found.connection.integration.actions.get(call.action);
  if (action !== undefined) return { ok: true, action, connection: found.connection };
  return { ok: false, message: `Connection "${call.connection}" has no action "${call.action}".` };
}

type FoundConnection =
  { readonly ok: true; readonly connection: ResolvedConnection } | { readonly ok: false; readonly message: string };

/**
 * The connection that a step names, or why the step cannot have it. A storage that does not answer is thrown on: that
 * passes, and is not the step's fault.
 */
async function findConnection(
  resolve: ResolveConnection,
  environment: Environment,
  name: string,
): Promise<FoundConnection> {
  try {
    const connection = await resolve(environment, name);
    if (connection !== undefined) return { ok: true, connection };
    return { ok: false, message: `There is no connection "${name}" in ${environment}. Create it and start again.` };
  } catch (error) {
    if (!ProcedoError.isError(error) || error.retryable) throw error;
    return { ok: false, message: `Connection "${name}" cannot be used. ${error.message}` };
  }
}
