import type { ApiAuthentication } from "@procedo/contract";
import type { OAuthClient, Secrets } from "@procedo/engine";
import type { KeptSettings } from "./kept-settings.ts";

/**
 * The OAuth client of a connection; `undefined` for another authentication. Its tokens are sent to the origin of the base
 * URL only, and to no origin while a change of it is not confirmed.
 */
export function oauthClient(
  { authentication, baseUrl }: Pick<KeptSettings, "authentication" | "baseUrl">,
  { clientSecret }: Secrets,
): OAuthClient | undefined {
  const grant = grants.get(authentication.method);
  if (grant === undefined) return undefined;
  const { method: _method, ...settings } = authentication;
  return {
    scopes: [],
    // Stored as JSON, so that no member is undefined.
    ...(settings as Omit<OAuthClient, "grant" | "scopes" | "origins">),
    grant,
    origins: baseUrl === undefined ? [] : [new URL(baseUrl).origin],
    ...(clientSecret !== undefined && { clientSecret }),
  };
}

const grants: ReadonlyMap<ApiAuthentication["method"], OAuthClient["grant"]> = new Map([
  ["oauth2", "authorization_code"],
  ["client_credentials", "client_credentials"],
]);
