import {
  changeConnectionQuerySchema,
  changePreviewSchema,
  connectionPageSchema,
  connectionSchema,
  createConnectionRequestSchema,
  createdConnectionSchema,
  getConnectionQuerySchema,
  listConnectionsQuerySchema,
  maxConnectionRequestBytes,
  previewChangeRequestSchema,
  scopeQuerySchema,
  successSchema,
  updateConnectionRequestSchema,
  updatedConnectionSchema,
  type Connection,
  type ConnectionSummary,
  type Environment,
  type ListedConnection,
  type UpdatedConnection,
} from "@procedo/contract";
import type { ChangedConnection, ConnectionUse, Connection as Kept } from "@procedo/engine";
import { defineOperation, reply } from "../operation.ts";
import type { Call } from "../operation-calls.ts";
import { oauthAnswer } from "./connection-oauth.ts";
import { inboundAnswer } from "./inbound-answer.ts";
import { named } from "./named.ts";
import { noBody } from "./no-body.ts";
import { pageAnswer, pageRequest } from "./page.ts";
import { timestamp } from "./timestamp.ts";

export const listConnections = defineOperation({
  id: "listConnections",
  method: "GET",
  path: "/api/v1/connections",
  tag: "Connections",
  summary: "List connections",
  query: listConnectionsQuerySchema,
  heavy: ({ include }) => include === "uses",
  answers: { 200: { description: "One page of connections.", schema: connectionPageSchema } },
  errors: ["invalid_cursor"],
  handle: async ({ engine, environment, query }) => {
    const page = await engine.connections.list({ environment, ...pageRequest(query) });
    const counts = query.include === "uses" ? await engine.connections.useCounts({ environment }) : undefined;
    const listed = page.items.map((connection): ListedConnection => {
      const uses = isFoundIn(environment, connection) ? (counts?.get(connection.name) ?? 0) : 0;
      return { ...connectionSummary(connection), ...(counts !== undefined && { uses }) };
    });
    return reply(200, pageAnswer(page, listed));
  },
});

export const createConnection = defineOperation({
  id: "createConnection",
  method: "POST",
  path: "/api/v1/connections",
  tag: "Connections",
  summary: "Create a connection",
  description:
    "A document given by its URL is fetched once, during this request. The body may have up to 25 MiB. For a private " +
    "connection, the answer shows a token for each environment that the caller may manage: a key gets the one of its own " +
    "environment.",
  permission: "manage",
  query: scopeQuerySchema,
  body: { schema: createConnectionRequestSchema, maxBytes: maxConnectionRequestBytes },
  answers: { 201: { description: "The connection, without its secrets.", schema: createdConnectionSchema } },
  errors: [
    "invalid_input",
    "invalid_document",
    "destination_not_allowed",
    "credentials_of_other_environment",
    "name_taken",
  ],
  handle: async ({ engine, environment: own, principal, body, outside, isAwaited, inboundUrl }) => {
    const creating = engine.connections.create({ ...named(body), by: principal }, { outside, isAwaited });
    const { problems, tokens, ...created } = await creating;
    const { environment = own, connectionId } = created;
    const usedBy = await engine.connections.usedBy({ environment, connectionId });
    return reply(201, {
      ...connectionAnswer(created, { usedBy, inboundUrl }),
      ...(tokens !== undefined && { tokens }),
      ...(problems.length > 0 && { problems: [...problems] }),
    });
  },
});

export const getConnection = defineOperation({
  id: "getConnection",
  method: "GET",
  path: "/api/v1/connections/:connectionId",
  tag: "Connections",
  summary: "Get a connection",
  query: getConnectionQuerySchema,
  heavy: ({ include }) => include === "spec",
  answers: { 200: { description: "The connection, without its secrets.", schema: connectionSchema } },
  errors: ["connection_not_found"],
  handle: async ({ engine, environment, params, query, inboundUrl }) => {
    const place = { environment, ...params };
    const connection = await engine.connections.get(place);
    const usedBy = await engine.connections.usedBy(place);
    const spec = query.include === "spec" ? await engine.connections.document(place) : undefined;
    return reply(200, { ...connectionAnswer(connection, { usedBy, inboundUrl }), ...(spec !== undefined && { spec }) });
  },
});

export const updateConnection = defineOperation({
  id: "updateConnection",
  method: "PATCH",
  path: "/api/v1/connections/:connectionId",
  tag: "Connections",
  summary: "Change a connection",
  description:
    "Each named setting or secret is replaced, or removed by `null`. All others stay unchanged. A document that names a " +
    "different server takes effect, but no request is sent until `settings.baseUrl` is set.",
  permission: "manage",
  query: changeConnectionQuerySchema,
  body: { schema: updateConnectionRequestSchema, maxBytes: maxConnectionRequestBytes },
  answers: { 200: { description: "The connection as it is now.", schema: updatedConnectionSchema } },
  errors: [
    "connection_not_found",
    "invalid_input",
    "invalid_document",
    "destination_not_allowed",
    "credentials_of_other_environment",
    "name_taken",
    "connection_in_use",
    "revision_conflict",
  ],
  handle: async ({ engine, environment, params, principal, query, body, outside, inboundUrl }) => {
    const place = { environment, ...params };
    const changes = { ...place, ...named(body), force: query.force === "true", by: principal };
    const changed = await engine.connections.update(changes, { outside });
    return reply(200, {
      ...connectionAnswer(changed, { usedBy: await engine.connections.usedBy(place), inboundUrl }),
      ...changesAnswer(changed),
    });
  },
});

export const previewChange = defineOperation({
  id: "previewChange",
  method: "POST",
  onlyReads: true,
  path: "/api/v1/connections/:connectionId/preview",
  tag: "Connections",
  summary: "Preview a change of a connection",
  description:
    "The changes of its actions that an update would make, and the procedures that they concern. Nothing is saved. A " +
    "document given by its URL is fetched, and fetched again by the update.",
  permission: "manage",
  query: scopeQuerySchema,
  body: { schema: previewChangeRequestSchema, maxBytes: maxConnectionRequestBytes },
  answers: { 200: { description: "The consequences of the update.", schema: changePreviewSchema } },
  errors: [
    "connection_not_found",
    "invalid_input",
    "invalid_document",
    "destination_not_allowed",
    "credentials_of_other_environment",
  ],
  handle: async ({ engine, environment, params, principal, body, outside }) => {
    const changes = { environment, ...params, ...named(body), by: principal };
    const { unconfirmedBaseUrl, ...preview } = await engine.connections.previewChange(changes, { outside });
    return reply(200, { ...changesAnswer(preview), ...named({ unconfirmedBaseUrl }) });
  },
});

export const deleteConnection = defineOperation({
  id: "deleteConnection",
  method: "DELETE",
  path: "/api/v1/connections/:connectionId",
  tag: "Connections",
  summary: "Delete a connection",
  description:
    "Deleting a private connection with tokens in both environments requires permission to manage both environments.",
  permission: "manage",
  query: changeConnectionQuerySchema,
  body: noBody,
  answers: { 200: { description: "The connection is deleted.", schema: successSchema } },
  errors: ["connection_not_found", "connection_in_use", "revision_conflict"],
  handle: async ({ engine, environment, params, principal, query }) => {
    await engine.connections.remove({ environment, ...params, force: query.force === "true", by: principal });
    return reply(200, { success: true });
  },
});

/** Whether calls in the environment find the connection by its name. */
function isFoundIn(environment: Environment, { tokenEnvironments }: Kept): boolean {
  return tokenEnvironments?.includes(environment) !== false;
}

/** Converts a connection to its form in lists. */
export function connectionSummary({
  connectionId,
  name,
  integration,
  environment,
  health,
  oauth,
  tokenEnvironments,
  createdBy,
  createdAtMs,
  updatedAtMs,
}: Kept): ConnectionSummary {
  const { status, checkedAtMs, message } = health;
  return {
    id: connectionId,
    name,
    integration,
    environment,
    health: {
      status,
      ...(checkedAtMs !== undefined && { checkedAt: timestamp(checkedAtMs) }),
      ...(message !== undefined && { message }),
    },
    ...(oauth !== undefined && { oauth: oauthAnswer(oauth) }),
    ...(tokenEnvironments !== undefined && { tokenEnvironments: [...tokenEnvironments] }),
    createdBy,
    createdAt: timestamp(createdAtMs),
    updatedAt: timestamp(updatedAtMs),
  };
}

/** Converts a connection to its full form, without secrets. */
export function connectionAnswer(
  connection: Kept,
  { usedBy, inboundUrl }: { readonly usedBy: readonly ConnectionUse[]; readonly inboundUrl: Call["inboundUrl"] },
): Connection {
  const { settings, secretNames, inbound } = connection;
  return {
    ...connectionSummary(connection),
    settings,
    secretNames: [...secretNames],
    usedBy: usedBy.map(useAnswer),
    ...(inbound !== undefined && { inbound: { ...inboundAnswer(inbound, inboundUrl), events: [...inbound.events] } }),
  };
}

/** Converts the effects of a change on a connection's actions. */
export function changesAnswer({
  problems,
  changes,
}: Pick<ChangedConnection, "problems" | "changes">): Pick<UpdatedConnection, "problems" | "changes"> {
  return {
    ...(problems.length > 0 && { problems: [...problems] }),
    ...(changes !== undefined && {
      changes: {
        added: [...changes.added],
        changed: [...changes.changed],
        deprecated: [...changes.deprecated],
        renamed: [...changes.renamed],
        removed: [...changes.removed],
        usedBy: changes.usedBy.map(useAnswer),
      },
    }),
  };
}

function useAnswer({ procedureId, version, calls }: ConnectionUse): Connection["usedBy"][number] {
  const nodeIds = calls.map(({ nodeId }) => nodeId);
  return { procedureId, ...(version !== undefined && { version }), nodeIds };
}
