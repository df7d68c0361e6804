/*
 * Authorizes connections by OAuth, in a person's browser.
 *
 *   pending-authorization.ts   authorizations in progress
 *   return-path.ts             the path to return to
 *   oauth-connection.ts        a connection that uses OAuth
 *   finish-authorization.ts    what the authorization server's redirect leads to
 *   still-may.ts               whether its person still may, minutes after it began
 *   keep-alive.ts              uses refresh tokens that would lapse
 */
import { ProcedoError } from "@procedo/contract";
import { actor, authorize, refuseRevoked, type Principal } from "../access/principal.ts";
import { digestOf, newRawToken } from "../access/raw-token.ts";
import {
  connectionBody,
  connectionKind,
  connectionNotFound,
  isIn,
  type ConnectionPlace,
} from "../connections/connection-record.ts";
import { oauthClientOf } from "../connections/oauth-client-of.ts";
import type { Outside, OutsideOptions } from "../egress/outside.ts";
import { whileOutside } from "../egress/outside.ts";
import { digestOfClient } from "../grants/grant-record.ts";
import { authorizationAddress } from "../grants/token-endpoint.ts";
import {
  finishAuthorization,
  mayNotAnyMore,
  type FinishedAuthorization,
  type Redirected,
} from "./finish-authorization.ts";
import { createKeepAlive, type KeepAlive } from "./keep-alive.ts";
import type { AuthorizationPorts, OAuthConnection } from "./oauth-connection.ts";
import { createPendingAuthorizations } from "./pending-authorization.ts";
import { checkReturnPath } from "./return-path.ts";
import { stillMay } from "./still-may.ts";

/** Authorizes connections by OAuth. */
export interface Authorizations {
  /**
   * Begins an authorization. The ticket is for the application's own page, which a person opens in a browser within ten
   * minutes, once.
   *
   * @param request.returnTo path of the application to which the browser returns. @defaultValue a page that says it is done
   * @param request.replace accepts another account than the connection's. @defaultValue false
   * @throws ProcedoError `connection_not_found`; `not_oauth` for a connection that no person authorizes; `invalid_input` for a
   *   path that leaves the application
   */
  begin(
    request: ConnectionPlace & { readonly by: Principal; readonly returnTo?: string; readonly replace?: boolean },
  ): Promise<{ readonly ticket: string; readonly expiresAtMs: number }>;
  /**
   * Uses a ticket. The browser keeps `browser` in a cookie, and is sent to `url`, the authorization server.
   *
   * @param request.redirectUri the address to which the server sends the browser back
   * @throws ProcedoError `oauth_ticket_used` for a ticket that is unknown, used or expired
   */
  open(request: {
    readonly ticket: string;
    readonly redirectUri: string;
  }): Promise<{ readonly url: string; readonly browser: string }>;
  /**
   * Finishes an authorization: exchanges the code, asks for the account, stores the tokens, and wakes the runs that wait.
   *
   * @throws ProcedoError `oauth_state_invalid`, `oauth_denied`, `account_mismatch`, `credentials_of_other_environment`,
   *   `oauth_failed`; in all cases the tokens from before are kept
   */
  finish(request: Redirected, options?: OutsideOptions): Promise<FinishedAuthorization>;
  /**
   * Asks the authorization server for new tokens now.
   *
   * @throws ProcedoError `connection_not_found`, `not_oauth`, `needs_authorization`; `oauth_failed` with the reason
   */
  refresh(request: ConnectionPlace & { readonly by: Principal }, options?: OutsideOptions): Promise<void>;
  /**
   * Removes the connection's tokens and asks the server to revoke them. Runs that need them wait.
   *
   * @throws ProcedoError `connection_not_found`, `not_oauth`
   */
  revoke(request: ConnectionPlace & { readonly by: Principal }, options?: OutsideOptions): Promise<void>;
}

export function createAuthorizations(ports: AuthorizationPorts): {
  readonly authorizations: Authorizations;
  readonly keepAlive: KeepAlive;
} {
  const { storage, workspace, integrations, grants, random } = ports;
  const pending = createPendingAuthorizations(ports);

  const find = async (place: ConnectionPlace): Promise<OAuthConnection> => {
    const { environment, connectionId } = place;
    const row = await storage.records.get({ workspace, kind: connectionKind, id: connectionId });
    if (row === undefined || !isIn(environment, row)) throw connectionNotFound(environment, connectionId);
    const body = connectionBody(row);
    const integration = integrations.get(body.integration);
    const client = oauthClientOf(ports, place, body);
    if (client === undefined || integration === undefined) {
      throw new ProcedoError("not_oauth", `Connection "${body.name}" does not use OAuth. Set its secrets instead.`);
    }
    return { place: { environment, connectionId }, body, client, integration };
  };

  const renewing = async (place: ConnectionPlace, { client, body }: OAuthConnection, outside: Outside | undefined) => {
    const authorization = grants.authorizationOf(place, client, []);
    const before = await authorization.stored();
    const generation = before.status === "ready" ? before.generation : 0;
    const renewed = await whileOutside(outside, () =>
      before.status === "ready" ? authorization.renew(generation) : authorization.ready(),
    );
    if (renewed.status === "needs_authorization") {
      throw new ProcedoError("needs_authorization", `Connection "${body.name}": ${renewed.message}`);
    }
    if (renewed.status === "ready" && renewed.generation > generation) return;
    const shown = await grants.show(place, client);
    const reason = shown?.lastFailure?.message ?? "The authorization server issues no new tokens for this connection.";
    throw new ProcedoError("oauth_failed", `Connection "${body.name}" has no new tokens. ${reason}`);
  };

  const authorizations: Authorizations = {
    begin: async ({ by, returnTo, replace = false, ...place }) => {
      authorize(by, "manage", place.environment);
      const { client, body } = await find(place);
      if (client.grant !== "authorization_code") {
        const message = `Connection "${body.name}" is authorized as a client, without a person.`;
        throw new ProcedoError("not_oauth", message);
      }
      if (returnTo !== undefined) checkReturnPath(returnTo);
      refuseRevoked(by);
      const { connectionId, environment } = place;
      const begun = { connectionId, environment, ...actor(by), replacesAccount: replace };
      return await pending.begin({ ...begun, ...(returnTo !== undefined && { returnTo }) });
    },

    open: async ({ ticket, redirectUri }) => {
      const begun = await pending.takeTicket(ticket);
      if (begun === undefined) {
        const message = "This link was used before, or is older than 10 minutes. Begin the authorization again.";
        throw new ProcedoError("oauth_ticket_used", message);
      }
      const { client } = await find(begun);
      if (!(await stillMay(ports, begun))) throw mayNotAnyMore();
      const browser = newRawToken("oab_", random);
      const codeVerifier = newRawToken("", random);
      const state = await pending.send({
        ...begun,
        client: digestOfClient(client),
        ...{ browser: digestOf(browser), redirectUri, codeVerifier },
      });
      return { url: await authorizationAddress(client, { state, codeVerifier, redirectUri }), browser };
    },

    finish: (redirected, { outside } = {}) => finishAuthorization({ ...ports, pending, find, outside }, redirected),

    refresh: async ({ by, ...place }, { outside } = {}) => {
      authorize(by, "manage", place.environment);
      const connection = await find(place);
      refuseRevoked(by);
      await renewing(connection.place, connection, outside);
    },

    revoke: async ({ by, ...place }, { outside } = {}) => {
      authorize(by, "manage", place.environment);
      const connection = await find(place);
      refuseRevoked(by);
      const subject = `${place.environment}/${place.connectionId}`;
      const fact = { ...actor(by), action: "connection.authorization_removed", subject };
      await whileOutside(outside, () => grants.drop(connection.place, connection.client, fact));
    },
  };
  return { authorizations, keepAlive: createKeepAlive({ ...ports, find }) };
}
