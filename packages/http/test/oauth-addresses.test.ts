/* Addresses of authorizations: they come from the application's settings, and no header of a request changes them. */
import { request } from "node:http";
import { createBrowser, startOAuthServer } from "@procedo-testing/oauth-server";
import { createHttp, type HttpOptions } from "@procedo/http";
import { describe, expect, onTestFinished, test } from "vitest";
import { createHarness, newName, read, textOf } from "./harness.ts";
import { booksOf, createOAuthService } from "./oauth-service.ts";

/** Sends a request with headers that a browser would not let a page choose. */
async function sendRaw(url: string, method: string, headers: Readonly<Record<string, string>>) {
  const { promise, resolve, reject } = Promise.withResolvers<{ location: string; text: string }>();
  request(url, { method, headers }, (answer) => {
    let text = "";
    answer.on("data", (part) => (text += String(part)));
    answer.on("end", () => resolve({ location: answer.headers.location ?? "", text }));
  })
    .on("error", reject)
    .end();
  return await promise;
}

/** An interface in process, with a connection. */
async function createApplication(options: Partial<HttpOptions> & Pick<HttpOptions, "appUrl">) {
  const server = await startOAuthServer();
  onTestFinished(() => server.stop());
  server.allowRedirect(`${options.appUrl}/oauth/callback`);
  const harness = await createHarness({ integrations: [booksOf(server)] });
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const http = createHttp({ engine: harness.engine, runnerUrl: options.appUrl, log, ...options });
  const { connectionId } = await harness.engine.connections.create({
    ...{ name: newName(), integration: "books", environment: "sandbox", by: { person: "mara" } },
    secrets: { clientSecret: server.client.secret },
  });
  const { origin } = new URL(options.appUrl);
  const headers = { authorization: `Bearer ${await harness.key(["manage"])}` };
  const start = async () => {
    const path = `${options.basePath ?? ""}/api/v1/connections/${connectionId}/oauth/start`;
    return await read(await http.fetch(new Request(origin + path, { method: "POST", headers })));
  };
  return { server, http, start };
}

test("13: a foreign Host and X-Forwarded-Host change neither the page of a start nor the redirect URI", async () => {
  const service = await createOAuthService();
  const id = await service.connect();
  const key = await service.harness.key(["manage"], "live");
  const foreign = { host: "evil.test", "x-forwarded-host": "evil.test", "x-forwarded-proto": "https" };
  const path = `${service.appUrl}/api/v1/connections/${id}/oauth/start`;
  const { text } = await sendRaw(path, "POST", { ...foreign, authorization: `Bearer ${key}` });
  const { url } = JSON.parse(text) as { readonly url: string };
  expect(url.startsWith(`${service.appUrl}/oauth/start/`)).toBe(true);
  const { location } = await sendRaw(url, "GET", foreign);
  expect(new URL(location).searchParams.get("redirect_uri")).toBe(`${service.appUrl}/oauth/callback`);
});

test("11: the code of one server is not sent to another, with a state of the other's connection", async () => {
  const other = await startOAuthServer();
  onTestFinished(() => other.stop());
  const service = await createOAuthService([booksOf(other, "ledger")]);
  other.allowRedirect(`${service.appUrl}/oauth/callback`);
  const browser = createBrowser();
  const callback = async (integration: string) => {
    const url = await service.start(await service.connect(newName(), integration));
    return new URL(await browser.openUntil(url, `${service.appUrl}/oauth/callback`));
  };
  const [own, foreign] = [await callback("books"), await callback("ledger")];
  foreign.searchParams.set("state", own.searchParams.get("state") ?? "");
  const page = await browser.request(foreign.href);
  expect([page.status, page.text]).toEqual([400, expect.stringContaining("oauth_state_invalid")]);
  expect([service.server.count("authorization_code"), other.count("authorization_code")]).toEqual([0, 0]);
});

describe("an application", () => {
  test("over https keeps the cookie to its own host and to secure connections", async () => {
    const { http, start } = await createApplication({ appUrl: "https://procedo.test" });
    const page = await http.fetch(new Request(textOf((await start()).body["url"])));
    expect(page.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^__Host-procedo-oauth-[\w-]{16}=\S+; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
  });

  test("under a base path sends browsers back under it", async () => {
    const { http, server, start } = await createApplication({
      appUrl: "https://procedo.test/finance",
      basePath: "/finance",
    });
    const url = textOf((await start()).body["url"]);
    expect(url.startsWith("https://procedo.test/finance/oauth/start/")).toBe(true);
    const location = (await http.fetch(new Request(url))).headers.get("location") ?? "";
    expect(location.startsWith(server.authorizationUrl)).toBe(true);
    expect(new URL(location).searchParams.get("redirect_uri")).toBe("https://procedo.test/finance/oauth/callback");
  });

  test("that signs people in itself has the pages of authorizations", async () => {
    const { http, start } = await createApplication({
      appUrl: "https://procedo.test",
      authenticate: async () => undefined,
    });
    expect((await http.fetch(new Request(textOf((await start()).body["url"])))).status).toBe(302);
    expect(http.serves("/oauth/callback")).toBe(true);
  });

  test("over plain http on another machine begins no authorization", async () => {
    const { start } = await createApplication({ appUrl: "http://procedo.test" });
    const answer = await start();
    expect(answer).toMatchObject({ status: 500, body: { code: "invalid_configuration" } });
    expect(answer.body["error"]).toContain("Set APP_URL to an https address.");
  });
});
