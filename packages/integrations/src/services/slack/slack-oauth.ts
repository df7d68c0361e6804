import type { JsonObject, JsonValue } from "@procedo/contract";
import type { OAuthClient, TokenRefusal } from "@procedo/engine";
import * as z from "zod";
import type { SlackSecrets, SlackSettings } from "./slack-connection.ts";

/** The scopes of the actions. Opening a direct message needs `im:write`. */
const defaultScopes = ["chat:write", "users:read", "users:read.email", "channels:read", "im:write"];

/**
 * The OAuth client of a connection; `undefined` for one with a bot token. Its tokens end only if the app has token rotation
 * turned on.
 *
 * Source: https://docs.slack.dev/authentication/installing-with-oauth
 */
export function slackClient(
  { baseUrl, authorizationUrl }: { readonly baseUrl: string; readonly authorizationUrl: string },
  {
    settings: { clientId, scopes = defaultScopes },
    secrets: { botToken, clientSecret },
  }: { readonly settings: SlackSettings; readonly secrets: SlackSecrets },
): OAuthClient | undefined {
  if (botToken !== undefined || clientId === undefined || clientSecret === undefined) return undefined;
  return {
    grant: "authorization_code",
    authorizationUrl,
    tokenUrl: `${baseUrl}/oauth.v2.access`,
    clientId,
    clientSecret,
    clientAuthentication: "header",
    scopes,
    origins: [new URL(baseUrl).origin],
    errorOf: slackOAuthError,
    tokenRefusal: slackTokenRefusal,
  };
}

/**
 * The error of RFC 6749 in an answer of Slack, which has the status 200 and `ok: false`. `invalid_grant` ends an
 * authorization, so that every error without a clear meaning is another one.
 */
export function slackOAuthError({ ok, error }: JsonObject): string | undefined {
  if (ok !== false) return undefined;
  return (typeof error === "string" ? errors.get(error) : undefined) ?? "invalid_request";
}

/** Slack's errors by those of RFC 6749, part 5.2. */
const meanings = {
  invalid_grant: [
    ...["invalid_refresh_token", "token_revoked", "token_expired", "account_inactive", "invalid_code"],
    ...["code_already_used", "code_expired", "bad_redirect_uri"],
  ],
  invalid_client: ["invalid_client_id", "bad_client_secret", "invalid_client"],
  invalid_scope: ["invalid_scope", "invalid_scope_requested"],
  temporarily_unavailable: [
    "ratelimited",
    "rate_limited",
    "service_unavailable",
    "request_timeout",
    "team_added_to_org",
  ],
  server_error: ["internal_error", "fatal_error"],
};

const errors: ReadonlyMap<string, string> = new Map(
  Object.entries(meanings).flatMap(([meaning, names]) => names.map((name) => [name, meaning] as const)),
);

/**
 * The refusal of an access token in an answer of Slack, which has the status 200 and `ok: false`. Slack looks at the token
 * before it does anything. `invalid_auth` is also Slack's answer to an address that may not use the app, so that it does not
 * prove the end of the authorization.
 *
 * Source: the errors of https://docs.slack.dev/reference/methods/auth.test
 */
export function slackTokenRefusal({ body }: { readonly body: JsonValue }): TokenRefusal | undefined {
  const { ok, error } = failure.safeParse(body).data ?? {};
  return ok === false ? refusals.get(error ?? "") : undefined;
}

const failure = z.looseObject({ ok: z.boolean(), error: z.string() });

const refusals: ReadonlyMap<string, TokenRefusal> = new Map([
  ["invalid_auth", "refused"],
  ["token_expired", "refused"],
  ["token_revoked", "ended"],
  ["account_inactive", "ended"],
]);
