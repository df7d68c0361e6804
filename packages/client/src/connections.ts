import {
  checkOptionNames,
  type ConnectionOAuth,
  connectionOAuthSchema,
  type OptionNames,
  type StartedAuthorization,
  startedAuthorizationSchema,
  successSchema,
} from "@procedo/contract";
import type { CheckedOptions } from "./client-options.ts";
import { pathSegment } from "./request-json.ts";
import type { Service } from "./service.ts";

/** Options of {@link Connections.authorize}. */
export interface AuthorizeOptions {
  /**
   * The path of the application to which the browser returns, such as `/dashboard/connections`.
   *
   * @defaultValue a page that says that the connection is authorized
   */
  readonly returnTo?: string;
  /** Whether another account may replace that of the authorization before. @defaultValue `false` */
  readonly replace?: boolean;
  /** Ends the request early. @defaultValue none */
  readonly signal?: AbortSignal;
}

const authorizeNames = { returnTo: true, replace: true, signal: true } satisfies OptionNames<AuthorizeOptions>;
const signalNames = { signal: true } as const;

/** Authorizes connections of the key's environment by OAuth. Needs a key with the permission `manage`. */
export interface Connections {
  /**
   * Begins an authorization. Send the person's browser to `url`, which works once, until `expiresAt`.
   *
   * @throws ProcedoError `connection_not_found`, `not_oauth`, `permission_denied`; `invalid_input` for a `returnTo` that leaves
   *   the application
   */
  authorize(connectionId: string, options?: AuthorizeOptions): Promise<StartedAuthorization>;
  /**
   * Asks the authorization server for new tokens now. They are renewed in time without it.
   *
   * @throws ProcedoError `connection_not_found`, `not_oauth`, `needs_authorization`, `oauth_failed`, `permission_denied`
   */
  refreshAuthorization(connectionId: string, options?: { readonly signal?: AbortSignal }): Promise<ConnectionOAuth>;
  /**
   * Removes the tokens, and asks the authorization server to revoke them. Runs that need them wait.
   *
   * @throws ProcedoError `connection_not_found`, `not_oauth`, `permission_denied`
   */
  removeAuthorization(connectionId: string, options?: { readonly signal?: AbortSignal }): Promise<void>;
}

export function createConnections(service: Service, { apiUrl }: CheckedOptions): Connections {
  const oauth = (connectionId: string): string =>
    `${apiUrl}/connections/${pathSegment("connection id", connectionId)}/oauth`;
  return {
    authorize: async (connectionId, given = {}) => {
      checkOptionNames("connections.authorize", authorizeNames, given);
      const { signal, ...json } = given;
      const url = `${oauth(connectionId)}/start`;
      return service({ method: "POST", url, json, signal }, startedAuthorizationSchema);
    },
    refreshAuthorization: async (connectionId, given = {}) => {
      checkOptionNames("connections.refreshAuthorization", signalNames, given);
      const url = `${oauth(connectionId)}/refresh`;
      return service({ method: "POST", url, signal: given.signal }, connectionOAuthSchema);
    },
    removeAuthorization: async (connectionId, given = {}) => {
      checkOptionNames("connections.removeAuthorization", signalNames, given);
      await service({ method: "DELETE", url: oauth(connectionId), signal: given.signal }, successSchema);
    },
  };
}
