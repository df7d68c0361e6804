import { ProcedoError, type Environment } from "@procedo/contract";
import type { ResolveConnection, ResolvedConnection } from "../connections/resolved-connection.ts";

export type FoundConnection =
  { readonly ok: true; readonly connection: ResolvedConnection } | { readonly ok: false; readonly message: string };

/**
 * The connection that a step names, or why the step cannot have it. A storage that does not answer is thrown on: that
 * passes, and is not the step's fault.
 */
export async function findConnection(
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
