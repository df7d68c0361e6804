import * as z from "zod";
import { environmentSchema } from "./environment.ts";
import { actionNameSchema, connectionNameSchema, idSchema } from "./identifiers.ts";
import { jsonObjectSchema } from "./json.ts";
import { pageOf } from "./pages.ts";
import { privateConnectionTokensSchema } from "./private-connection.ts";
import { timestampSchema } from "./timestamp.ts";

/** `integration` of a connection whose actions come from an OpenAPI document. */
export const customApiIntegration = "custom_api";

/** `integration` of a connection to a client in the customer's network. */
export const privateConnectionIntegration = "private_connection";

const integration = z.string().min(1).max(64).meta({ description: "The integration's id, such as `custom_api`." });
const settings = jsonObjectSchema.meta({ description: "What the integration asks for; checked by its own schema." });
const secrets = z
  .record(z.string(), z.string())
  .meta({ description: "Credentials that the integration asks for. They go in and never out." });

/** Body of `POST connections`. */
export const createConnectionRequestSchema = z
  .strictObject({
    name: connectionNameSchema,
    integration,
    environment: environmentSchema
      .optional()
      .meta({ description: "Left out of a private connection, which has a token for each environment." }),
    settings: settings.prefault({}),
    secrets: secrets.default({}),
  })
  .refine(
    ({ integration, environment }) => (integration === privateConnectionIntegration) === (environment === undefined),
    {
      path: ["environment"],
      error: "is required, and left out of a private connection, which has a token for each environment",
      // Also when another field is wrong: a caller learns of everything at once.
      when: ({ value }) => typeof value === "object" && value !== null && "integration" in value,
    },
  )
  .meta({ id: "CreateConnectionRequest" });

/** Body of `PATCH connections/:id`. Each setting and secret that is named is replaced; the others stay. */
export const updateConnectionRequestSchema = z
  .strictObject({ name: connectionNameSchema, settings, secrets })
  .partial()
  .meta({ id: "UpdateConnectionRequest" });

/** A connection as lists show it. */
export const connectionSummarySchema = z
  .strictObject({
    id: idSchema,
    name: connectionNameSchema,
    integration,
    environment: environmentSchema.optional().meta({ description: "Left out of a private connection." }),
    createdAt: timestampSchema,
  })
  .meta({ id: "ConnectionSummary" });

export const connectionSchema = connectionSummarySchema
  .extend({
    settings: jsonObjectSchema,
    secretNames: z.array(z.string()).meta({ description: "Which secrets are set." }),
  })
  .meta({ id: "Connection" });

/** Answer of `POST connections`. */
export const createdConnectionSchema = connectionSchema
  .extend({
    tokens: privateConnectionTokensSchema.optional().meta({ description: "Of a private connection, shown once." }),
  })
  .meta({ id: "CreatedConnection" });

/** Answer of `POST connections/:id/test`. */
export const connectionTestSchema = z
  .discriminatedUnion("ok", [
    z.strictObject({ ok: z.literal(true) }),
    z.strictObject({ ok: z.literal(false), error: z.string() }),
  ])
  .meta({ id: "ConnectionTest" });

/** What a Tool Call node can call. */
export const actionSchema = z
  .strictObject({
    name: actionNameSchema,
    description: z.string().optional(),
    input: jsonObjectSchema.meta({ description: "JSON Schema of the arguments." }),
    output: jsonObjectSchema.optional().meta({ description: "JSON Schema of the result, where known." }),
    effect: z.enum(["read", "idempotent", "once"]).meta({ description: "Whether a call may be made again." }),
    deprecated: z.boolean().optional(),
  })
  .meta({ id: "Action" });

export const connectionPageSchema = pageOf(connectionSummarySchema).meta({ id: "ConnectionPage" });
export const actionPageSchema = pageOf(actionSchema).meta({ id: "ActionPage" });

export type CreateConnectionRequest = z.input<typeof createConnectionRequestSchema>;
export type ParsedCreateConnectionRequest = z.infer<typeof createConnectionRequestSchema>;
export type UpdateConnectionRequest = z.infer<typeof updateConnectionRequestSchema>;
export type ConnectionSummary = z.infer<typeof connectionSummarySchema>;
export type Connection = z.infer<typeof connectionSchema>;
export type CreatedConnection = z.infer<typeof createdConnectionSchema>;
export type ConnectionTest = z.infer<typeof connectionTestSchema>;
export type Action = z.infer<typeof actionSchema>;
