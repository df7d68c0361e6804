import type { JsonObject } from "@procedo/contract";
import type * as OAuthModule from "oauth4webapi";
import type { AuthorizationServer, Client, ClientAuth, TokenEndpointResponse } from "oauth4webapi";
import type { GuardedFetch } from "../egress/guarded-fetch.ts";
import type { OAuthClient } from "../integrations/oauth-client.ts";
import { errorText } from "../ports/log.ts";
import { createRedactor, cutText } from "../secrets/redact.ts";
import type { Tokens } from "./grant-record.ts";

/** The answer of a token endpoint. */
export type TokenAnswer =
  | {
      readonly status: "granted";
      readonly tokens: Tokens;
      /** Lifetime of the access token, in milliseconds; `undefined` if the server named none. */
      readonly lifetimeMs: number | undefined;
      /** The granted scopes; `undefined` if they are those that were asked for. */
      readonly scopes: readonly string[] | undefined;
    }
  /** The server states that the grant is over, or that the code is of no use (`invalid_grant`). */
  | { readonly status: "ended"; readonly message: string }
  /** Anything else: the grant may still be good. */
  | { readonly status: "failed"; readonly message: string };

/** The request for tokens. */
export type TokenRequest =
  | { readonly grant: "client_credentials" }
  | { readonly grant: "refresh_token"; readonly refreshToken: string }
  | {
      readonly grant: "authorization_code";
      /** The parameters of the server's redirect. */
      readonly parameters: URLSearchParams;
      readonly state: string;
      readonly redirectUri: string;
      readonly codeVerifier: string;
    };

/** The server's errors that messages quote: RFC 6749, 4.1.2.1 and 5.2. Any other text of the server stays out. */
const errorCodes: ReadonlySet<string> = new Set([
  ...["access_denied", "invalid_client", "invalid_grant", "invalid_request", "invalid_scope", "server_error"],
  ...["temporarily_unavailable", "unauthorized_client", "unsupported_grant_type", "unsupported_response_type"],
]);

/** Whether messages quote this error of a server. */
export function isKnownError(code: string): boolean {
  return errorCodes.has(code);
}

const maxMessageLength = 300;

/**
 * Asks for tokens. Never rejects: only `invalid_grant` says that a grant is over. An answer that does not follow the standard,
 * an error page and a lost connection leave it as it is.
 *
 * @param fetch reaches allowed addresses only, and ends in time
 */
export async function askForTokens(
  fetch: GuardedFetch,
  client: OAuthClient,
  request: TokenRequest,
): Promise<TokenAnswer> {
  // Loaded by the first request, so that a service without OAuth does not load it.
  const oauth = await import("oauth4webapi");
  const secrets = [client.clientSecret, request.grant === "refresh_token" ? request.refreshToken : undefined];
  const redactor = createRedactor(secrets.filter((secret) => secret !== undefined));
  try {
    return granted(await answerOf(oauth, fetch, client, request));
  } catch (error) {
    const code = errorCodeOf(oauth, error);
    const reason = reasonOf(error, code);
    const message = redactor.cut(reason, maxMessageLength);
    return { status: code === "invalid_grant" ? "ended" : "failed", message };
  }
}

/** Asks the server to revoke a token. Never rejects. Returns why it was not revoked; `undefined` once it is. */
export async function revokeToken(
  fetch: GuardedFetch,
  client: OAuthClient,
  token: string,
): Promise<string | undefined> {
  if (client.revocationUrl === undefined) return undefined;
  const oauth = await import("oauth4webapi");
  const { server, identity, authentication, options } = parts(oauth, fetch, client);
  try {
    const answer = await oauth.revocationRequest(server, identity, authentication, token, options);
    return await oauth.processRevocationResponse(answer);
  } catch (error) {
    const redactor = createRedactor([token, client.clientSecret ?? ""]);
    return redactor.cut(reasonOf(error, errorCodeOf(oauth, error)), maxMessageLength);
  }
}

/** The address at which a person authorizes the connection, with PKCE (RFC 7636) whether the server asks for it or not. */
export async function authorizationAddress(
  client: OAuthClient,
  given: { readonly state: string; readonly codeVerifier: string; readonly redirectUri: string },
): Promise<string> {
  const oauth = await import("oauth4webapi");
  const url = new URL(client.authorizationUrl ?? "");
  const parameters = {
    ...client.parameters,
    response_type: "code",
    client_id: client.clientId,
    redirect_uri: given.redirectUri,
    ...(client.scopes.length > 0 && { scope: client.scopes.join(" ") }),
    state: given.state,
    code_challenge: await oauth.calculatePKCECodeChallenge(given.codeVerifier),
    code_challenge_method: "S256",
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

type OAuth = typeof OAuthModule;

function parts(oauth: OAuth, fetch: GuardedFetch, client: OAuthClient) {
  const { tokenUrl, revocationUrl, issuer, clientId, clientSecret, clientAuthentication } = client;
  const server: AuthorizationServer = {
    issuer: issuer ?? new URL(tokenUrl).origin,
    token_endpoint: tokenUrl,
    ...(revocationUrl !== undefined && { revocation_endpoint: revocationUrl }),
  };
  const identity: Client = { client_id: clientId };
  const authentication: ClientAuth =
    clientSecret === undefined
      ? oauth.None()
      : clientAuthentication === "body"
        ? oauth.ClientSecretPost(clientSecret)
        : oauth.ClientSecretBasic(clientSecret);
  const options = {
    [oauth.customFetch]: (url: string, init: RequestInit) => askStandard(fetch, client, url, init),
    // `checkOAuthClient` accepts plain HTTP on the same machine only.
    [oauth.allowInsecureRequests]: true,
  };
  return { server, identity, authentication, options };
}

/** Sends a request of the protocol. An error that the server answers with 200 is returned with the status of an error. */
async function askStandard(
  fetch: GuardedFetch,
  { errorOf }: OAuthClient,
  url: string,
  { body, headers, method, redirect, signal }: RequestInit,
): Promise<Response> {
  const answer = await fetch(url, {
    ...{ method: method ?? "POST", redirect: redirect ?? "manual" },
    ...(headers !== undefined && { headers }),
    ...(body !== undefined && { body }),
    ...(signal !== undefined && { signal }),
  });
  if (errorOf === undefined || answer.status !== 200) return answer;
  const stated: unknown = await answer
    .clone()
    .json()
    .catch(() => undefined);
  const error = typeof stated === "object" && stated !== null ? errorOf(stated as JsonObject) : undefined;
  return error === undefined ? answer : Response.json({ error }, { status: 400 });
}

async function answerOf(
  oauth: OAuth,
  fetch: GuardedFetch,
  client: OAuthClient,
  request: TokenRequest,
): Promise<TokenEndpointResponse> {
  const { server, identity, authentication, options } = parts(oauth, fetch, client);
  // Some servers name another type of a token that is sent as a bearer token all the same.
  const reading = { recognizedTokenTypes: { bot: () => {} } };
  switch (request.grant) {
    case "client_credentials": {
      const parameters = {
        ...client.parameters,
        ...(client.scopes.length > 0 && { scope: client.scopes.join(" ") }),
      };
      const answer = await oauth.clientCredentialsGrantRequest(server, identity, authentication, parameters, options);
      return await oauth.processClientCredentialsResponse(server, identity, answer, reading);
    }
    case "refresh_token": {
      const { refreshToken } = request;
      const answer = await oauth.refreshTokenGrantRequest(server, identity, authentication, refreshToken, options);
      return await oauth.processRefreshTokenResponse(server, identity, answer, reading);
    }
    case "authorization_code": {
      const { parameters, state, redirectUri, codeVerifier } = request;
      const checked = oauth.validateAuthResponse(server, identity, parameters, state);
      const answer = await oauth.authorizationCodeGrantRequest(
        ...([server, identity, authentication, checked, redirectUri, codeVerifier, options] as const),
      );
      return await oauth.processAuthorizationCodeResponse(server, identity, answer, reading);
    }
  }
}

function granted({
  access_token: access,
  refresh_token: refresh,
  expires_in: seconds,
  scope,
}: TokenEndpointResponse): TokenAnswer {
  const tokens = { access, ...(refresh !== undefined && { refresh }) };
  const scopes = scope?.split(/[ ,]+/).filter((one) => one !== "");
  return { status: "granted", tokens, lifetimeMs: seconds === undefined ? undefined : seconds * 1_000, scopes };
}

function errorCodeOf(oauth: OAuth, error: unknown): string | undefined {
  if (error instanceof oauth.ResponseBodyError || error instanceof oauth.AuthorizationResponseError) return error.error;
  return undefined;
}

/** The library's message, or that of the guarded client. They quote no token, and no text of the server but known codes. */
function reasonOf(error: unknown, code: string | undefined): string {
  if (code !== undefined && errorCodes.has(code)) return `The authorization server answered "${code}".`;
  const cause = error instanceof Error && error.cause instanceof Error ? ` ${errorText(error.cause)}` : "";
  return cutText(`${errorText(error)}${cause}`, maxMessageLength);
}
