/* Connections with OAuth, against a real authorization server. The numbers are those of the hostile cases. */
import { heldAnswer, tokenFaults } from "@procedo-testing/oauth-server";
import { describe, expect, test, vi } from "vitest";
import { plannedModel, proposes } from "./agent-model.ts";
import { procedure } from "./documents.ts";
import { alice } from "./harness.ts";
import { createOAuthHarness, paying, type OAuthHarness } from "./oauth-harness.ts";

const askedToPay = procedure(
  [
    {
      id: "pay",
      kind: "tool_call",
      connection: "desk",
      action: "pay",
      instructions: "Pay it.",
      retry: { maxAttempts: 1 },
    },
  ],
  { output: { paid: "{{ nodes.pay.output }}" }, procedureId: "asked-to-pay" },
);

const halfHourMs = 1_800_000;
const dayMs = 86_400_000;

const statuses = async (harness: OAuthHarness, runIds: readonly string[]): Promise<readonly string[]> =>
  Promise.all(runIds.map(async (runId) => (await harness.read(runId)).status));

const oauthOf = async ({ engine, place }: OAuthHarness) => (await engine.connections.get(place)).oauth;

describe("a connection that a person authorizes", () => {
  test("sends its token with each call, names the account, and hides its tokens from code", async () => {
    const harness = await createOAuthHarness();
    expect(await oauthOf(harness)).toEqual({
      grant: "authorization_code",
      status: "not_connected",
      scopesAsked: ["payments"],
    });
    const finished = await harness.authorize();
    expect(finished).toMatchObject({ name: "desk", account: { id: "org-1", name: "Harbour Bakery" } });
    expect(await oauthOf(harness)).toMatchObject({
      status: "connected",
      account: { id: "org-1", name: "Harbour Bakery" },
      connectedBy: "alice",
      scopesGranted: ["payments"],
    });
    const [runId = ""] = await harness.pay();
    expect((await harness.read(runId)).output).toEqual({
      paid: { from: "Harbour Bakery", seen: ["clientSecret"] },
    });
    expect(await harness.engine.connections.test({ ...harness.place, by: alice })).toMatchObject({
      ok: true,
      account: { id: "org-1" },
    });
  });

  test("1: 102 calls of three engines at the end of its token make one request for another", async () => {
    const harness = await createOAuthHarness();
    const engines = [harness.engine, await harness.addEngine(), await harness.addEngine()];
    await harness.authorize();
    const first = await harness.pay();
    harness.clock.leap(halfHourMs);
    const before = harness.server.count("refresh_token");
    const starts = engines.flatMap(({ runs }) =>
      Array.from({ length: 34 }, () =>
        runs.start({ procedureId: paying.procedureId, environment: "sandbox", data: {}, by: alice }),
      ),
    );
    const runIds = (await Promise.all(starts)).map(({ runId }) => runId);
    // Another process looks again after 200 ms.
    for (let looks = 0; looks < 200; looks++) {
      await harness.clock.advance(200);
      if ((await statuses(harness, runIds)).every((status) => status === "completed")) break;
    }
    expect(new Set(await statuses(harness, [...first, ...runIds]))).toEqual(new Set(["completed"]));
    expect(harness.server.count("refresh_token") - before).toBe(1);
    expect(new Set(harness.api.payments.map(({ key }) => key)).size).toBe(103);
    expect(new Set(harness.api.payments.slice(1).map(({ token }) => token)).size).toBe(1);
  });

  test("7: runs wait when it was revoked, and each goes on once when it is authorized again", async () => {
    const harness = await createOAuthHarness();
    await harness.authorize();
    harness.server.revoke({ id: "org-1" });
    await harness.pass(halfHourMs);
    const runIds = await harness.pay(20);
    expect(new Set(await statuses(harness, runIds))).toEqual(new Set(["running"]));
    expect(harness.api.payments).toEqual([]);
    // Nothing is sent with a dead token, and the server is asked once.
    expect(harness.api.tokens.length).toBe(1);
    expect(harness.server.count("refresh_token")).toBe(1);
    expect((await harness.engine.connections.get(harness.place)).health).toMatchObject({
      status: "needs_authorization",
      message: expect.stringContaining("A person has to authorize this connection."),
    });
    expect((await harness.entries(runIds[0] ?? "")).at(-1)).toMatchObject({
      type: "held",
      nodeId: "pay",
      connection: "desk",
    });
    const paid = { environment: "sandbox", runId: runIds[0] ?? "", nodeId: "pay", visit: 1 } as const;
    expect(await harness.engine.runs.step(paid)).toMatchObject({
      status: "running",
      authorization: { connection: "desk" },
    });
    await harness.authorize();
    await harness.until(async () => (await statuses(harness, runIds)).every((status) => status === "completed"));
    expect(await harness.engine.runs.step(paid)).toMatchObject({ status: "completed", authorization: undefined });
    expect(harness.api.payments).toHaveLength(20);
    expect(new Set(harness.api.payments.map(({ key }) => key)).size).toBe(20);
    expect((await harness.engine.connections.get(harness.place)).health.status).not.toBe("needs_authorization");
  });

  test("7: runs wait too whose calls are refused before the engine knows that it was revoked", async () => {
    const harness = await createOAuthHarness();
    await harness.authorize();
    harness.server.revoke({ id: "org-1" });
    const starts = Array.from({ length: 20 }, () => harness.run({}, { procedureId: paying.procedureId }));
    const runIds = await Promise.all(starts);
    const areHeld = async () => (await Promise.all(runIds.map((runId) => harness.isHeld(runId)))).every(Boolean);
    while (!(await areHeld())) await harness.clock.advance(1_000);
    expect(harness.api.payments).toEqual([]);
    const refused = (await harness.entries(runIds[0] ?? "")).find(({ type }) => type === "outcome");
    expect(refused).toMatchObject({
      result: { status: "error", error: { message: expect.stringContaining("refused the access token (401)") } },
    });
    await harness.authorize();
    await harness.until(async () => (await statuses(harness, runIds)).every((status) => status === "completed"));
    expect(new Set(harness.api.payments.map(({ key }) => key)).size).toBe(20);
  });

  test("8: another account is refused, unless it is to replace the one before", async () => {
    const harness = await createOAuthHarness();
    await harness.authorize();
    harness.server.account = { id: "org-2", name: "Other Bakery" };
    await expect(harness.authorize()).rejects.toMatchObject({ code: "account_mismatch", status: 409 });
    expect((await oauthOf(harness))?.account?.id).toBe("org-1");
    expect(await statuses(harness, await harness.pay())).toEqual(["completed"]);
    await harness.authorize({ replace: true });
    expect((await oauthOf(harness))?.account?.id).toBe("org-2");
    expect(await statuses(harness, await harness.pay())).toEqual(["completed"]);
    const changes = await harness.engine.audit.changes({ limit: 50 });
    const [bakery, other] = [
      { id: "org-1", name: "Harbour Bakery" },
      { id: "org-2", name: "Other Bakery" },
    ];
    const scopes = ["payments"];
    expect(changes.filter(({ action }) => action.startsWith("connection.auth"))).toMatchObject([
      { action: "connection.authorized", by: "alice", details: { account: bakery, scopes } },
      {
        ...{ action: "connection.authorization_refused", by: "alice", details: { account: other, kept: bakery } },
        subject: `sandbox/${harness.place.connectionId}`,
      },
      { action: "connection.authorized", by: "alice", details: { account: other, replaced: bakery, scopes } },
    ]);
  });

  test("15: a refused token is renewed once for 50 calls, and the same calls are sent again", async () => {
    const harness = await createOAuthHarness();
    await harness.authorize();
    await harness.pay();
    harness.server.endAccessTokens();
    const runIds = await harness.pay(50);
    expect(new Set(await statuses(harness, runIds))).toEqual(new Set(["completed"]));
    expect(harness.server.count("refresh_token")).toBe(1);
    expect(new Set(harness.api.payments.map(({ key }) => key)).size).toBe(51);
  });

  test("15: a second refusal is the error of the step", async () => {
    const harness = await createOAuthHarness();
    await harness.authorize();
    harness.api.refuse(2);
    const [runId = ""] = await harness.pay();
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("answered 401"),
    });
    expect(harness.server.count("refresh_token")).toBe(1);
  });

  test("14: tokens that the service answers with are on no record, also those from before a renewal", async () => {
    const harness = await createOAuthHarness();
    await harness.authorize();
    harness.api.echoes = true;
    await harness.pay();
    harness.server.endAccessTokens();
    await harness.pay();
    const secrets = [...new Set(harness.api.tokens), harness.server.client.secret];
    expect(secrets.length).toBeGreaterThan(2);
    const refresh = harness.server.requests.map(({ parameters }) => parameters.get("refresh_token"));
    const canaries = [...secrets, ...refresh].filter((text) => text !== null && text !== "");
    const records = JSON.stringify([
      await harness.storage.records.list({ workspace: "default", kind: "grant", limit: 10 }),
      await harness.storage.records.list({ workspace: "default", kind: "connection", limit: 10 }),
      await Promise.all(
        (await harness.engine.runs.list({ environment: "sandbox", limit: 50 })).items.map(({ runId }) =>
          harness.engine.runs.journal({ environment: "sandbox", runId }),
        ),
      ),
      await harness.engine.connections.get(harness.place),
      await harness.engine.audit.changes({ limit: 50 }),
      harness.engine.logged,
      harness.engine.loggedFields,
    ]);
    for (const canary of canaries) {
      expect(records.includes(String(canary))).toBe(false);
      expect(records.includes(btoa(String(canary)))).toBe(false);
    }
    expect(records).toContain("The token [redacted] may not pay.");
  });

  test("5: runs wait while the authorization server fails, and go on by themselves", async () => {
    const harness = await createOAuthHarness();
    await harness.authorize();
    await harness.pass(halfHourMs);
    harness.server.failTokens(tokenFaults.unavailable);
    const runId = await harness.run({}, { procedureId: paying.procedureId });
    await harness.until(() => harness.server.count("refresh_token") === 1);
    await harness.until(async () => (await oauthOf(harness))?.lastFailure !== undefined);
    await harness.clock.settle();
    expect(await statuses(harness, [runId])).toEqual(["running"]);
    expect((await oauthOf(harness))?.status).toBe("connected");
    harness.server.mend();
    for (let tries = 0; (await harness.read(runId)).status === "running" && tries < 100; tries++) {
      await harness.clock.advance(1_000);
    }
    expect(await statuses(harness, [runId])).toEqual(["completed"]);
    expect((await harness.entries(runId)).map(({ type }) => type)).not.toContain("held");
  });

  test("a run that waited for 7 days fails, and has sent nothing", async () => {
    const harness = await createOAuthHarness();
    const [runId = ""] = await harness.pay();
    await harness.pass(7 * dayMs - 60_000);
    expect(await statuses(harness, [runId])).toEqual(["running"]);
    await harness.pass(60_000);
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining('Connection "desk" had no access token for 7 days, and nothing was sent.'),
    });
    expect(harness.api.tokens).toEqual([]);
  });

  test("a cancel that comes while a token is asked for stops the payment", async () => {
    const harness = await createOAuthHarness();
    await harness.authorize();
    await harness.pass(halfHourMs);
    const answered = Promise.withResolvers<undefined>();
    harness.server.failTokens(heldAnswer(answered.promise), 1);
    const runId = await harness.run({}, { procedureId: paying.procedureId });
    await harness.until(() => harness.server.count("refresh_token") === 1);
    await harness.engine.runs.cancel({ environment: "sandbox", runId, by: alice });
    answered.resolve(undefined);
    await harness.until(async () => (await harness.read(runId)).status === "failed");
    expect(harness.api.payments).toEqual([]);
    expect((await harness.entries(runId)).map(({ type }) => type)).not.toContain("intent");
  });

  test("a refused call waits while the authorization server fails, and is made with the next token", async () => {
    const harness = await createOAuthHarness();
    await harness.authorize();
    harness.server.endAccessTokens();
    harness.server.failTokens(tokenFaults.unavailable);
    const runId = await harness.run({}, { procedureId: paying.procedureId });
    while (!(await harness.isHeld(runId))) await harness.clock.advance(1_000);
    expect(new Set(harness.api.tokens).size).toBe(1);
    harness.server.mend();
    while ((await harness.read(runId)).status === "running") await harness.clock.advance(1_000);
    expect(await statuses(harness, [runId])).toEqual(["completed"]);
    expect(harness.api.payments).toHaveLength(1);
  });

  test("the call of an agent waits for the authorization before its first attempt", async () => {
    const model = plannedModel();
    model.plan(proposes({}));
    const harness = await createOAuthHarness({ models: { arguments: { model } } });
    await harness.publish(askedToPay);
    const runId = await harness.run({}, { procedureId: askedToPay.procedureId });
    await harness.until(() => harness.isHeld(runId));
    expect((await harness.entries(runId)).map(({ type }) => type)).not.toContain("intent");
    await harness.authorize();
    await harness.until(async () => (await harness.read(runId)).status === "completed");
    expect(harness.api.payments).toHaveLength(1);
  });

  test("runs that nothing has woken look again within an hour", async () => {
    const harness = await createOAuthHarness();
    const runIds = await harness.pay(3);
    const { runs } = harness.storage;
    const wake = vi.spyOn(runs, "wake").mockRejectedValue(new Error("The process has died."));
    await expect(harness.authorize()).rejects.toThrow("The process has died.");
    wake.mockRestore();
    await harness.clock.settle();
    expect(harness.api.payments).toEqual([]);
    await harness.pass(2 * halfHourMs);
    await harness.until(async () => (await statuses(harness, runIds)).every((status) => status === "completed"));
    expect(harness.api.payments).toHaveLength(3);
  });

  test("runs that wait for a connection end when it is removed", async () => {
    const harness = await createOAuthHarness();
    const [runId = ""] = await harness.pay();
    await harness.engine.connections.remove({ ...harness.place, by: alice, force: true });
    await harness.until(async () => (await harness.read(runId)).status === "failed");
    expect((await harness.read(runId)).error).toContain('There is no connection "desk" in sandbox.');
  });

  test("a run that waits can be cancelled", async () => {
    const harness = await createOAuthHarness();
    const [runId = ""] = await harness.pay();
    await harness.engine.runs.cancel({ environment: "sandbox", runId, by: alice });
    await harness.until(async () => (await harness.read(runId)).status === "failed");
    await harness.authorize();
    await harness.clock.settle();
    expect(harness.api.payments).toEqual([]);
  });

  test("is renewed while no call needs it, before its refresh token lapses", async () => {
    const harness = await createOAuthHarness();
    await harness.authorize();
    await harness.pass(14 * dayMs);
    await harness.clock.settle();
    expect(harness.server.count("refresh_token")).toBe(0);
    await harness.pass(dayMs);
    await harness.pass(dayMs);
    await harness.until(() => harness.server.count("refresh_token") === 1);
    await harness.until(async () => (await oauthOf(harness))?.refreshedAtMs !== undefined);
    await harness.pass(dayMs);
    await harness.clock.settle();
    expect(harness.server.count("refresh_token")).toBe(1);
  });

  test("its tokens are revoked with it, and when a person removes them", async () => {
    const harness = await createOAuthHarness();
    await harness.authorize();
    const removing = harness.engine.authorizations.revoke({ ...harness.place, by: alice });
    await harness.until(() => harness.server.count("revocation") === 1);
    await removing;
    expect(await oauthOf(harness)).toMatchObject({ status: "not_connected" });
    await harness.authorize();
    const grants = async () =>
      (await harness.storage.records.list({ workspace: "default", kind: "grant", limit: 10 })).items;
    expect(await grants()).toHaveLength(1);
    const removed = harness.engine.connections.remove({ ...harness.place, by: alice, force: true });
    await harness.until(() => harness.server.count("revocation") === 2);
    await removed;
    expect(await grants()).toEqual([]);
  });
});

test("a connection with client credentials gets its token when it is first needed, and the next one at its end", async () => {
  const harness = await createOAuthHarness({ grant: "client_credentials" });
  expect(await oauthOf(harness)).toMatchObject({ grant: "client_credentials", status: "not_connected" });
  await expect(harness.engine.authorizations.begin({ ...harness.place, by: alice })).rejects.toMatchObject({
    code: "not_oauth",
  });
  const [runId = ""] = await harness.pay();
  expect(await harness.read(runId)).toMatchObject({ status: "completed" });
  expect((await harness.read(runId)).output).toEqual({ paid: { from: "the client", seen: ["clientSecret"] } });
  await harness.pass(halfHourMs);
  await harness.pay();
  expect(harness.server.count("client_credentials")).toBe(2);
  expect(await oauthOf(harness)).toMatchObject({ status: "connected" });
});

test("a client whose secret was refused gets its tokens with another secret", async () => {
  const harness = await createOAuthHarness({ grant: "client_credentials" });
  const { connections } = harness.engine;
  const { secret } = harness.server.client;
  await connections.update({ ...harness.place, secrets: { clientSecret: "another-secret" }, by: alice });
  const runId = await harness.run({}, { procedureId: paying.procedureId });
  await harness.until(async () => (await oauthOf(harness))?.lastFailure !== undefined);
  expect(await statuses(harness, [runId])).toEqual(["running"]);
  const shown = await connections.get(harness.place);
  expect([shown.oauth?.status, shown.health.status]).toEqual(["not_connected", "failing"]);
  expect(shown.health.message).toContain("There is no access token, and calls wait.");
  await connections.update({ ...harness.place, secrets: { clientSecret: secret }, by: alice });
  for (let tries = 0; (await harness.read(runId)).status === "running" && tries < 100; tries++) {
    await harness.clock.advance(1_000);
  }
  expect(await statuses(harness, [runId])).toEqual(["completed"]);
});
