import { environments, ProcedoError, type Environment } from "@procedo/contract";
import type { Principal } from "@procedo/engine";

/**
 * Returns the environment of a request. A key implies its own environment; an environment in `?environment=` or the
 * path must be the same.
 *
 * @throws ProcedoError `environment_mismatch`; `not_found` for an unknown environment in the path; `malformed_request`
 *   when neither the key nor the request names an environment
 */
export function environmentOf(
  principal: Principal,
  named: { readonly path: string | undefined; readonly query: string | undefined },
): Environment {
  if (named.path !== undefined && !isEnvironment(named.path)) {
    throw new ProcedoError(
      "not_found",
      `The environment in the path does not exist. Use one of ${environments.join(", ")}.`,
    );
  }
  const own = principal.environment;
  for (const other of [named.path, named.query]) {
    if (own === undefined || !isEnvironment(other) || other === own) continue;
    throw new ProcedoError(
      "environment_mismatch",
      `This key belongs to ${own} and cannot access ${other}. Use a key of the requested environment.`,
    );
  }
  const environment = own ?? [named.path, named.query].find(isEnvironment);
  if (environment !== undefined) return environment;
  throw new ProcedoError(
    "malformed_request",
    "The request names no environment. Add ?environment=sandbox or ?environment=live.",
  );
}

function isEnvironment(name: string | undefined): name is Environment {
  return name !== undefined && (environments as readonly string[]).includes(name);
}
