import * as z from "zod";
import { connectionOAuthSchema, serviceAccountSchema } from "./connection-oauth.ts";
import { environmentSchema, scopeQuerySchema } from "./environment.ts";
import {
  actionNameSchema,
  connectionNameSchema,
  idSchema,
  nodeIdSchema,
  procedureIdSchema,
  versionNameSchema,
} from "./identifiers.ts";
import { inboundSchema } from "./inbound.ts";
import { jsonObjectSchema, jsonValueSchema } from "./json.ts";
import { pageOf, pageQuerySchema } from "./pages.ts";
import { privateConnectionTokensSchema } from "./private-connection.ts";
import { problemSchema } from "./problems.ts";
import { timestampSchema } from "./timestamp.ts";

/** `integration` of a connection whose actions come from an OpenAPI document. */
export const customApiIntegration = "custom_api";

/** `integration` of a connection to a client in the customer's network. */
export const privateConnectionIntegration = "private_connection";

const integration = z.string().min(1).max(64).meta({ description: "The integration's id, such as `custom_api`." });
const settings = jsonObjectSchema.meta({ description: "Settings of the integration, checked by its own schema." });
const secrets = z
  .record(z.string(), z.string())
  .meta({ description: "Credentials that the integration requires. They are write-only: no answer contains them." });

/** Body of `POST connections`. */
export const createConnectionRequestSchema = z
  .strictObject({
    name: connectionNameSchema,
    integration,
    environment: environmentSchema
      .optional()
      .meta({ description: "Left out of a private connection, which both environments may use." }),
    settings: settings.prefault({}),
    secrets: secrets.default({}),
  })
  .refine(
    ({ integration, environment }) => (integration === privateConnectionIntegration) === (environment === undefined),
    {
      path: ["environment"],
      error: "is required, except for a private connection, which both environments may use",
      // Runs although another field is wrong, so that the caller learns of every fault at once.
      when: ({ value }) => typeof value === "object" && value !== null && "integration" in value,
    },
  )
  .meta({ id: "CreateConnectionRequest" });

/** Body of `PATCH connections/:id`: each setting and secret that is named is replaced, or removed by `null`; others stay. */
export const updateConnectionRequestSchema = z
  .strictObject({
    name: connectionNameSchema,
    settings: jsonObjectSchema.meta({
      description: "Each named value is replaced, or removed by `null`; the others stay.",
    }),
    secrets: z
      .record(z.string(), z.string().nullable())
      .meta({ description: "Each named value is replaced, or removed by `null`; the others stay." }),
  })
  .partial()
  .meta({ id: "UpdateConnectionRequest" });

/** Body of `POST connections/:id/preview`: an update whose consequences are asked for before it is made. */
export const previewChangeRequestSchema = updateConnectionRequestSchema
  .omit({ name: true })
  .meta({ id: "PreviewChangeRequest" });

/** The state of a connection when it was last used or tested. */
export const connectionHealthSchema = z
  .strictObject({
    status: z.enum(["unknown", "ok", "failing", "unconfirmed", "needs_authorization"]).meta({
      description:
        "`failing`: it could not be reached, or its credentials were refused. `unconfirmed`: a changed document names " +
        "another server, and nothing is sent until `settings.baseUrl` is set. `needs_authorization`: a person has to " +
        "authorize the connection, and runs that call it wait.",
    }),
    checkedAt: timestampSchema
      .optional()
      .meta({ description: "The time of the latest change of `status`; omitted while it is `unknown`." }),
    message: z.string().optional().meta({ description: "The reason, unless the connection is healthy." }),
  })
  .meta({ id: "ConnectionHealth" });

/** A procedure whose tool calls name a connection. */
export const connectionUseSchema = z
  .strictObject({
    procedureId: procedureIdSchema,
    version: versionNameSchema.optional().meta({ description: "The default version; omitted for the draft." }),
    nodeIds: z.array(nodeIdSchema).meta({ description: "Its tool calls." }),
  })
  .meta({ id: "ConnectionUse" });

/** A connection as lists show it. */
export const connectionSummarySchema = z
  .strictObject({
    id: idSchema,
    name: connectionNameSchema,
    integration,
    environment: environmentSchema.optional().meta({ description: "Left out of a private connection." }),
    health: connectionHealthSchema,
    oauth: connectionOAuthSchema.optional().meta({ description: "Omitted unless it is authorized by OAuth." }),
    tokenEnvironments: z.array(environmentSchema).optional().meta({
      description: "Of a private connection: the environments in which it has a token. Omitted for the others.",
    }),
    createdBy: z.string().meta({ description: "The person who created it." }),
    createdAt: timestampSchema,
    updatedAt: timestampSchema.meta({ description: "When its name, settings or secrets were last changed." }),
  })
  .meta({ id: "ConnectionSummary" });

/** Schema of {@link Connection}. */
export const connectionSchema = connectionSummarySchema
  .extend({
    settings: jsonObjectSchema,
    secretNames: z.array(z.string()).meta({ description: "Which secrets are set." }),
    usedBy: z.array(connectionUseSchema).meta({ description: "Default versions and drafts that name it." }),
    inbound: inboundSchema
      .extend({ events: z.array(z.string()).meta({ description: "Types of event that triggers can choose." }) })
      .optional()
      .meta({ description: "Omitted unless its service sends events." }),
    spec: z.string().optional().meta({ description: "The document's text, with `?include=spec`." }),
  })
  .meta({ id: "Connection" });

const problems = z
  .array(problemSchema)
  .optional()
  .meta({ description: "Parts of the document that were omitted, with the reason; only if a document was read." });

/** Answer of `POST connections`. */
export const createdConnectionSchema = connectionSchema
  .extend({
    problems,
    tokens: privateConnectionTokensSchema.optional().meta({
      description: "Of a private connection, shown once: a key gets the one of its own environment.",
    }),
  })
  .meta({ id: "CreatedConnection" });

const actionNames = z.array(actionNameSchema);

/** How a connection's actions differ from those that it had before. */
export const connectionChangesSchema = z
  .strictObject({
    added: actionNames,
    changed: actionNames.meta({ description: "Other arguments, result, effect or address." }),
    deprecated: actionNames,
    renamed: z.array(z.strictObject({ from: actionNameSchema, to: actionNameSchema })).meta({
      description: "Actions with the same method and path under a new name. Calls by the former name still work.",
    }),
    removed: actionNames,
    usedBy: z
      .array(connectionUseSchema)
      .meta({ description: "Default versions and drafts with calls that are concerned." }),
  })
  .meta({ id: "ConnectionChanges" });

/** Answer of `PATCH connections/:id`. */
export const updatedConnectionSchema = connectionSchema
  .extend({ problems, changes: connectionChangesSchema.optional().meta({ description: "Of its actions, when any." }) })
  .meta({ id: "UpdatedConnection" });

/** Answer of `POST connections/:id/preview`. Nothing was saved. */
export const changePreviewSchema = z
  .strictObject({
    problems,
    changes: connectionChangesSchema.optional().meta({ description: "Of its actions, when any." }),
    unconfirmedBaseUrl: z.string().optional().meta({
      description:
        "The server of the new document, when no request would be sent until `settings.baseUrl` confirms it.",
    }),
  })
  .meta({ id: "ChangePreview" });

/** Answer of `POST connections/:id/test`. */
export const connectionTestSchema = z
  .discriminatedUnion("ok", [
    z.strictObject({
      ok: z.literal(true),
      account: serviceAccountSchema
        .optional()
        .meta({ description: "The account of the credentials, where the service names it." }),
    }),
    z.strictObject({ ok: z.literal(false), error: z.string() }),
  ])
  .meta({ id: "ConnectionTest" });

/** The effect of a call on the other system, which decides whether it may be repeated. */
export const actionEffectSchema = z.enum(["read", "idempotent", "once"]).meta({
  description: "`read` changes nothing, `idempotent` may be repeated under its key, `once` may not.",
});

const requiresReview = z.boolean().meta({ description: "Whether a person has to approve each call." });
const formerNames = z
  .array(actionNameSchema)
  .meta({ description: "Earlier names of the action, which tool calls may still use." });

/** An action that a Tool Call node can call. */
export const actionSchema = z
  .strictObject({
    name: actionNameSchema,
    description: z.string().optional(),
    input: jsonObjectSchema.meta({ description: "JSON Schema of the arguments." }),
    output: jsonObjectSchema.optional().meta({ description: "JSON Schema of the result, where known." }),
    effect: actionEffectSchema,
    deprecated: z.boolean().optional(),
    requiresReview: requiresReview.optional(),
    formerNames: formerNames.optional(),
    operation: z
      .strictObject({ operationId: z.string().optional(), method: z.string(), path: z.string() })
      .optional()
      .meta({ description: "The document's operation that it calls." }),
  })
  .meta({ id: "Action" });

/** An action of the catalogue, without its schemas. */
export const catalogueActionSchema = z
  .strictObject({
    connection: connectionNameSchema,
    integration,
    name: actionNameSchema,
    description: z.string().optional(),
    effect: actionEffectSchema,
    deprecated: z.boolean().optional(),
    requiresReview: requiresReview.optional(),
    formerNames: formerNames.optional(),
  })
  .meta({ id: "CatalogueAction" });

const secretFields = z.array(
  z.strictObject({
    name: z.string(),
    isRequired: z.boolean().meta({ description: "Whether a connection needs it." }),
    description: z.string().optional().meta({ description: "Where people find it, for a form." }),
  }),
);

/** Schema of {@link InboundEventType}. */
export const inboundEventTypeSchema = z
  .strictObject({
    type: z.string().meta({ description: "The service's name for it, such as `payment.settled`." }),
    title: z.string().meta({ description: "Name for people." }),
    schema: jsonObjectSchema.optional().meta({ description: "JSON Schema of the event, where known." }),
    sample: jsonValueSchema.meta({ description: "A sample of the event, for `POST triggers/:triggerId/test`." }),
  })
  .meta({ id: "InboundEventType" });

/** An integration for which connections can be created, with the fields of a form. */
export const integrationSchema = z
  .strictObject({
    id: integration,
    title: z.string().meta({ description: "Name for people." }),
    category: z.string().optional().meta({ description: "The purpose of its service, such as `payments`." }),
    kind: z.enum(["coded", "documented", "private"]).meta({
      description:
        "Origin of the actions: the program of the service, a document of each connection, or clients in a customer's network.",
    }),
    needsConnection: z.boolean().meta({ description: "`false`: procedures use it by its id, without a connection." }),
    settings: jsonObjectSchema.meta({ description: "JSON Schema of a connection's settings." }),
    secrets: secretFields.meta({ description: "The secrets of every connection." }),
    otherSecrets: z
      .strictObject({
        prefix: z.string().meta({ description: "Beginning of their names, such as `item:`." }),
        description: z.string().optional().meta({ description: "Where people find one, for a form." }),
      })
      .optional()
      .meta({ description: "Secrets that people name themselves, as many as there are; omitted for none." }),
    authentication: z
      .array(z.strictObject({ method: z.string(), secrets: secretFields }))
      .meta({ description: "The methods of `settings.authentication` with their secrets; empty without a choice." }),
    oauth: z
      .boolean()
      .meta({ description: "Whether connections are authorized by OAuth, for which they have `oauth`." }),
    events: z.array(inboundEventTypeSchema).meta({
      description: "The events that its service sends, by type. With events, each connection has an inbound address.",
    }),
  })
  .meta({ id: "Integration" });

/** Answer of `GET integrations`. */
export const integrationListSchema = z
  .strictObject({ data: z.array(integrationSchema).meta({ description: "By id." }) })
  .meta({ id: "IntegrationList" });

/** Schema of {@link ListedConnection}. */
export const listedConnectionSchema = connectionSummarySchema
  .extend({
    uses: z.int().min(0).optional().meta({
      description: "Procedures whose default version of the environment or whose draft names it, with `?include=uses`.",
    }),
  })
  .meta({ id: "ListedConnection" });

/** Schema of a page of {@link ListedConnection}. */
export const connectionPageSchema = pageOf(listedConnectionSchema).meta({ id: "ConnectionPage" });
/** Schema of a page of {@link Action}. */
export const actionPageSchema = pageOf(actionSchema).meta({ id: "ActionPage" });

/** Schema of a page of {@link CatalogueAction}. */
export const catalogueActionPageSchema = pageOf(catalogueActionSchema).meta({ id: "CatalogueActionPage" });

/** Schema of the query of `GET connections`. */
export const listConnectionsQuerySchema = pageQuerySchema.extend({ include: z.literal("uses").optional() });

/** Schema of the query of `GET connections/:id`. */
export const getConnectionQuerySchema = scopeQuerySchema.extend({ include: z.literal("spec").optional() });

/** Query of a change that procedures may not survive. */
export const changeConnectionQuerySchema = scopeQuerySchema.extend({
  force: z
    .enum(["true", "false"])
    .optional()
    .meta({ description: "`true`: also when published versions call the connection, whose calls then fail." }),
});

/** Schema of {@link ListActionsQuery}. */
export const listActionsQuerySchema = pageQuerySchema.extend({
  search: z.string().min(1).max(200).optional().meta({ description: "Words of the name, path or description." }),
});

/** Schema of {@link CatalogueActionsQuery}. */
export const catalogueActionsQuerySchema = listActionsQuerySchema.extend({
  connection: connectionNameSchema.optional().meta({ description: "Name of the only connection to list." }),
});

/** Body of `POST connections`, as a caller writes it. */
export type CreateConnectionRequest = z.input<typeof createConnectionRequestSchema>;
/** {@link CreateConnectionRequest} after parsing, with its defaults. */
export type ParsedCreateConnectionRequest = z.infer<typeof createConnectionRequestSchema>;
/** Body of `PATCH connections/:id`. An omitted setting or secret stays; `null` removes it. */
export type UpdateConnectionRequest = z.infer<typeof updateConnectionRequestSchema>;
/** Body of `POST connections/:id/preview`, which saves nothing. */
export type PreviewChangeRequest = z.infer<typeof previewChangeRequestSchema>;
/** Answer of `POST connections/:id/preview`: the changes that an update would make. */
export type ChangePreview = z.infer<typeof changePreviewSchema>;
/** The state of a connection after its last call or test. */
export type ConnectionHealth = z.infer<typeof connectionHealthSchema>;
/** A procedure whose tool calls name a connection, with the ids of those nodes. */
export type ConnectionUse = z.infer<typeof connectionUseSchema>;
/** A connection as other answers show it. */
export type ConnectionSummary = z.infer<typeof connectionSummarySchema>;
/** A connection as `GET connections` lists it. */
export type ListedConnection = z.infer<typeof listedConnectionSchema>;
/** Answer of `GET connections/:id`. Secrets are named, never shown. */
export type Connection = z.infer<typeof connectionSchema>;
/** Answer of `POST connections`: of a private connection, the only one that shows its tokens. */
export type CreatedConnection = z.infer<typeof createdConnectionSchema>;
/** The differences between a connection's actions before and after an update, and the procedures that they concern. */
export type ConnectionChanges = z.infer<typeof connectionChangesSchema>;
/** Answer of `PATCH connections/:id`, with the changes of its actions. */
export type UpdatedConnection = z.infer<typeof updatedConnectionSchema>;
/** Answer of `POST connections/:id/test`. A test that failed is an answer with status 200 as well. */
export type ConnectionTest = z.infer<typeof connectionTestSchema>;
/**
 * An action of a connection, as a Tool Call node can call it: its name, JSON Schemas of arguments and result, and its
 * effect.
 */
export type Action = z.infer<typeof actionSchema>;
/** Query of `GET connections/:id/actions`, as a caller writes it. */
export type ListActionsQuery = z.input<typeof listActionsQuerySchema>;
/** {@link ListActionsQuery} after parsing, with its defaults. */
export type ParsedListActionsQuery = z.infer<typeof listActionsQuerySchema>;
/** An action of the catalogue: its connection, its name and its effect, without its schemas. */
export type CatalogueAction = z.infer<typeof catalogueActionSchema>;
/** Query of `GET actions`, as a caller writes it. */
export type CatalogueActionsQuery = z.input<typeof catalogueActionsQuerySchema>;
/** An integration for which connections can be created, with the settings and secrets that a connection needs. */
export type Integration = z.infer<typeof integrationSchema>;
/** A type of event that the service of an integration sends. */
export type InboundEventType = z.infer<typeof inboundEventTypeSchema>;
/** Answer of `GET integrations`: the integrations of the service and private connections. */
export type IntegrationList = z.infer<typeof integrationListSchema>;
