import * as z from "zod";

/** The two worlds that never share connections, runs or data. */
export const environments = ["sandbox", "live"] as const;

/** Schema of {@link Environment}. */
export const environmentSchema = z
  .enum(environments)
  .meta({ id: "Environment", description: "The two environments never share connections, runs or data." });

/** The environment that a run, key, webhook, connection or trigger belongs to. */
export type Environment = z.infer<typeof environmentSchema>;

/** Query of an endpoint that has no other parameters. */
export const scopeQuerySchema = z.strictObject({
  environment: environmentSchema.optional().meta({
    description: "Names the environment for a dashboard session. An API key implies it; naming the other one is a 403.",
  }),
});

/** Query of the environment that a request concerns. */
export type ScopeQuery = z.infer<typeof scopeQuerySchema>;
