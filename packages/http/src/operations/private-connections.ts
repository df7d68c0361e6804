import {
  privateConnectionClientsSchema,
  privateConnectionStatusSchema,
  regeneratedTokenSchema,
  scopeQuerySchema,
  type PrivateConnectionClient,
  type PrivateConnectionStatus,
} from "@procedo/contract";
import { defineOperation, reply } from "../operation.ts";
import type { PolledClient, PrivateConnectionState } from "@procedo/engine";
import { noBody } from "./no-body.ts";
import { timestamp } from "./timestamp.ts";

export const getPrivateConnectionStatus = defineOperation({
  id: "getPrivateConnectionStatus",
  method: "GET",
  path: "/api/v1/connections/:connectionId/private-connection/status",
  tag: "Connections",
  summary: "Get the status of a private connection's clients",
  query: scopeQuerySchema,
  answers: {
    200: { description: "The status of the clients of one environment.", schema: privateConnectionStatusSchema },
  },
  errors: ["connection_not_found"],
  handle: async ({ engine, environment, params }) => {
    return reply(200, privateConnectionAnswer(await engine.privateConnections.status({ environment, ...params })));
  },
});

export const listPrivateConnectionClients = defineOperation({
  id: "listPrivateConnectionClients",
  method: "GET",
  path: "/api/v1/connections/:connectionId/private-connection/clients",
  tag: "Connections",
  summary: "List a private connection's clients",
  description: "The clients of one environment that have polled within the last day, and their functions.",
  query: scopeQuerySchema,
  answers: { 200: { description: "The clients.", schema: privateConnectionClientsSchema } },
  errors: ["connection_not_found"],
  handle: async ({ engine, environment, params, sdkUrl }) => {
    const { clients } = await engine.privateConnections.status({ environment, ...params });
    return reply(200, { sdkUrl, data: clients.map(clientAnswer) });
  },
});

export const regenerateToken = defineOperation({
  id: "regenerateToken",
  method: "POST",
  path: "/api/v1/connections/:connectionId/private-connection/tokens/:environment",
  tag: "Connections",
  summary: "Create or replace a private connection's token",
  description:
    "The first token of an environment makes the connection available to the procedures of that environment. The previous " +
    "token becomes invalid at once, also for open polls. The new token is shown in this answer only.",
  permission: "manage",
  query: scopeQuerySchema,
  body: noBody,
  answers: { 200: { description: "The new token.", schema: regeneratedTokenSchema } },
  errors: ["connection_not_found", "name_taken", "revision_conflict"],
  handle: async ({ engine, environment, params, principal, isAwaited }) => {
    const request = { environment, connectionId: params.connectionId, by: principal };
    return reply(200, await engine.privateConnections.regenerateToken(request, { isAwaited }));
  },
});

/** Converts the state of a private connection's clients to its form in answers. */
export function privateConnectionAnswer(state: PrivateConnectionState): PrivateConnectionStatus {
  const { connected, lastPollAtMs, registeredFunctions } = state;
  return {
    status: connected ? "connected" : "disconnected",
    ...(lastPollAtMs !== undefined && { lastPollAt: timestamp(lastPollAtMs) }),
    registeredFunctions: [...registeredFunctions],
  };
}

function clientAnswer({ clientId, version, lastPollAtMs, functions }: PolledClient): PrivateConnectionClient {
  return {
    clientId,
    ...(version !== undefined && { version }),
    lastPollAt: timestamp(lastPollAtMs),
    functions: [...functions],
  };
}
