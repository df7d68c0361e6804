import type { Environment } from "@procedo/contract";
import type { Action } from "../integrations/integration.ts";
import { actionNamed, type ResolveConnection } from "./resolved-connection.ts";

/** An action without the function that calls it. */
export type ActionMetadata = Omit<Action, "call">;

/** Reads an action's current metadata; `undefined` when the connection has no action of that name. */
export function createActionMetadata(
  resolve: ResolveConnection,
): (environment: Environment, connection: string, action: string) => Promise<ActionMetadata | undefined> {
  return async (environment, connectionName, actionName) => {
    const connection = await resolve(environment, connectionName);
    const action = connection && actionNamed(connection, actionName);
    if (action === undefined) return undefined;
    const { name, description, effect, input, output, revision, deprecated, operation, dispatch } = action;
    const { timeoutMs, idempotencyKeyTtlMs, onUnknownOutcome } = action;
    const described = { name, description, effect, input, output, revision, deprecated, operation };
    const metadata = { ...described, timeoutMs, idempotencyKeyTtlMs, onUnknownOutcome };
    return { ...metadata, ...(dispatch !== undefined && { dispatch }), check: (args) => action.check(args) };
  };
}
