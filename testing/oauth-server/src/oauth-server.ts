import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type Provider from "oidc-provider";
import { createIssuedRecords } from "./issued-records.ts";
import { createProvider, signInPath } from "./provider.ts";
import type { TokenAnswer, TokenFault } from "./token-faults.ts";

export interface OAuthServerOptions {
  /** The scopes that the server knows. @defaultValue accounting, payments */
  readonly scopes?: readonly string[];
  /** Lifetime of access tokens. @defaultValue 1800 */
  readonly accessTokenSeconds?: number;
  /** Lifetime of refresh tokens and of grants. @defaultValue 5184000, which is 60 days */
  readonly refreshTokenSeconds?: number;
  /** Lifetime of authorization codes. @defaultValue 60 */
  readonly codeSeconds?: number;
  /** How the client authenticates at the token endpoint. @defaultValue "header" */
  readonly clientAuthentication?: "header" | "body";
}

/** An account at the service, as `GET accountUrl` answers it. */
export interface ServerAccount {
  readonly id: string;
  readonly name: string;
}

/** A request that arrived, before any fault. */
export interface OAuthRequest {
  /** `token` requests are told apart by their grant. */
  readonly kind:
    "authorization" | "authorization_code" | "refresh_token" | "client_credentials" | "revocation" | "account";
  /** The parameters of its query or of its form. */
  readonly parameters: URLSearchParams;
}

/** An authorization server on loopback. */
export interface OAuthServer {
  readonly issuer: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
  readonly revocationUrl: string;
  /** The address of the service's API that answers the {@link ServerAccount} of an access token, or 401. */
  readonly accountUrl: string;
  readonly client: { readonly id: string; readonly secret: string };
  /** Registers an address to which the server sends browsers back. */
  allowRedirect(redirectUri: string): void;

  /** The account that signs in next; `undefined` for a person who declines. */
  account: ServerAccount | undefined;
  /** The scopes that the person grants of those that are asked for; `undefined` for all. */
  grantedScopes: readonly string[] | undefined;

  /** All requests that arrived, in order. */
  readonly requests: readonly OAuthRequest[];
  /** Number of the requests of a kind that arrived. */
  count(kind: OAuthRequest["kind"]): number;

  /** Makes the next token requests fail. @param times @defaultValue until `mend` */
  failTokens(fault: TokenFault, times?: number): void;
  /** Ends the faults. */
  mend(): void;
  /** Whether a refresh token stays good after it was exchanged. If not, its second use ends the grant. @defaultValue false */
  isReuseAccepted: boolean;
  /** Ends all access tokens before their time; refresh tokens stay good. */
  endAccessTokens(): void;
  /** Ends the grants of an account with all tokens, as a person does at the service. */
  revoke(account: Pick<ServerAccount, "id">): void;
  /** The account of an access token; `undefined` for a token that is not good. */
  accountOf(accessToken: string): Promise<ServerAccount | undefined>;

  stop(): Promise<void>;
}

const client = { id: "procedo", secret: "client-secret-of-tests-4711" } as const;

/**
 * Starts an authorization server on a free port: authorization code with PKCE (S256 is required) and `iss`, refresh tokens
 * that rotate, client credentials and revocation. A browser that it sends to its page of sign-ins comes back signed in as
 * {@link OAuthServer.account} and with its consent.
 *
 * @example
 * ```ts
 * const server = await startOAuthServer();
 * onTestFinished(() => server.stop());
 * server.allowRedirect(`${appUrl}/oauth/callback`);
 * server.failTokens(tokenFaults.answerLost, 1);
 * const page = await createBrowser().open(url);
 * expect(server.count("refresh_token")).toBe(1);
 * ```
 */
export async function startOAuthServer(options: OAuthServerOptions = {}): Promise<OAuthServer> {
  const { scopes = ["accounting", "payments"], accessTokenSeconds = 1_800, refreshTokenSeconds = 5_184_000 } = options;
  const { codeSeconds = 60, clientAuthentication = "header" } = options;
  const http = createServer((request, response) => void serve(request, response));
  const issuer = await listen(http);
  const redirectUris = new Set<string>();
  const accounts = new Map<string, ServerAccount>();
  const requests: OAuthRequest[] = [];
  let faults: { readonly fault: TokenFault; left: number } | undefined;

  const records = createIssuedRecords({
    clientOf: (id) => {
      if (id !== client.id) return undefined;
      return {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [...redirectUris],
        grant_types: ["authorization_code", "refresh_token", "client_credentials"],
        token_endpoint_auth_method: clientAuthentication === "header" ? "client_secret_basic" : "client_secret_post",
        scope: scopes.join(" "),
      };
    },
    isReuseAccepted: () => server.isReuseAccepted,
  });
  const isGranted = (scope: string): boolean => server.grantedScopes?.includes(scope) ?? true;
  const lifetimes = { accessTokenSeconds, refreshTokenSeconds, codeSeconds };
  const provider = createProvider({ issuer, records, scopes, isGranted, ...lifetimes });
  const handle = provider.callback();
  // The endpoints for clients are reached through the proxy that is this server's own.
  const behind = createServer((request, response) => void handle(request, response));
  const behindUrl = await listen(behind);

  const server: OAuthServer = {
    issuer,
    authorizationUrl: `${issuer}/auth`,
    tokenUrl: `${issuer}/token`,
    revocationUrl: `${issuer}/token/revocation`,
    accountUrl: `${issuer}/account`,
    client,
    allowRedirect: (redirectUri) => void redirectUris.add(redirectUri),
    account: { id: "org-1", name: "Harbour Bakery" },
    grantedScopes: undefined,
    requests,
    count: (kind) => requests.filter((request) => request.kind === kind).length,
    failTokens: (fault, times = Infinity) => void (faults = { fault, left: times }),
    mend: () => void (faults = undefined),
    isReuseAccepted: false,
    endAccessTokens: () => records.remove("AccessToken"),
    revoke: ({ id }) => records.removeGrantsOf(id),
    accountOf: async (accessToken) => {
      const token = await provider.AccessToken.find(accessToken);
      return token?.isValid === true ? accounts.get(token.accountId) : undefined;
    },
    stop: async () => {
      for (const one of [http, behind]) {
        one.closeAllConnections();
        one.close();
      }
    },
  };

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams: parameters } = new URL(request.url ?? "/", issuer);
    if (pathname === "/token" || pathname === "/token/revocation") {
      return await proxy(pathname, request, response);
    }
    if (pathname === "/account") {
      requests.push({ kind: "account", parameters });
      return await answerAccount(request, response);
    }
    // Each authorization signs in anew: the provider's session would keep the account from before.
    const { cookie = "" } = request.headers;
    request.headers.cookie = cookie.replace(/(?:^|; )_session[^;]*/g, "").replace(/^; /, "");
    if (pathname.startsWith(signInPath)) return await signIn(provider, request, response);
    if (pathname === "/auth") requests.push({ kind: "authorization", parameters });
    await handle(request, response);
  }

  async function proxy(path: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = await text(request);
    const parameters = new URLSearchParams(form);
    const isToken = path === "/token";
    requests.push({ kind: isToken ? grantOf(parameters) : "revocation", parameters });
    const forward = async (): Promise<TokenAnswer> => {
      const { authorization = "" } = request.headers;
      const contentType = request.headers["content-type"] ?? "";
      const headers = { "content-type": contentType, ...(authorization !== "" && { authorization }) };
      const answer = await fetch(behindUrl + path, { method: "POST", headers, body: form });
      const type = answer.headers.get("content-type") ?? "";
      return { status: answer.status, contentType: type, body: await answer.text() };
    };
    const fault = isToken && faults !== undefined && faults.left-- > 0 ? faults.fault : forward;
    const answer = await fault(forward);
    if (answer === undefined) return void request.socket.destroy();
    response.writeHead(answer.status, { "content-type": answer.contentType, "cache-control": "no-store" });
    response.end(answer.body);
  }

  async function answerAccount(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, token = ""] = /^Bearer (.+)$/.exec(request.headers.authorization ?? "") ?? [];
    const account = await server.accountOf(token);
    response.writeHead(account === undefined ? 401 : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(account ?? { error: "invalid_token" }));
  }

  async function signIn(real: Provider, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { account } = server;
    if (account !== undefined) accounts.set(account.id, account);
    const result = account === undefined ? { error: "access_denied" } : { login: { accountId: account.id } };
    await real.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }

  return server;
}

async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function grantOf(form: URLSearchParams): OAuthRequest["kind"] {
  const grant = form.get("grant_type");
  return grant === "refresh_token" || grant === "client_credentials" ? grant : "authorization_code";
}
