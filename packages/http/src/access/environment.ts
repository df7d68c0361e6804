import { environments, ProcedoError, type Environment } from "@procedo/contract";

/**
 * Returns the environment of a request. A key implies its own environment; an environment in `?environment=` or the
 * path must be the same. The request of a session names one; none is assumed.
 *
 * @param own the only environment of the key; `undefined` for a session
 * @throws ProcedoError `environment_mismatch`; `not_found` for an unknown environment in the path; `malformed_request`
 *   when neither the key nor the request names an environment, or the request names an unknown one or two
 */
export function environmentOf(
  own: Environment | undefined,
  named: { readonly path: string | undefined; readonly query: string | undefined },
): Environment {
  if (named.path !== undefined && !isEnvironment(named.path)) {
    throw new ProcedoError(
      "not_found",
      `The environment in the path does not exist. Use one of ${environments.join(", ")}.`,
    );
  }
  for (const other of [named.path, named.query]) {
    if (own === undefined || !isEnvironment(other) || other === own) continue;
    throw new ProcedoError(
      "environment_mismatch",
      `This key belongs to ${own} and cannot access ${other}. Use a key of the requested environment.`,
    );
  }
  if (own !== undefined) return own;
  if (named.query !== undefined && !isEnvironment(named.query)) {
    throw new ProcedoError(
      "malformed_request",
      `The environment in the query does not exist. Use one of ${environments.join(", ")}.`,
    );
  }
  const [environment, another] = [named.path, named.query].filter(isEnvironment);
  if (another !== undefined && another !== environment) {
    const message = `The path names ${environment} and the query ${another}. Name one environment.`;
    throw new ProcedoError("malformed_request", message);
  }
  if (environment !== undefined) return environment;
  throw new ProcedoError(
    "malformed_request",
    "The request names no environment. Add ?environment=sandbox or ?environment=live.",
  );
}

function isEnvironment(name: string | undefined): name is Environment {
  return name !== undefined && (environments as readonly string[]).includes(name);
}
