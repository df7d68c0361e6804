import {
  connectionOAuthSchema,
  ProcedoError,
  scopeQuerySchema,
  startAuthorizationRequestSchema,
  startedAuthorizationSchema,
  successSchema,
  type ConnectionOAuth,
} from "@procedo/contract";
import type { ConnectionOAuth as Kept } from "@procedo/engine";
import { authorizationUrls } from "../authorization-urls.ts";
import { defineOperation, reply } from "../operation.ts";
import { named } from "./named.ts";
import { noBody } from "./no-body.ts";
import { timestamp } from "./timestamp.ts";

export const startAuthorization = defineOperation({
  id: "startAuthorization",
  method: "POST",
  path: "/api/v1/connections/:connectionId/oauth/start",
  tag: "Connections",
  summary: "Begin the authorization of a connection",
  description:
    "Answers a page of the application, which the person opens in a browser within 10 minutes, once. It leads to the service, " +
    "where the person authorizes the connection, and back to the application.",
  permission: "manage",
  query: scopeQuerySchema,
  body: { schema: startAuthorizationRequestSchema, optional: true },
  answers: { 200: { description: "The page to open.", schema: startedAuthorizationSchema } },
  errors: ["connection_not_found", "not_oauth", "invalid_configuration"],
  handle: async ({ engine, environment, params, principal, body, appUrl }) => {
    const urls = authorizationUrls(appUrl);
    const begun = { environment, ...params, ...named(body), by: principal };
    const { ticket, expiresAtMs } = await engine.authorizations.begin(begun);
    return reply(200, { url: urls.start(ticket), expiresAt: timestamp(expiresAtMs) });
  },
});

export const refreshAuthorization = defineOperation({
  id: "refreshAuthorization",
  method: "POST",
  path: "/api/v1/connections/:connectionId/oauth/refresh",
  tag: "Connections",
  summary: "Renew the tokens of a connection",
  description: "Asks the authorization server for new tokens now. They are renewed in time without it.",
  permission: "manage",
  query: scopeQuerySchema,
  body: noBody,
  answers: { 200: { description: "The authorization as it is now.", schema: connectionOAuthSchema } },
  errors: ["connection_not_found", "not_oauth", "needs_authorization", "oauth_failed"],
  handle: async ({ engine, environment, params, principal, outside }) => {
    const place = { environment, ...params };
    await engine.authorizations.refresh({ ...place, by: principal }, { outside });
    const { oauth } = await engine.connections.get(place);
    // Its settings may have changed since.
    if (oauth === undefined) throw new ProcedoError("not_oauth", "The connection no longer uses OAuth.");
    return reply(200, oauthAnswer(oauth));
  },
});

export const removeAuthorization = defineOperation({
  id: "removeAuthorization",
  method: "DELETE",
  path: "/api/v1/connections/:connectionId/oauth",
  tag: "Connections",
  summary: "Remove the authorization of a connection",
  description:
    "Removes the tokens, and asks the authorization server to revoke them. Runs that need them wait until a person authorizes " +
    "the connection again.",
  permission: "manage",
  query: scopeQuerySchema,
  body: noBody,
  answers: { 200: { description: "The connection has no tokens.", schema: successSchema } },
  errors: ["connection_not_found", "not_oauth"],
  handle: async ({ engine, environment, params, principal, outside }) => {
    await engine.authorizations.revoke({ environment, ...params, by: principal }, { outside });
    return reply(200, { success: true });
  },
});

/** Converts the authorization of a connection to its form in answers. */
export function oauthAnswer(oauth: Kept): ConnectionOAuth {
  const { grant, status, account, scopesAsked, scopesGranted, connectedBy, lastFailure } = oauth;
  const { connectedAtMs, expiresAtMs, refreshedAtMs } = oauth;
  return {
    grant,
    status,
    ...(account !== undefined && { account: { id: account.id, name: account.name } }),
    scopesAsked: [...scopesAsked],
    ...(scopesGranted !== undefined && { scopesGranted: [...scopesGranted] }),
    ...(connectedAtMs !== undefined && { connectedAt: timestamp(connectedAtMs) }),
    ...(connectedBy !== undefined && { connectedBy }),
    ...(expiresAtMs !== undefined && { expiresAt: timestamp(expiresAtMs) }),
    ...(refreshedAtMs !== undefined && { refreshedAt: timestamp(refreshedAtMs) }),
    ...(lastFailure !== undefined && {
      lastFailure: { at: timestamp(lastFailure.atMs), message: lastFailure.message },
    }),
  };
}
