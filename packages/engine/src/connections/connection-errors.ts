import { ProcedoError, type Environment } from "@procedo/contract";

export function noToken(environment: Environment): string {
  return `The connection has no token in ${environment} yet. Make one there, and start a client with it.`;
}

export function noEnvironment(): ProcedoError {
  return new ProcedoError(
    "invalid_input",
    "The connection needs an environment. Only private connections belong to both.",
    {
      details: [{ path: "/environment", message: "is required" }],
    },
  );
}
