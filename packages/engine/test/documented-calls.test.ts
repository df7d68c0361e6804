import { describe, expect, test } from "vitest";
import { answering, http, listen } from "../src/egress/listeners.fixture.ts";
import { alice } from "./harness.ts";
import {
  calling,
  createConnectionHarness,
  payments,
  recordedApi,
  token,
  type ConnectionHarness,
} from "./connection-harness.ts";
import { procedure, review } from "./documents.ts";
import { documentText, type ListedAction } from "./listed-api.ts";

const sandbox = { environment: "sandbox" } as const;

/** Replaces the connection's document. */
async function redocument(
  harness: ConnectionHarness,
  connectionId: string,
  actions: readonly ListedAction[],
  server = harness.api.url,
) {
  const settings = { spec: { text: documentText({ server, actions }) } };
  return await harness.engine.connections.update({ ...sandbox, connectionId, settings, by: alice });
}

const health = async (harness: ConnectionHarness, connectionId: string) =>
  (await harness.engine.connections.get({ ...sandbox, connectionId })).health;

test("a payment whose final answer follows interim ones succeeds, and is made once", async () => {
  const interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n";
  const api = await listen(answering(interim + http("200 OK", [], "paid")));
  const harness = await createConnectionHarness();
  await harness.connect({
    settings: { spec: { text: documentText({ server: `http://127.0.0.1:${api.port}`, actions: payments }) } },
  });
  const run = await harness.read(await harness.call());
  expect(run).toMatchObject({ status: "completed", output: { said: "paid" } });
  expect(api.received().split("POST /payments")).toHaveLength(2);
});

describe("the record of a call", () => {
  test("contains request and answer of each attempt, and no secret", async () => {
    const harness = await createConnectionHarness();
    await harness.connect();
    harness.api.answer(200, `done, ${token}`);
    const runId = await harness.call();
    const [, step] = (await harness.read(runId)).steps;
    expect(step?.attempts.map(({ exchange }) => exchange)).toMatchObject([
      {
        request: {
          method: "POST",
          url: `${harness.api.url}/payments`,
          headers: { authorization: "[redacted]", "x-region": "eu" },
          body: { amount: 5 },
        },
        response: { status: 200, headers: { "set-cookie": "[redacted]" } },
      },
    ]);
    expect(step?.output).toBe("done, [redacted]");
    const rows = await harness.storage.runs.journal({ scope: { workspace: "default", ...sandbox }, runId });
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test("contains the answer of a refusal", async () => {
    const harness = await createConnectionHarness();
    await harness.connect();
    harness.api.answer(422, `no such account, ${token}`);
    const [, step] = (await harness.read(await harness.call())).steps;
    expect(step?.status).toBe("failed");
    expect(step?.attempts[0]?.exchange?.response).toMatchObject({ status: 422, body: "no such account, [redacted]" });
  });

  test("states that a body is omitted because it is too large, and the call succeeds all the same", async () => {
    const harness = await createConnectionHarness();
    await harness.connect();
    const runId = await harness.call("pay", { arguments: { memo: "x".repeat(300_000) } });
    const [, step] = (await harness.read(runId)).steps;
    expect(step?.status).toBe("completed");
    expect(step?.attempts[0]?.exchange?.request).not.toHaveProperty("body");
    expect(step?.attempts[0]?.exchange?.note).toMatch(/^The body of the request is left out: it has 3\d+ bytes/);
  });

  test("stores a body that equals the step's input once", async () => {
    const harness = await createConnectionHarness();
    await harness.connect();
    const memo = "a memo that is so long that it is worth a reference, and then some more of it";
    const runId = await harness.call("pay", { arguments: { memo } });
    const rows = await harness.storage.runs.journal({ scope: { workspace: "default", ...sandbox }, runId });
    const bodies = rows.map(({ body }) => body).join("\n");
    expect(bodies.split(memo)).toHaveLength(2);
    const [, step] = (await harness.read(runId)).steps;
    expect(step?.attempts[0]?.exchange?.request.body).toEqual({ memo });
  });
});

describe("a document that names another server", () => {
  test("holds calls back until a person confirms the base URL, and sends nothing meanwhile", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    const elsewhere = await recordedApi();
    await redocument(harness, connectionId, payments, elsewhere.url);
    expect(await health(harness, connectionId)).toMatchObject({
      status: "unconfirmed",
      message: expect.stringContaining(elsewhere.url) as string,
    });
    const run = await harness.read(await harness.call());
    expect(run).toMatchObject({ status: "failed", error: expect.stringContaining('"baseUrl"') as string });
    const tested = await harness.engine.connections.test({ ...sandbox, connectionId, by: alice });
    expect(tested.ok).toBe(false);
    await harness.engine.connections.update({ ...sandbox, connectionId, secrets: { token: "tok-2222" }, by: alice });
    expect(await health(harness, connectionId)).toMatchObject({ status: "unconfirmed" });
    expect([...harness.api.requests, ...elsewhere.requests]).toEqual([]);

    const settings = { baseUrl: elsewhere.url };
    await harness.engine.connections.update({ ...sandbox, connectionId, settings, by: alice });
    expect(await health(harness, connectionId)).toEqual({ status: "unknown" });
    const again = await harness.run();
    await harness.settled(again);
    expect((await harness.read(again)).status).toBe("completed");
    expect(harness.api.requests).toEqual([]);
    expect(elsewhere.requests.map(({ path }) => path)).toEqual(["/payments"]);
  });

  test("has no effect if a person chose the base URL", async () => {
    const harness = await createConnectionHarness();
    const chosen = await recordedApi();
    const spec = { text: documentText({ server: "https://vendor.test", actions: payments }) };
    const { connectionId } = await harness.connect({ settings: { spec, baseUrl: chosen.url } });
    await redocument(harness, connectionId, payments, "https://other.test");
    await harness.call();
    expect(chosen.requests).toHaveLength(1);
  });
});

describe("a call that was approved before the document changed", () => {
  const covered = procedure(
    [
      review("ok", { covers: "pay" }),
      { id: "pay", kind: "tool_call", connection: "bills", action: "pay", arguments: { amount: 5 } },
    ],
    { output: { said: "{{ nodes.pay.output }}" } },
  );
  const moved: readonly ListedAction[] = [{ name: "pay", at: "POST /v2/payments", effect: "idempotent" }];

  test("is sent as it was approved", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    const runId = await harness.runOf(covered);
    await redocument(harness, connectionId, moved);
    await harness.decide(runId);
    await harness.settled(runId);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.api.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["POST", "/payments", '{"amount":5}'],
    ]);
  });

  test("is sent as it was approved by an engine that never read the earlier document", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    const runId = await harness.runOf(covered);
    await redocument(harness, connectionId, moved);
    await redocument(harness, connectionId, []);
    await harness.engine.stop();
    await harness.addEngine();
    await harness.decide(runId);
    await harness.clock.advance(2_000);
    await harness.settled(runId);
    expect(harness.api.requests.map(({ path }) => path)).toEqual(["/payments"]);
  });

  test("is not sent to another address", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    const elsewhere = await recordedApi();
    const runId = await harness.runOf(covered);
    const settings = { baseUrl: elsewhere.url };
    await harness.engine.connections.update({ ...sandbox, connectionId, settings, by: alice });
    await harness.decide(runId);
    await harness.settled(runId);
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("ask again") as string,
    });
    expect([...harness.api.requests, ...elsewhere.requests]).toEqual([]);
  });

  test("carries the current credentials", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    const runId = await harness.runOf(covered);
    await redocument(harness, connectionId, moved);
    await harness.engine.connections.update({ ...sandbox, connectionId, secrets: { token: "tok-2222" }, by: alice });
    await harness.decide(runId);
    await harness.settled(runId);
    expect(harness.api.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ["/payments", "Bearer tok-2222"],
    ]);
  });

  test("is repeated as it was first made", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    await harness.publish(calling());
    harness.api.answer(503);
    const runId = await harness.run();
    await harness.until(() => harness.api.requests.length === 1);
    await redocument(harness, connectionId, moved);
    harness.api.answer(200, "done");
    await harness.clock.advance(2_000);
    await harness.settled(runId);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.api.requests.map(({ path }) => path)).toEqual(["/payments", "/payments"]);
  });
});

describe("an action that was renamed", () => {
  test("can be called by its former name, through any number of renames", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    await harness.publish(calling());
    for (const name of ["pay_now", "payNow"]) await redocument(harness, connectionId, [{ name, at: "POST /payments" }]);
    const runId = await harness.run();
    await harness.settled(runId);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.api.requests.map(({ path }) => path)).toEqual(["/payments"]);
  });

  test("loses its former name to another action that takes it", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    await harness.publish(calling());
    await redocument(harness, connectionId, [{ name: "pay_now", at: "POST /payments" }]);
    await redocument(harness, connectionId, [
      { name: "pay_now", at: "POST /payments" },
      { name: "pay", at: "POST /bills" },
    ]);
    const runId = await harness.run();
    await harness.settled(runId);
    expect(harness.api.requests.map(({ path }) => path)).toEqual(["/bills"]);
  });
});

describe("the health of a connection", () => {
  test("follows its calls: credentials are refused, and accepted again", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    harness.api.answer(401);
    await harness.call();
    await harness.until(async () => (await health(harness, connectionId)).status !== "unknown");
    expect(await health(harness, connectionId)).toEqual({
      status: "failing",
      checkedAtMs: harness.clock.now(),
      message: "The last call was answered 401: the credentials were not accepted.",
    });
    harness.api.answer(200, "done");
    await harness.run();
    await harness.until(async () => (await health(harness, connectionId)).status === "ok");
  });

  test("follows its calls: the service is unreachable", async () => {
    const harness = await createConnectionHarness();
    const spec = { text: documentText({ server: "http://127.0.0.77:8099", actions: payments }) };
    const { connectionId } = await harness.connect({ settings: { spec } });
    await harness.publish(calling("pay", { retry: { maxAttempts: 1 } }));
    await harness.run();
    await harness.until(async () => (await health(harness, connectionId)).status === "failing");
    const failing = async (environment: "sandbox" | "live") =>
      (await harness.engine.summary.read({ environment, by: alice })).attention.connectionsFailing;
    expect(await failing("sandbox")).toBe(1);
    expect(await failing("live")).toBe(0);
  });

  test("is not affected by an unrelated error", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    harness.api.answer(404);
    await harness.call();
    await harness.until(async () => (await health(harness, connectionId)).status === "ok");
  });

  test("is written once, however many calls have the same result", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    await harness.call();
    await harness.until(async () => (await health(harness, connectionId)).status === "ok");
    const revision = async () =>
      (await harness.storage.records.get({ workspace: "default", kind: "connection", id: connectionId }))?.revision;
    const before = await revision();
    for (let n = 0; n < 5; n++) await harness.settled(await harness.run());
    expect(await revision()).toBe(before);
  });

  test("is not written for every alternation", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    await harness.publish(calling());
    const revision = async () =>
      (await harness.storage.records.get({ workspace: "default", kind: "connection", id: connectionId }))?.revision ??
      0;
    const before = await revision();
    for (let n = 0; n < 20; n++) {
      harness.api.answer(n % 2 === 0 ? 401 : 200);
      await harness.settled(await harness.run());
      await harness.clock.settle();
    }
    expect(await revision()).toBe(before + 6);
  });

  test("is determined by a test, whose message contains no secret, and reset by other credentials", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    const place = { ...sandbox, connectionId, by: alice };
    harness.api.answer(403);
    expect(await harness.engine.connections.test(place)).toEqual({ ok: false, error: "It answers 403 to [redacted]." });
    expect(await health(harness, connectionId)).toMatchObject({ status: "failing" });
    await harness.engine.connections.update({ ...place, secrets: { token: "tok-2222" } });
    expect(await health(harness, connectionId)).toEqual({ status: "unknown" });
    harness.api.answer(200);
    expect(await harness.engine.connections.test(place)).toEqual({ ok: true });
    expect(await health(harness, connectionId)).toMatchObject({ status: "ok" });
  });
});
