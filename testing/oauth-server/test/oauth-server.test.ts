import { createHash, randomBytes } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  createBrowser,
  heldAnswer,
  heldRequest,
  startOAuthServer,
  tokenFaults,
  type Browser,
  type OAuthServer,
  type OAuthServerOptions,
} from "../src/index.ts";

const redirectUri = "http://127.0.0.1:1/oauth/callback";

async function started(options?: OAuthServerOptions): Promise<OAuthServer> {
  const server = await startOAuthServer(options);
  onTestFinished(() => server.stop());
  server.allowRedirect(redirectUri);
  return server;
}

/** A person authorizes the client. Returns the parameters with which the browser comes back, and the code verifier. */
async function authorized(
  server: OAuthServer,
  more: Readonly<Record<string, string>> = {},
  browser: Browser = createBrowser(),
) {
  const verifier = randomBytes(32).toString("base64url");
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const query = new URLSearchParams({
    ...{ client_id: server.client.id, response_type: "code", redirect_uri: redirectUri, state: "a state" },
    ...{ scope: "accounting payments", code_challenge: challenge, code_challenge_method: "S256", ...more },
  });
  const back = await browser.openUntil(`${server.authorizationUrl}?${query.toString()}`, redirectUri);
  return { parameters: new URL(back).searchParams, verifier };
}

async function post(server: OAuthServer, form: Readonly<Record<string, string>>, url = server.tokenUrl) {
  const authorization = `Basic ${btoa(`${server.client.id}:${server.client.secret}`)}`;
  const answer = await fetch(url, { method: "POST", headers: { authorization }, body: new URLSearchParams(form) });
  const text = await answer.text();
  return {
    status: answer.status,
    text,
    json: (text.startsWith("{") ? JSON.parse(text) : {}) as Record<string, string>,
  };
}

/** The tokens of a person's grant. */
async function granted(server: OAuthServer) {
  const { parameters, verifier } = await authorized(server);
  const code = parameters.get("code") ?? "";
  return (
    await post(server, { grant_type: "authorization_code", code, redirect_uri: redirectUri, code_verifier: verifier })
  ).json;
}

const refresh = (server: OAuthServer, token: string | undefined) =>
  post(server, { grant_type: "refresh_token", refresh_token: token ?? "" });

async function accountStatus(server: OAuthServer, token: string | undefined): Promise<number> {
  return (await fetch(server.accountUrl, { headers: { authorization: `Bearer ${token}` } })).status;
}

describe("the authorization server", () => {
  test("sends the browser back with a code, the state and its issuer", async () => {
    const server = await started();
    const { parameters } = await authorized(server);
    expect(Object.fromEntries(parameters)).toEqual({
      ...{ code: expect.any(String), state: "a state", iss: server.issuer },
    });
  });

  test("issues tokens for the account that signed in", async () => {
    const server = await started({ accessTokenSeconds: 600 });
    const tokens = await granted(server);
    expect(tokens).toMatchObject({ token_type: "Bearer", expires_in: 600, scope: "accounting payments" });
    expect(await server.accountOf(tokens["access_token"] ?? "")).toEqual({ id: "org-1", name: "Harbour Bakery" });
    expect(server.requests.map(({ kind }) => kind)).toEqual(["authorization", "authorization_code"]);
  });

  test("signs each authorization in anew, with the account of that time", async () => {
    const server = await started();
    const first = await granted(server);
    server.account = { id: "org-2", name: "North Mill" };
    const second = await granted(server);
    expect(await server.accountOf(first["access_token"] ?? "")).toMatchObject({ id: "org-1" });
    expect(await server.accountOf(second["access_token"] ?? "")).toMatchObject({ id: "org-2" });
  });

  test("authorizes in several tabs of one browser at once", async () => {
    const server = await started();
    const browser = createBrowser();
    const tabs = await Promise.all([authorized(server, {}, browser), authorized(server, {}, browser)]);
    expect(tabs.map(({ parameters }) => parameters.has("code"))).toEqual([true, true]);
  });

  test("sends the browser back with access_denied for a person who declines", async () => {
    const server = await started();
    server.account = undefined;
    const { parameters } = await authorized(server);
    expect(parameters.get("error")).toBe("access_denied");
  });

  test("grants the scopes that the person grants", async () => {
    const server = await started();
    server.grantedScopes = ["accounting"];
    expect(await granted(server)).toMatchObject({ scope: "accounting" });
  });

  test("refuses an authorization without a challenge, and a code with another verifier", async () => {
    const server = await started();
    const { parameters } = await authorized(server, { code_challenge: "", code_challenge_method: "" });
    expect(parameters.get("error")).toBe("invalid_request");
    const { parameters: other } = await authorized(server);
    const form = { grant_type: "authorization_code", code: other.get("code") ?? "", redirect_uri: redirectUri };
    const verifier = randomBytes(32).toString("base64url");
    expect((await post(server, { ...form, code_verifier: verifier })).json).toMatchObject({ error: "invalid_grant" });
  });

  test("rotates refresh tokens, and ends the grant of one that is used twice", async () => {
    const server = await started();
    const first = await granted(server);
    const second = (await refresh(server, first["refresh_token"])).json;
    expect(second["refresh_token"]).not.toBe(first["refresh_token"]);
    expect((await refresh(server, first["refresh_token"])).json).toMatchObject({ error: "invalid_grant" });
    expect((await refresh(server, second["refresh_token"])).json).toMatchObject({ error: "invalid_grant" });
    expect(await accountStatus(server, second["access_token"])).toBe(401);
  });

  test("accepts a refresh token again where reuse is accepted", async () => {
    const server = await started();
    server.isReuseAccepted = true;
    const { refresh_token: first } = await granted(server);
    expect((await refresh(server, first)).status).toBe(200);
    expect((await refresh(server, first)).status).toBe(200);
  });

  test("issues tokens to the client itself", async () => {
    const server = await started();
    const { json } = await post(server, { grant_type: "client_credentials", scope: "payments" });
    expect(json).toMatchObject({ token_type: "Bearer", expires_in: 1_800, scope: "payments" });
    expect(json).not.toHaveProperty("refresh_token");
  });

  test("revokes a refresh token with its access token", async () => {
    const server = await started();
    const tokens = await granted(server);
    await post(server, { token: tokens["refresh_token"] ?? "" }, server.revocationUrl);
    expect((await refresh(server, tokens["refresh_token"])).json).toMatchObject({ error: "invalid_grant" });
    expect(await accountStatus(server, tokens["access_token"])).toBe(401);
    expect(server.count("revocation")).toBe(1);
  });

  test("ends access tokens, and the grants of an account", async () => {
    const server = await started();
    const tokens = await granted(server);
    expect(await accountStatus(server, tokens["access_token"])).toBe(200);
    server.endAccessTokens();
    expect(await accountStatus(server, tokens["access_token"])).toBe(401);
    const renewed = (await refresh(server, tokens["refresh_token"])).json;
    expect(await accountStatus(server, renewed["access_token"])).toBe(200);
    server.revoke({ id: "org-1" });
    expect((await refresh(server, renewed["refresh_token"])).json).toMatchObject({ error: "invalid_grant" });
  });

  test("reads the client's secret from the body where it is sent there", async () => {
    const server = await started({ clientAuthentication: "body" });
    const { id: client_id, secret: client_secret } = server.client;
    const form = new URLSearchParams({ grant_type: "client_credentials", client_id, client_secret });
    expect((await fetch(server.tokenUrl, { method: "POST", body: form })).status).toBe(200);
  });
});

describe("faults of the token endpoint", () => {
  test.for([
    ["internalError", 500, "Internal Server Error"],
    ["unavailable", 503, "Service Unavailable"],
    ["htmlUnauthorized", 401, "Please log in"],
    ["empty", 200, ""],
    ["invalidGrant", 400, "invalid_grant"],
    ["negativeLifetime", 200, '"expires_in":-5'],
  ] as const)("%s answers %i", async ([name, status, part]) => {
    const server = await started();
    server.failTokens(tokenFaults[name], 1);
    const failed = await post(server, { grant_type: "client_credentials" });
    expect(failed.status).toBe(status);
    expect(failed.text).toContain(part);
    expect((await post(server, { grant_type: "client_credentials" })).json["expires_in"]).toBe(1_800);
    expect(server.count("client_credentials")).toBe(2);
  });

  test("a lost answer has rotated the refresh token, a lost request has not", async () => {
    const server = await started();
    const { refresh_token: first } = await granted(server);
    server.failTokens(tokenFaults.requestLost);
    await expect(refresh(server, first)).rejects.toThrow("fetch failed");
    server.failTokens(tokenFaults.answerLost);
    await expect(refresh(server, first)).rejects.toThrow("fetch failed");
    server.mend();
    expect((await refresh(server, first)).json).toMatchObject({ error: "invalid_grant" });
  });

  test("a held request rotates late, a held answer has rotated before", async () => {
    const server = await started();
    const { refresh_token: first } = await granted(server);
    const request = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    server.failTokens(heldRequest(request.promise), 1);
    const late = refresh(server, first);
    await expect.poll(() => server.count("refresh_token")).toBe(1);
    server.failTokens(heldAnswer(answer.promise), 1);
    const early = refresh(server, first);
    await expect.poll(() => server.count("refresh_token")).toBe(2);
    answer.resolve();
    expect((await early).status).toBe(200);
    request.resolve();
    expect((await late).json).toMatchObject({ error: "invalid_grant" });
  });
});
