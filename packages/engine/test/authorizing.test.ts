/* Authorizations in a browser, against a real authorization server. The numbers are those of the hostile cases. */
import { createBrowser, heldAnswer } from "@procedo-testing/oauth-server";
import type { Principal } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { alice } from "./harness.ts";
import { createOAuthHarness, type OAuthHarness } from "./oauth-harness.ts";

describe("an authorization in progress", () => {
  test("9: is finished once, with one exchange of its code", async () => {
    const harness = await createOAuthHarness();
    const { authorizations } = harness.engine;
    const { ticket } = await authorizations.begin({ ...harness.place, by: alice });
    const redirectUri = "http://127.0.0.1:9/oauth/callback";
    const opened = await authorizations.open({ ticket, redirectUri });
    await expect(authorizations.open({ ticket, redirectUri })).rejects.toMatchObject({ code: "oauth_ticket_used" });
    const parameters = new URL(await createBrowser().openUntil(opened.url, redirectUri)).searchParams;
    const finishing = [0, 1].map(() =>
      authorizations.finish({ parameters, browser: opened.browser }).then(
        () => "finished",
        (error: { code: string }) => error.code,
      ),
    );
    let ended = 0;
    for (const one of finishing) void one.then(() => (ended += 1));
    await harness.until(() => ended === 2);
    expect((await Promise.all(finishing)).sort()).toEqual(["finished", "oauth_state_invalid"]);
    expect(harness.server.count("authorization_code")).toBe(1);
  });

  test.each([
    ["10: in another browser", (_: URLSearchParams) => {}, "oab_other"],
    [
      "11: by the answer of another issuer",
      (given: URLSearchParams) => given.set("iss", "https://other.test"),
      undefined,
    ],
    ["11: by an answer without an issuer", (given: URLSearchParams) => given.delete("iss"), undefined],
    ["11: with two states", (given: URLSearchParams) => given.append("state", "x"), undefined],
    ["12: more than 10 minutes later", undefined, undefined],
  ])("%s it is not finished, and no code is exchanged", async (_, change, browser) => {
    const harness = await createOAuthHarness();
    const { authorizations } = harness.engine;
    const { ticket } = await authorizations.begin({ ...harness.place, by: alice });
    const redirectUri = "http://127.0.0.1:9/oauth/callback";
    const opened = await authorizations.open({ ticket, redirectUri });
    const parameters = new URL(await createBrowser().openUntil(opened.url, redirectUri)).searchParams;
    if (change === undefined) harness.clock.leap(600_001);
    else change(parameters);
    const answer = { parameters, browser: browser ?? opened.browser };
    await expect(authorizations.finish(answer)).rejects.toMatchObject({ code: "oauth_state_invalid" });
    // The state is used up, also for the right browser.
    if (browser !== undefined) {
      await expect(authorizations.finish({ parameters, browser: opened.browser })).rejects.toMatchObject({
        code: "oauth_state_invalid",
      });
    }
    expect(harness.server.count("authorization_code")).toBe(0);
  });
});

describe("an authorization that was begun", () => {
  const redirectUri = "http://127.0.0.1:9/oauth/callback";

  async function begun(harness: OAuthHarness, by: Principal) {
    const { ticket } = await harness.engine.authorizations.begin({ ...harness.place, by });
    return await harness.engine.authorizations.open({ ticket, redirectUri });
  }

  async function finished(harness: OAuthHarness, { url, browser }: { readonly url: string; readonly browser: string }) {
    const parameters = new URL(await createBrowser().openUntil(url, redirectUri)).searchParams;
    return await harness.engine.authorizations.finish({ parameters, browser });
  }

  test("with a key that was deleted since is not finished, and not opened", async () => {
    const harness = await createOAuthHarness();
    const { keys } = harness.engine;
    const created = await keys.create({
      ...{ name: "k", environment: "sandbox", permissions: ["manage"], person: "alice", by: alice },
    });
    const by = { ...alice, via: created.keyId };
    const opened = await begun(harness, by);
    const { ticket } = await harness.engine.authorizations.begin({ ...harness.place, by });
    await keys.remove({ keyId: created.keyId, by: alice });
    const code = "oauth_state_invalid";
    await expect(finished(harness, opened)).rejects.toMatchObject({ code });
    await expect(harness.engine.authorizations.open({ ticket, redirectUri })).rejects.toMatchObject({ code });
    expect(harness.server.count("authorization_code")).toBe(0);
  });

  test("is not finished at another server than the one that was asked", async () => {
    const harness = await createOAuthHarness();
    const opened = await begun(harness, alice);
    const other = { clientId: "another" };
    await harness.engine.connections.update({ ...harness.place, settings: other, by: alice });
    await expect(finished(harness, opened)).rejects.toMatchObject({ code: "oauth_state_invalid" });
    expect(harness.server.count("authorization_code")).toBe(0);
  });

  test("is told why the server refused it", async () => {
    const harness = await createOAuthHarness();
    const { browser, url } = await begun(harness, alice);
    const state = new URL(url).searchParams.get("state") ?? "";
    const parameters = new URLSearchParams({ state, iss: harness.server.issuer, error: "invalid_scope" });
    await expect(harness.engine.authorizations.finish({ parameters, browser })).rejects.toMatchObject({
      ...{ code: "oauth_failed" },
      message: expect.stringContaining('It answered "invalid_scope".'),
    });
  });

  test("leaves no tokens behind when its connection is removed meanwhile", async () => {
    const harness = await createOAuthHarness();
    const answered = Promise.withResolvers<undefined>();
    harness.server.failTokens(heldAnswer(answered.promise), 1);
    const finishing = finished(harness, await begun(harness, alice));
    const ended = expect(finishing).rejects.toMatchObject({ code: "connection_not_found" });
    await harness.until(() => harness.server.count("authorization_code") === 1);
    await harness.engine.connections.remove({ ...harness.place, by: alice, force: true });
    answered.resolve(undefined);
    let isOver = false;
    void ended.finally(() => (isOver = true));
    await harness.until(() => isOver);
    await ended;
    expect((await harness.storage.records.list({ workspace: "default", kind: "grant", limit: 1 })).items).toEqual([]);
  });
});
