import * as z from "zod";
import type { Environment } from "./environment.ts";
import { environmentSchema } from "./environment.ts";
import { timestampSchema } from "./timestamp.ts";

/** Prefixes of a private connection's tokens. */
export const privateConnectionTokenPrefixes = {
  sandbox: "run_sandbox_",
  live: "run_live_",
} as const satisfies Record<Environment, string>;

const token = z
  .string()
  .regex(/^run_(sandbox|live)_\S+$/)
  .meta({ description: "Shown once." });

/** Tokens of a new private connection: a key gets the one of its own environment, a person who may manage both gets both. */
export const privateConnectionTokensSchema = z.strictObject({ sandbox: token, live: token }).partial().meta({
  id: "PrivateConnectionTokens",
  description: "One for each environment that the caller may manage. The other one's is made there.",
});

/** Answer of `POST connections/:id/private-connection/tokens/:environment`; the token before, if there was one, is dead. */
export const regeneratedTokenSchema = z
  .strictObject({ environment: environmentSchema, token })
  .meta({ id: "RegeneratedToken" });

/** Answer of `GET connections/:connectionId/private-connection/status`. */
export const privateConnectionStatusSchema = z
  .strictObject({
    status: z
      .enum(["connected", "disconnected"])
      .meta({ description: "`connected` when a client has polled within the last 60 seconds." }),
    lastPollAt: timestampSchema.optional().meta({ description: "Left out before the first poll." }),
    registeredFunctions: z.array(z.string()),
  })
  .meta({ id: "PrivateConnectionStatus" });

/** Schema of {@link PrivateConnectionClient}. */
export const privateConnectionClientSchema = z
  .strictObject({
    clientId: z.string(),
    version: z.string().optional().meta({ description: "Version of the program, if it states one." }),
    lastPollAt: timestampSchema,
    functions: z.array(z.string()).meta({ description: "Names of the functions that it serves, sorted." }),
  })
  .meta({ id: "PrivateConnectionClient" });

/** Answer of `GET connections/:connectionId/private-connection/clients`. */
export const privateConnectionClientsSchema = z
  .strictObject({
    sdkUrl: z.url().meta({ description: "The address of the service for clients: their `PROCEDO_SDK_URL`." }),
    data: z
      .array(privateConnectionClientSchema)
      .meta({ description: "The clients that have polled within the last day, the last one first." }),
  })
  .meta({ id: "PrivateConnectionClients" });

/** The tokens of a private connection's clients, by environment, each shown once. */
export type PrivateConnectionTokens = z.infer<typeof privateConnectionTokensSchema>;
/** Answer to a regenerated token: the only one that shows it. */
export type RegeneratedToken = z.infer<typeof regeneratedTokenSchema>;
/** The clients of a private connection and the functions that they serve, in one environment. */
export type PrivateConnectionStatus = z.infer<typeof privateConnectionStatusSchema>;
/** A client of a private connection, with the functions that it serves. */
export type PrivateConnectionClient = z.infer<typeof privateConnectionClientSchema>;
/** The clients of a private connection in one environment. */
export type PrivateConnectionClients = z.infer<typeof privateConnectionClientsSchema>;
