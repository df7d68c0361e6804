import type { Environment } from "@procedo/contract";
import type { Action } from "../integrations/integration.ts";
import { actionNamed, type ResolveConnection } from "./resolved-connection.ts";

/** What an action says of itself: nobody can call it. */
export type ActionFacts = Omit<Action, "call">;

/** What an action says of itself today; `undefined` when there is none of that name. */
export function createActionFacts(
  resolve: ResolveConnection,
): (environment: Environment, connection: string, action: string) => Promise<ActionFacts | undefined> {
  return async (environment, connectionName, actionName) => {
    const connection = await resolve(environment, connectionName);
    const action = connection && actionNamed(connection, actionName);
    if (action === undefined) return undefined;
    const { name, description, effect, input, output, revision, deprecated, operation, handOut } = action;
    const { timeoutMs, idempotencyKeyTtlMs } = action;
    const told = { name, description, effect, input, output, revision, deprecated, operation };
    const facts = { ...told, timeoutMs, idempotencyKeyTtlMs };
    return { ...facts, ...(handOut !== undefined && { handOut }), check: (args) => action.check(args) };
  };
}
