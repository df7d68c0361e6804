import { ProcedoError, type Environment, type ErrorCode } from "@procedo/contract";
import type { Engine } from "@procedo/engine";
import type { HeldRequest } from "./held-request.ts";

/**
 * Returns the environment of the run that a session's request names by its id only. A run in an environment that the
 * person cannot access is answered in the same way as an unknown run.
 *
 * @throws ProcedoError with the given code when no environment that the person can access has the run
 */
export async function findRun(
  runs: Pick<Engine["runs"], "environmentOf">,
  held: Pick<HeldRequest, "canAccess">,
  runId: string,
  code: ErrorCode,
): Promise<Environment> {
  const environment = await runs.environmentOf({ runId });
  if (environment !== undefined && held.canAccess(environment)) return environment;
  throw new ProcedoError(code, `There is no run ${JSON.stringify(runId)} in an environment that you can access.`);
}
