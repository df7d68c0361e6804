import * as z from "zod";

/** Schema of {@link ServiceFacts}. */
export const serviceFactsSchema = z
  .strictObject({
    version: z.string().meta({ description: "Version of the service." }),
    models: z.array(z.string()).meta({ description: "Purposes for which the service has a language model." }),
    timeZone: z.string().meta({ description: "IANA time zone of the service's days." }),
    addresses: z.strictObject({ runnerUrl: z.string(), appUrl: z.string(), sdkUrl: z.string() }).meta({
      description: "Base addresses of the Runner API, of the application, and for clients of private connections.",
    }),
    limits: z.strictObject({
      requestsPerSecond: z
        .number()
        .optional()
        .meta({ description: "For each key, person and private connection's token. Left out if there is no limit." }),
      maxRequestBytes: z.int().meta({ description: "Largest body of a request." }),
      maxConnectionRequestBytes: z
        .int()
        .meta({ description: "Largest body of a request about a connection, which may carry a document." }),
      maxJsonDepth: z.int().meta({ description: "How many levels of arrays and objects a value may nest." }),
    }),
    deployment: z
      .strictObject({
        node: z.string().meta({ description: "Version of Node.js." }),
        storage: z.enum(["sqlite", "postgres"]),
        schemaVersion: z.int().meta({ description: "Version of the database's schema: its number of migrations." }),
        role: z.enum(["all", "http", "execute"]).meta({
          description: "Whether the process that answered serves HTTP, executes runs, or both.",
        }),
        drainMs: z.int().meta({ description: "How long a stopping process waits for calls in progress." }),
        allowNetworks: z.array(z.string()).meta({
          description: "Networks that outgoing requests may reach in addition to the public internet.",
        }),
      })
      .optional()
      .meta({ description: "The process that answered. Left out by a service that is embedded in an application." }),
  })
  .meta({ id: "ServiceFacts" });

/** Answer of `GET service`: how the service is set up. It contains no secret. */
export type ServiceFacts = z.infer<typeof serviceFactsSchema>;
