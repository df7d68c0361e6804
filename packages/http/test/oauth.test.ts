import { createBrowser, tokenFaults, type Browser, type Page } from "@procedo-testing/oauth-server";
import { integrationListSchema, startedAuthorizationSchema } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { createOAuthService, type OAuthService } from "./oauth-service.ts";

const booksAccount = { id: "org-1", name: "Harbour Bakery" };

/** Authorizes a connection in a new browser. */
async function authorized(service: OAuthService, connectionId: string, body = {}): Promise<Page> {
  return await createBrowser().open(await service.start(connectionId, body));
}

/** Follows the authorization until the server sends the browser back, and returns that address. */
async function untilCallback(service: OAuthService, browser: Browser, connectionId: string): Promise<URL> {
  return new URL(await browser.openUntil(await service.start(connectionId), `${service.appUrl}/oauth/callback`));
}

/** Checks the page of an error: its status and code, and nothing that a browser could run or load. */
function expectFailure(page: Page, status: number, code: string): void {
  expect([page.status, page.headers.get("content-type")], page.text).toEqual([status, "text/html; charset=utf-8"]);
  const requestId = page.headers.get("x-request-id") ?? "";
  expect(requestId).toMatch(/^req_/);
  expect(page.text).toContain(`Status ${status}, code ${code}, request ${requestId}`);
  expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src 'sha256-/);
  expect(page.headers.get("referrer-policy")).toBe("no-referrer");
  expect(page.headers.get("cache-control")).toBe("no-store");
  expect(page.text).not.toContain("<script");
}

describe("a person authorizes a connection", () => {
  test("at its service, and sees the account on a page of the application", async () => {
    const service = await createOAuthService();
    const id = await service.connect("Bakery");
    expect(await service.get(id)).toMatchObject({
      health: { status: "needs_authorization" },
      oauth: { grant: "authorization_code", status: "not_connected", scopesAsked: ["accounting", "payments"] },
    });
    const started = await service.ask(`POST /api/v1/connections/${id}/oauth/start`);
    const { url, expiresAt } = startedAuthorizationSchema.parse(started.body);
    expect(url.startsWith(`${service.appUrl}/oauth/start/oat_`)).toBe(true);
    expect(Date.parse(expiresAt) - service.clock.now()).toBe(600_000);
    const browser = createBrowser();
    const page = await browser.open(url);
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.text).toContain("The connection “Bakery” is authorized with the account “Harbour Bakery”.");
    expect(page.headers.get("content-security-policy")).toMatch(/^default-src 'none'/);
    expect([...browser.cookiesOf(service.appUrl)]).toEqual([]);
    const shown = await service.get(id);
    expect(shown.oauth).toMatchObject({
      ...{ status: "connected", account: booksAccount, scopesGranted: ["accounting", "payments"], connectedBy: "mara" },
      expiresAt: new Date(service.clock.now() + 1_800_000).toISOString(),
    });
    expect(shown.health.status).not.toBe("needs_authorization");
    const list = await service.ask("GET /api/v1/connections?limit=100");
    expect(list.body["data"]).toContainEqual(expect.objectContaining({ id, oauth: shown.oauth }));
  });

  test("and returns to the path of the start", async () => {
    const service = await createOAuthService();
    const returnTo = "/dashboard/live/connections?shown=all#end";
    const url = await service.start(await service.connect(), { returnTo });
    const end = await createBrowser().openUntil(url, `${service.appUrl}/dashboard`);
    expect(end).toBe(service.appUrl + returnTo);
  });

  test("and grants fewer scopes than were asked for", async () => {
    const service = await createOAuthService();
    service.server.grantedScopes = ["accounting"];
    const id = await service.connect();
    await authorized(service, id);
    const { oauth } = await service.get(id);
    expect(oauth).toMatchObject({ scopesAsked: ["accounting", "payments"], scopesGranted: ["accounting"] });
  });

  test("in one tab, and another connection in a second tab of the browser", async () => {
    const service = await createOAuthService();
    const ids = [await service.connect(), await service.connect()];
    const browser = createBrowser();
    const callbacks = await Promise.all(ids.map((id) => untilCallback(service, browser, id)));
    expect([...browser.cookiesOf(service.appUrl).keys()]).toEqual([
      expect.stringMatching(/^procedo-oauth-[\w-]{16}$/),
      expect.stringMatching(/^procedo-oauth-[\w-]{16}$/),
    ]);
    for (const callback of callbacks.toReversed()) expect((await browser.open(callback.href)).status).toBe(200);
    for (const id of ids) expect((await service.get(id)).oauth?.status).toBe("connected");
  });

  test("and no answer shows a token, a secret, or the browser's cookie", async () => {
    const service = await createOAuthService();
    const id = await service.connect();
    const browser = createBrowser();
    const callback = await untilCallback(service, browser, id);
    const [cookie = ""] = browser.cookiesOf(service.appUrl).values();
    const page = await browser.open(callback.href);
    const texts = [page.text, JSON.stringify(await service.get(id)), (await service.ask("GET /api/v1/audit")).text];
    const { requests } = service.server;
    const code = requests.find(({ kind }) => kind === "authorization_code")?.parameters.get("code") ?? "";
    for (const secret of [cookie, code, service.server.client.secret, callback.searchParams.get("state") ?? ""]) {
      expect(secret).not.toBe("");
      for (const text of texts) expect(text).not.toContain(secret);
    }
  });

  test("who declines sees a page with 403, and nothing changes", async () => {
    const service = await createOAuthService();
    service.server.account = undefined;
    const id = await service.connect();
    expectFailure(await authorized(service, id), 403, "oauth_denied");
    expect((await service.get(id)).oauth?.status).toBe("not_connected");
    expect(service.server.count("authorization_code")).toBe(0);
  });

  test("8: as another account: a page with 409, and the tokens from before stay", async () => {
    const service = await createOAuthService();
    const id = await service.connect();
    await authorized(service, id);
    service.server.account = { id: "org-2", name: `<img src=x onerror="alert(1)">` };
    const page = await authorized(service, id);
    expectFailure(page, 409, "account_mismatch");
    expect(page.text).toContain("&lt;img src=x onerror=&quot;alert(1)&quot;&gt;");
    expect(page.text).not.toContain("<img");
    expect((await service.get(id)).oauth).toMatchObject({ status: "connected", account: booksAccount });
    expect((await authorized(service, id, { replace: true })).status).toBe(200);
    expect((await service.get(id)).oauth?.account?.id).toBe("org-2");
  });

  test("while the server is unavailable: a page with 502, and no text of the server", async () => {
    const service = await createOAuthService();
    service.server.failTokens(tokenFaults.htmlUnauthorized);
    const page = await authorized(service, await service.connect());
    expectFailure(page, 502, "oauth_failed");
    expect(page.text).not.toContain("Please log in");
  });
});

describe("the page of a start", () => {
  test("12: works once: the second time it is a page with 410", async () => {
    const service = await createOAuthService();
    const url = await service.start(await service.connect());
    const first = await createBrowser().request(url);
    expect(first.status).toBe(302);
    expect(first.headers.get("location")?.startsWith(service.server.authorizationUrl)).toBe(true);
    expect(first.headers.get("referrer-policy")).toBe("no-referrer");
    expect(first.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^procedo-oauth-\S{16}=oab_\S+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
    expectFailure(await createBrowser().request(url), 410, "oauth_ticket_used");
  });

  test("is a page with 410 after 10 minutes, and for a link that never was", async () => {
    const service = await createOAuthService();
    const url = await service.start(await service.connect());
    await service.clock.advance(601_000);
    expectFailure(await createBrowser().request(url), 410, "oauth_ticket_used");
    for (const ticket of ["oat_never", "oas_never", "%00", "x".repeat(1_000)]) {
      const page = await createBrowser().request(`${service.appUrl}/oauth/start/${ticket}`);
      expectFailure(page, 410, "oauth_ticket_used");
    }
  });

  test("is not used up by HEAD, with which programs look at links", async () => {
    const service = await createOAuthService();
    const url = await service.start(await service.connect());
    const head = await fetch(url, { method: "HEAD", redirect: "manual" });
    expect([head.status, head.headers.get("allow")]).toEqual([405, "GET, OPTIONS"]);
    expect((await createBrowser().open(url)).status).toBe(200);
  });

  test.for(["//evil.test", "/\\evil.test", "https://evil.test", "/a/..//evil.test", "/\t/evil.test", "dashboard", ""])(
    "12: is refused with the path to return to %j",
    async (returnTo) => {
      const service = await createOAuthService();
      const id = await service.connect();
      const answer = await service.ask(`POST /api/v1/connections/${id}/oauth/start`, { returnTo });
      expect(answer).toMatchObject({
        status: 422,
        body: { code: "invalid_input", details: [{ path: "/returnTo" }] },
      });
    },
  );
});

describe("the callback", () => {
  test("9: opened twice at once is one page with the account, one with 400, and one exchange", async () => {
    const service = await createOAuthService();
    const browser = createBrowser();
    const { href } = await untilCallback(service, browser, await service.connect());
    const pages = await Promise.all([browser.request(href), browser.request(href)]);
    const [first, second] = pages.toSorted((a, b) => a.status - b.status);
    expect(first?.status).toBe(200);
    if (second !== undefined) expectFailure(second, 400, "oauth_state_invalid");
    expect(service.server.count("authorization_code")).toBe(1);
  });

  test("10: opened in another browser is a page with 400, and the authorization is over", async () => {
    const service = await createOAuthService();
    const browser = createBrowser();
    const { href } = await untilCallback(service, browser, await service.connect());
    expectFailure(await createBrowser().request(href), 400, "oauth_state_invalid");
    expectFailure(await browser.request(href), 400, "oauth_state_invalid");
    expect(service.server.count("authorization_code")).toBe(0);
  });

  test("with the cookie of another authorization is a page with 400", async () => {
    const service = await createOAuthService();
    const browser = createBrowser();
    const first = await untilCallback(service, browser, await service.connect());
    const [[, other = ""] = []] = browser.cookiesOf(service.appUrl);
    const stranger = createBrowser();
    const second = await untilCallback(service, stranger, await service.connect());
    const [[name = ""] = []] = stranger.cookiesOf(service.appUrl);
    const page = await createBrowser().request(second.href, { cookie: `${name}=${other}` });
    expectFailure(page, 400, "oauth_state_invalid");
    expect((await browser.open(first.href)).status).toBe(200);
  });

  test("11: with another issuer is a page with 400, and no token endpoint is asked", async () => {
    const service = await createOAuthService();
    const browser = createBrowser();
    const callback = await untilCallback(service, browser, await service.connect());
    callback.searchParams.set("iss", "https://evil.test");
    expectFailure(await browser.request(callback.href), 400, "oauth_state_invalid");
    callback.searchParams.delete("iss");
    expectFailure(await browser.request(callback.href), 400, "oauth_state_invalid");
    expect(service.server.count("authorization_code")).toBe(0);
  });

  test("12: 10 minutes and a second after the start is a page with 400", async () => {
    const service = await createOAuthService();
    const browser = createBrowser();
    const { href } = await untilCallback(service, browser, await service.connect());
    await service.clock.advance(601_000);
    expectFailure(await browser.request(href), 400, "oauth_state_invalid");
    expect(service.server.count("authorization_code")).toBe(0);
  });

  test.for([
    ["a second state", "state", 400, "oauth_state_invalid"],
    ["a second code", "code", 502, "oauth_failed"],
  ] as const)("with %s asks for no tokens", async ([_what, name, status, code]) => {
    const service = await createOAuthService();
    const browser = createBrowser();
    const callback = await untilCallback(service, browser, await service.connect());
    callback.searchParams.append(name, "another");
    expectFailure(await browser.request(callback.href), status, code);
    expect(service.server.count("authorization_code")).toBe(0);
  });

  test("without parameters is a page with 400", async () => {
    const { appUrl } = await createOAuthService();
    expectFailure(await createBrowser().request(`${appUrl}/oauth/callback`), 400, "oauth_state_invalid");
  });
});

describe("the tokens of a connection", () => {
  test("are renewed on request", async () => {
    const service = await createOAuthService();
    const id = await service.connect();
    await authorized(service, id);
    await service.clock.advance(60_000);
    const renewed = await service.ask(`POST /api/v1/connections/${id}/oauth/refresh`);
    expect(renewed).toMatchObject({
      status: 200,
      body: { status: "connected", refreshedAt: new Date(service.clock.now()).toISOString() },
    });
    expect(service.server.count("refresh_token")).toBe(1);
    expect((await service.get(id)).oauth).toEqual(renewed.body);
  });

  test("stay as they are when the server cannot renew them, and the failure is shown", async () => {
    const service = await createOAuthService();
    const id = await service.connect();
    await authorized(service, id);
    service.server.failTokens(tokenFaults.unavailable);
    const failed = await service.ask(`POST /api/v1/connections/${id}/oauth/refresh`);
    expect(failed).toMatchObject({ status: 502, body: { code: "oauth_failed" } });
    expect((await service.get(id)).oauth).toMatchObject({
      status: "connected",
      lastFailure: { at: new Date(service.clock.now()).toISOString(), message: expect.any(String) },
    });
  });

  test("are given up when the server says that the authorization is over", async () => {
    const service = await createOAuthService();
    const id = await service.connect();
    await authorized(service, id);
    service.server.revoke(booksAccount);
    const refused = await service.ask(`POST /api/v1/connections/${id}/oauth/refresh`);
    expect(refused).toMatchObject({ status: 409, body: { code: "needs_authorization" } });
    expect(await service.get(id)).toMatchObject({
      oauth: { status: "needs_authorization" },
      health: { status: "needs_authorization" },
    });
  });

  test("are removed, and revoked at the server", async () => {
    const service = await createOAuthService();
    const id = await service.connect();
    await authorized(service, id);
    expect(await service.ask(`DELETE /api/v1/connections/${id}/oauth`)).toMatchObject({
      status: 200,
      body: { success: true },
    });
    expect(service.server.count("revocation")).toBe(1);
    expect((await service.get(id)).oauth?.status).toBe("not_connected");
  });

  test("are none of a connection that is authorized otherwise", async () => {
    const service = await createOAuthService();
    const { connectionId } = await service.harness.engine.connections.create({
      ...{ name: "plain", integration: "desk", environment: "live", by: { person: "mara" } },
    });
    for (const target of ["POST /start", "POST /refresh", "DELETE "]) {
      const [method = "", path = ""] = target.split(" ");
      const answer = await service.ask(`${method} /api/v1/connections/${connectionId}/oauth${path}`);
      expect(answer).toMatchObject({ status: 409, body: { code: "not_oauth" } });
    }
  });
});

test("the integrations say which of them use OAuth", async () => {
  const service = await createOAuthService();
  const { data } = integrationListSchema.parse((await service.ask("GET /api/v1/integrations")).body);
  const uses = Object.fromEntries(data.map(({ id, oauth }) => [id, oauth]));
  expect(uses).toMatchObject({ books: true, desk: false, custom_api: false, private_connection: false });
});
