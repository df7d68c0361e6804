import type { ShownGrant } from "../grants/grants.ts";
import type { OAuthClient } from "../integrations/oauth-client.ts";

/** The authorization of a connection by OAuth, without its tokens. */
export interface ConnectionOAuth extends Partial<Omit<ShownGrant, "status" | "lacksToken" | "scopesAsked">> {
  /** `authorization_code`: a person authorizes the connection. `client_credentials`: its client is authorized. */
  readonly grant: OAuthClient["grant"];
  /**
   * `not_connected`: there are no tokens yet. `needs_authorization`: the authorization has ended, and runs that need it wait
   * until a person authorizes the connection again.
   */
  readonly status: "not_connected" | "connected" | "needs_authorization";
  /** The scopes that its next authorization asks for. */
  readonly scopesAsked: readonly string[];
}

export function shownOAuth({ grant, scopes }: OAuthClient, granted: ShownGrant | undefined): ConnectionOAuth {
  if (granted === undefined) return { grant, status: "not_connected", scopesAsked: scopes };
  const { lacksToken: _lacks, ...shown } = granted;
  return { ...shown, grant, scopesAsked: scopes };
}

/** Whether a person has to authorize the connection before its calls can be made. */
export function needsAuthorization({ grant, status }: ConnectionOAuth): boolean {
  return grant === "authorization_code" && status !== "connected";
}
