import { ProcedoError, type Environment } from "@procedo/contract";
import {
  actionNamed,
  type KnownConnection,
  type ResolveConnection,
  type ResolvedConnection,
} from "../connections/resolved-connection.ts";
import { effectProblem, isActionEffect } from "../integrations/check-integration.ts";
import type { Action } from "../integrations/integration.ts";

export type FoundAction =
  | { readonly ok: true; readonly action: Action; readonly connection: ResolvedConnection }
  | { readonly ok: false; readonly message: string; readonly code: "action_unavailable" };

/** The connection and action of a call, as named by its node or by a frozen call. */
export interface NamedCall {
  readonly connection: string;
  readonly action: string;
  /** For a frozen call, the revision of its action at that time. */
  readonly revision?: string;
  readonly connectionId?: string;
}

/**
 * The action that a call names, or why the call cannot be made.
 *
 * @throws ProcedoError `storage_unavailable`, after which the search may be repeated
 */
export async function findAction(
  resolve: ResolveConnection,
  environment: Environment,
  call: NamedCall,
): Promise<FoundAction> {
  try {
    const connection = await resolve(environment, call.connection);
    if (connection === undefined) {
      return notFound(`There is no connection "${call.connection}" in ${environment}. Create it and start again.`);
    }
    const findEarlier = earlierAction(connection, call);
    if (findEarlier === undefined) return currentAction(connection, call);
    const action = await findEarlier();
    return action === undefined ? notFound(changed(call)) : { ok: true, action, connection };
  } catch (error) {
    if (!ProcedoError.isError(error) || error.retryable) throw error;
    return notFound(`Connection "${call.connection}" cannot be used. ${error.message}`);
  }
}

/** The result of {@link findAction} where the connection is cached; `undefined` where storage has to be read. */
export function findKnownAction(
  known: KnownConnection,
  environment: Environment,
  call: NamedCall,
): FoundAction | undefined {
  const connection = known(environment, call.connection);
  if (connection === undefined || earlierAction(connection, call) !== undefined) return undefined;
  return currentAction(connection, call);
}

function currentAction(connection: ResolvedConnection, call: NamedCall): FoundAction {
  if (connection.withheld !== undefined) {
    return notFound(`Nothing was sent through connection "${call.connection}". ${connection.withheld}`);
  }
  const action = actionNamed(connection, call.action);
  if (action === undefined) return notFound(`Connection "${call.connection}" has no action "${call.action}".`);
  if (isActionEffect(action.effect)) return { ok: true, action, connection };
  return notFound(`Action "${call.action}" of connection "${call.connection}" ${effectProblem(action.effect)}`);
}

function notFound(message: string): FoundAction {
  return { ok: false, message, code: "action_unavailable" };
}

/** Finds an earlier revision of the action, if a frozen call names a revision that is not the current one. */
function earlierAction(
  connection: ResolvedConnection,
  { action, revision, connectionId }: NamedCall,
): (() => Promise<Action | undefined>) | undefined {
  const { actionAt, withheld } = connection;
  // No call goes through a connection that is withheld, or through another one of the same name.
  if (actionAt === undefined || withheld !== undefined || connectionId !== connection.connectionId) return undefined;
  if (revision === undefined || revision === actionNamed(connection, action)?.revision) return undefined;
  return () => actionAt(action, revision);
}

function changed({ connection, action }: NamedCall): string {
  return (
    `Action "${action}" of connection "${connection}", or the address that it leads to, has changed since the call was ` +
    "decided on. Nothing was sent; ask again."
  );
}
