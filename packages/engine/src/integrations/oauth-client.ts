import { ProcedoError, type Environment, type JsonObject, type JsonValue } from "@procedo/contract";
import type { Secrets } from "./secrets-by-name.ts";

/**
 * A client at an authorization server (OAuth 2.0, RFC 6749): how a connection gets its access tokens. A connection with one
 * sends `Authorization: Bearer …` with each request to {@link OAuthClient.origins}; its integration adds no credentials there.
 */
export interface OAuthClient {
  /**
   * `authorization_code`: a person authorizes the connection in a browser, and its tokens are refreshed.
   * `client_credentials`: the client itself is authorized.
   */
  readonly grant: "authorization_code" | "client_credentials";
  /** The server's page for people. Required for `authorization_code`. @defaultValue none */
  readonly authorizationUrl?: string;
  /** The server's token endpoint. */
  readonly tokenUrl: string;
  /** The server's endpoint that revokes tokens (RFC 7009). @defaultValue tokens are not revoked */
  readonly revocationUrl?: string;
  /** The issuer that the server's answers to browsers name (RFC 9207). @defaultValue they name none */
  readonly issuer?: string;
  /** The client's id. */
  readonly clientId: string;
  /** The client's secret. @defaultValue a public client */
  readonly clientSecret?: string;
  /** Where the client's secret is sent: in the `Authorization` header, or in the body. @defaultValue "header" */
  readonly clientAuthentication?: "header" | "body";
  /** The scopes to ask for. */
  readonly scopes: readonly string[];
  /** Further parameters of the authorization request or, for `client_credentials`, of the token request. @defaultValue none */
  readonly parameters?: { readonly [name: string]: string };
  /** The origins to which access tokens are sent, such as `https://api.example.com`. */
  readonly origins: readonly string[];
  /** How long an unused refresh token is valid, in milliseconds; it is used before. @defaultValue unknown */
  readonly refreshTokenTtlMs?: number;
  /**
   * The error of RFC 6749, part 5.2, in an answer with status 200 of a server that does not follow the standard. Pure.
   *
   * @defaultValue an answer with status 200 is no error
   */
  readonly errorOf?: (body: JsonObject) => string | undefined;
  /**
   * The refusal of an access token in an answer of the service's interface whose status is below 500 and not 401. Pure. The
   * request is sent again with another token, so an answer is a refusal only if the service has certainly done nothing.
   *
   * @defaultValue only an answer of 401 refuses a token
   */
  readonly tokenRefusal?: (answer: {
    /** Its HTTP status. */
    readonly status: number;
    /** Its JSON. */
    readonly body: JsonValue;
  }) => TokenRefusal | undefined;
}

/** The verdict of a service that refuses an access token. It has done nothing for the request. */
export type TokenRefusal =
  /** It does not accept this token, as an answer of 401 says. */
  | "refused"
  /** The authorization has ended. A person authorizes the connection again, if a new token is refused in the same way. */
  | "ended";

/** The client of a connection; `undefined` for a connection that needs none. Pure. */
export type OAuthClientOf<Settings = JsonObject, SecretsOf = Secrets> = (connection: {
  readonly environment: Environment;
  readonly settings: Settings;
  readonly secrets: SecretsOf;
}) => OAuthClient | undefined;

/**
 * Checks the endpoints of a client before its connection is saved: HTTPS, or HTTP on the same machine for tests.
 *
 * @throws ProcedoError `invalid_input`
 */
export function checkOAuthClient({ grant, authorizationUrl, tokenUrl, revocationUrl, origins }: OAuthClient): void {
  if (grant === "authorization_code" && authorizationUrl === undefined) throw refused("authorizationUrl", "is missing");
  for (const [name, url] of Object.entries({ authorizationUrl, tokenUrl, revocationUrl })) {
    if (url === undefined) continue;
    const problem = endpointProblem(url);
    if (problem !== undefined) throw refused(name, problem);
  }
  const [origin] = origins.filter((one) => !URL.canParse(one) || new URL(one).origin !== one);
  if (origin !== undefined)
    throw refused("origins", `has "${origin}", which is no origin such as https://api.example.com`);
}

/** RFC 6749, 3.1 and 3.2: endpoints are protected by TLS and have no fragment. */
function endpointProblem(text: string): string | undefined {
  if (!URL.canParse(text)) return "must be a URL";
  const { protocol, hostname, hash, username, password } = new URL(text);
  if (username !== "" || password !== "") return "must not carry credentials";
  if (hash !== "") return "must have no fragment";
  const isLoopback = hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
  return protocol === "https:" || (protocol === "http:" && isLoopback) ? undefined : "must begin with https://";
}

function refused(name: string, problem: string): ProcedoError {
  const details = [{ path: `/settings/${name}`, message: problem }];
  return new ProcedoError("invalid_input", `The OAuth client's ${name} ${problem}.`, { details });
}
