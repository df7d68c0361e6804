import { describe, expect, test } from "vitest";
import { answering, http, listen } from "../src/egress/listeners.fixture.ts";
import { alice } from "./bench.ts";
import {
  calling,
  createConnectionBench,
  payments,
  recordedApi,
  token,
  type ConnectionBench,
} from "./connection-bench.ts";
import { procedure, review } from "./documents.ts";
import { documentText, type ListedAction } from "./listed-api.ts";

const sandbox = { environment: "sandbox" } as const;

/** Gives the connection another document. */
async function redocument(
  bench: ConnectionBench,
  connectionId: string,
  actions: readonly ListedAction[],
  server = bench.api.url,
) {
  const settings = { spec: { text: documentText({ server, actions }) } };
  return await bench.engine.connections.update({ ...sandbox, connectionId, settings, by: alice });
}

const health = async (bench: ConnectionBench, connectionId: string) =>
  (await bench.engine.connections.get({ ...sandbox, connectionId })).health;

test("a payment whose final answer comes after interim ones is done, and is made once", async () => {
  const interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n";
  const api = await listen(answering(interim + http("200 OK", [], "paid")));
  const bench = await createConnectionBench();
  await bench.connect({
    settings: { spec: { text: documentText({ server: `http://127.0.0.1:${api.port}`, actions: payments }) } },
  });
  const run = await bench.read(await bench.call());
  expect(run).toMatchObject({ status: "completed", output: { said: "paid" } });
  expect(api.received().split("POST /payments")).toHaveLength(2);
});

describe("the record of a call", () => {
  test("holds request and answer of each attempt, and no secret", async () => {
    const bench = await createConnectionBench();
    await bench.connect();
    bench.api.answer(200, `done, ${token}`);
    const runId = await bench.call();
    const [, step] = (await bench.read(runId)).steps;
    expect(step?.attempts.map(({ exchange }) => exchange)).toMatchObject([
      {
        request: {
          method: "POST",
          url: `${bench.api.url}/payments`,
          headers: { authorization: "[redacted]", "x-region": "eu" },
          body: { amount: 5 },
        },
        response: { status: 200, headers: { "set-cookie": "[redacted]" } },
      },
    ]);
    expect(step?.output).toBe("done, [redacted]");
    const rows = await bench.storage.runs.journal({ scope: { workspace: "default", ...sandbox }, runId });
    expect(JSON.stringify(rows)).not.toContain(token);
  });

  test("holds what a refusal answered", async () => {
    const bench = await createConnectionBench();
    await bench.connect();
    bench.api.answer(422, `no such account, ${token}`);
    const [, step] = (await bench.read(await bench.call())).steps;
    expect(step?.status).toBe("failed");
    expect(step?.attempts[0]?.exchange?.response).toMatchObject({ status: 422, body: "no such account, [redacted]" });
  });

  test("says that a body is left out where it is too large, and the call is done all the same", async () => {
    const bench = await createConnectionBench();
    await bench.connect();
    const runId = await bench.call("pay", { arguments: { memo: "x".repeat(300_000) } });
    const [, step] = (await bench.read(runId)).steps;
    expect(step?.status).toBe("completed");
    expect(step?.attempts[0]?.exchange?.request).not.toHaveProperty("body");
    expect(step?.attempts[0]?.exchange?.note).toMatch(/^The body of the request is left out: it has 3\d+ bytes/);
  });

  test("stores a body that is the step's input once", async () => {
    const bench = await createConnectionBench();
    await bench.connect();
    const memo = "a memo that is so long that it is worth a reference, and then some more of it";
    const runId = await bench.call("pay", { arguments: { memo } });
    const rows = await bench.storage.runs.journal({ scope: { workspace: "default", ...sandbox }, runId });
    const bodies = rows.map(({ body }) => body).join("\n");
    expect(bodies.split(memo)).toHaveLength(2);
    const [, step] = (await bench.read(runId)).steps;
    expect(step?.attempts[0]?.exchange?.request.body).toEqual({ memo });
  });
});

describe("a document that names another server", () => {
  test("withholds calls until somebody says where they go, and sends nothing meanwhile", async () => {
    const bench = await createConnectionBench();
    const { connectionId } = await bench.connect();
    const elsewhere = await recordedApi();
    await redocument(bench, connectionId, payments, elsewhere.url);
    expect(await health(bench, connectionId)).toMatchObject({
      status: "unconfirmed",
      message: expect.stringContaining(elsewhere.url) as string,
    });
    const run = await bench.read(await bench.call());
    expect(run).toMatchObject({ status: "failed", error: expect.stringContaining('"baseUrl"') as string });
    const tested = await bench.engine.connections.test({ ...sandbox, connectionId, by: alice });
    expect(tested.ok).toBe(false);
    await bench.engine.connections.update({ ...sandbox, connectionId, secrets: { token: "tok-2222" }, by: alice });
    expect(await health(bench, connectionId)).toMatchObject({ status: "unconfirmed" });
    expect([...bench.api.requests, ...elsewhere.requests]).toEqual([]);

    const settings = { baseUrl: elsewhere.url };
    await bench.engine.connections.update({ ...sandbox, connectionId, settings, by: alice });
    expect(await health(bench, connectionId)).toEqual({ status: "unknown" });
    const again = await bench.run();
    await bench.rested(again);
    expect((await bench.read(again)).status).toBe("completed");
    expect(bench.api.requests).toEqual([]);
    expect(elsewhere.requests.map(({ path }) => path)).toEqual(["/payments"]);
  });

  test("is of no account where the base URL was somebody's choice", async () => {
    const bench = await createConnectionBench();
    const chosen = await recordedApi();
    const spec = { text: documentText({ server: "https://vendor.test", actions: payments }) };
    const { connectionId } = await bench.connect({ settings: { spec, baseUrl: chosen.url } });
    await redocument(bench, connectionId, payments, "https://other.test");
    await bench.call();
    expect(chosen.requests).toHaveLength(1);
  });
});

describe("a call that was decided on before the document changed", () => {
  const covered = procedure(
    [
      review("ok", { covers: "pay" }),
      { id: "pay", kind: "tool_call", connection: "bills", action: "pay", arguments: { amount: 5 } },
    ],
    { output: { said: "{{ nodes.pay.output }}" } },
  );
  const moved: readonly ListedAction[] = [{ name: "pay", at: "POST /v2/payments", effect: "idempotent" }];

  test("is sent as it was approved", async () => {
    const bench = await createConnectionBench();
    const { connectionId } = await bench.connect();
    const runId = await bench.runOf(covered);
    await redocument(bench, connectionId, moved);
    await bench.decide(runId);
    await bench.rested(runId);
    expect((await bench.read(runId)).status).toBe("completed");
    expect(bench.api.requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["POST", "/payments", '{"amount":5}'],
    ]);
  });

  test("is sent as it was approved by an engine that never knew the document of then", async () => {
    const bench = await createConnectionBench();
    const { connectionId } = await bench.connect();
    const runId = await bench.runOf(covered);
    await redocument(bench, connectionId, moved);
    await redocument(bench, connectionId, []);
    await bench.engine.stop();
    await bench.addEngine();
    await bench.decide(runId);
    await bench.clock.advance(2_000);
    await bench.rested(runId);
    expect(bench.api.requests.map(({ path }) => path)).toEqual(["/payments"]);
  });

  test("is not sent to another address", async () => {
    const bench = await createConnectionBench();
    const { connectionId } = await bench.connect();
    const elsewhere = await recordedApi();
    const runId = await bench.runOf(covered);
    const settings = { baseUrl: elsewhere.url };
    await bench.engine.connections.update({ ...sandbox, connectionId, settings, by: alice });
    await bench.decide(runId);
    await bench.rested(runId);
    expect(await bench.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("ask again") as string,
    });
    expect([...bench.api.requests, ...elsewhere.requests]).toEqual([]);
  });

  test("carries the credentials of today", async () => {
    const bench = await createConnectionBench();
    const { connectionId } = await bench.connect();
    const runId = await bench.runOf(covered);
    await redocument(bench, connectionId, moved);
    await bench.engine.connections.update({ ...sandbox, connectionId, secrets: { token: "tok-2222" }, by: alice });
    await bench.decide(runId);
    await bench.rested(runId);
    expect(bench.api.requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ["/payments", "Bearer tok-2222"],
    ]);
  });

  test("is made again as it was made the first time", async () => {
    const bench = await createConnectionBench();
    const { connectionId } = await bench.connect();
    await bench.publish(calling());
    bench.api.answer(503);
    const runId = await bench.run();
    await bench.until(() => bench.api.requests.length === 1);
    await redocument(bench, connectionId, moved);
    bench.api.answer(200, "done");
    await bench.clock.advance(2_000);
    await bench.rested(runId);
    expect((await bench.read(runId)).status).toBe("completed");
    expect(bench.api.requests.map(({ path }) => path)).toEqual(["/payments", "/payments"]);
  });
});

describe("an action that was renamed", () => {
  test("is still called by its former name, through any number of names", async () => {
    const bench = await createConnectionBench();
    const { connectionId } = await bench.connect();
    await bench.publish(calling());
    for (const name of ["pay_now", "payNow"]) await redocument(bench, connectionId, [{ name, at: "POST /payments" }]);
    const runId = await bench.run();
    await bench.rested(runId);
    expect((await bench.read(runId)).status).toBe("completed");
    expect(bench.api.requests.map(({ path }) => path)).toEqual(["/payments"]);
  });

  test("leaves its former name to another one that takes it", async () => {
    const bench = await createConnectionBench();
    const { connectionId } = await bench.connect();
    await bench.publish(calling());
    await redocument(bench, connectionId, [{ name: "pay_now", at: "POST /payments" }]);
    await redocument(bench, connectionId, [
      { name: "pay_now", at: "POST /payments" },
      { name: "pay", at: "POST /bills" },
    ]);
    const runId = await bench.run();
    await bench.rested(runId);
    expect(bench.api.requests.map(({ path }) => path)).toEqual(["/bills"]);
  });
});

describe("the health of a connection", () => {
  test("is known by its calls: credentials that are refused, and taken again", async () => {
    const bench = await createConnectionBench();
    const { connectionId } = await bench.connect();
    bench.api.answer(401);
    await bench.call();
    await bench.until(async () => (await health(bench, connectionId)).status !== "unknown");
    expect(await health(bench, connectionId)).toEqual({
      status: "failing",
      checkedAtMs: bench.clock.now(),
      message: "The last call was answered 401: the credentials were not accepted.",
    });
    bench.api.answer(200, "done");
    await bench.run();
    await bench.until(async () => (await health(bench, connectionId)).status === "ok");
  });

  test("is known by its calls: nobody there", async () => {
    const bench = await createConnectionBench();
    const spec = { text: documentText({ server: "http://127.0.0.77:8099", actions: payments }) };
    const { connectionId } = await bench.connect({ settings: { spec } });
    await bench.publish(calling("pay", { retry: { maxAttempts: 1 } }));
    await bench.run();
    await bench.until(async () => (await health(bench, connectionId)).status === "failing");
  });

  test("is not said by an answer about something else", async () => {
    const bench = await createConnectionBench();
    const { connectionId } = await bench.connect();
    bench.api.answer(404);
    await bench.call();
    await bench.until(async () => (await health(bench, connectionId)).status === "ok");
  });

  test("is written once, however many calls fare the same", async () => {
    const bench = await createConnectionBench();
    const { connectionId } = await bench.connect();
    await bench.call();
    await bench.until(async () => (await health(bench, connectionId)).status === "ok");
    const revision = async () =>
      (await bench.storage.records.get({ workspace: "default", kind: "connection", id: connectionId }))?.revision;
    const before = await revision();
    for (let n = 0; n < 5; n++) await bench.rested(await bench.run());
    expect(await revision()).toBe(before);
  });

  test("is not written at every turn where it changes all the time", async () => {
    const bench = await createConnectionBench();
    const { connectionId } = await bench.connect();
    await bench.publish(calling());
    const revision = async () =>
      (await bench.storage.records.get({ workspace: "default", kind: "connection", id: connectionId }))?.revision ?? 0;
    const before = await revision();
    for (let n = 0; n < 20; n++) {
      bench.api.answer(n % 2 === 0 ? 401 : 200);
      await bench.rested(await bench.run());
      await bench.clock.settle();
    }
    expect(await revision()).toBe(before + 6);
  });

  test("is found out by a test, whose message holds no secret, and forgotten with other credentials", async () => {
    const bench = await createConnectionBench();
    const { connectionId } = await bench.connect();
    const place = { ...sandbox, connectionId, by: alice };
    bench.api.answer(403);
    expect(await bench.engine.connections.test(place)).toEqual({ ok: false, error: "It answers 403 to [redacted]." });
    expect(await health(bench, connectionId)).toMatchObject({ status: "failing" });
    await bench.engine.connections.update({ ...place, secrets: { token: "tok-2222" } });
    expect(await health(bench, connectionId)).toEqual({ status: "unknown" });
    bench.api.answer(200);
    expect(await bench.engine.connections.test(place)).toEqual({ ok: true });
    expect(await health(bench, connectionId)).toMatchObject({ status: "ok" });
  });
});
