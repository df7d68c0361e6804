import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type FakeService, sandboxKey, startFakeService } from "./fake-service.ts";
import { clientOf } from "./fixtures.ts";

let service: FakeService;
beforeEach(async () => {
  service = await startFakeService();
});
afterEach(() => service[Symbol.asyncDispose]());

const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const data = { invoice: "INV-1" };

describe("start", () => {
  test("sends the contract's request and returns the accepted run", async () => {
    const accepted = await clientOf(service).start("vendor-payment", { data, version: "v7", idempotencyKey: "INV-1" });
    expect(accepted).toEqual({ runId: "run_1", status: "running", statusUrl: `${service.url}/runs/run_1` });
    const [request] = service.received;
    expect(request).toMatchObject({ method: "POST", path: "/v1/procedures/vendor-payment/sandbox", query: {} });
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${sandboxKey}`,
      "content-type": "application/json",
      "idempotency-key": "INV-1",
    });
    expect(request?.body).toEqual({
      data,
      metadata: { procedureVersion: "v7" },
      control: { executionMode: "async" },
    });
  });

  test("without a key of the caller, each call has a fresh one", async () => {
    const client = clientOf(service);
    const [first, second] = [await client.start("a", { data }), await client.start("a", { data })];
    expect(first.runId).not.toBe(second.runId);
    for (const key of service.started.keys()) expect(key).toMatch(uuid4);
  });

  test("a key that is invalid in a header is refused before anything is sent", async () => {
    for (const idempotencyKey of ["", "two words", "a\nb", "ü", "x".repeat(256)]) {
      const attempt = clientOf(service).start("a", { data, idempotencyKey });
      await expect(attempt).rejects.toMatchObject({ code: "malformed_request" });
    }
    expect(service.received).toEqual([]);
  });

  test("a number that JSON cannot represent is refused instead of becoming null", async () => {
    for (const amount of [NaN, Infinity, -Infinity]) {
      const attempt = clientOf(service).start("a", { data: { lines: [{ amount }] } });
      await expect(attempt).rejects.toMatchObject({ code: "inexact_number" });
    }
    expect(service.received).toEqual([]);
  });

  test("an id cannot change the path", async () => {
    const client = clientOf(service);
    await client.start("a/../../runs?x=1#y", { data });
    expect(service.received[0]?.path).toBe("/v1/procedures/a%2F..%2F..%2Fruns%3Fx%3D1%23y/sandbox");
    for (const id of ["", ".", ".."]) {
      await expect(client.start(id, { data })).rejects.toMatchObject({ code: "malformed_request" });
      await expect(client.runs.get(id)).rejects.toMatchObject({ code: "malformed_request" });
    }
    expect(service.received).toHaveLength(1);
  });

  test("the service's address may have a path, and the dashboard an address of its own", async () => {
    const client = clientOf(service, { runnerUrl: `${service.url}/runner/`, appUrl: `${service.url}/app/` });
    await expect(client.start("a", { data })).rejects.toMatchObject({ code: "not_found" });
    await expect(client.runs.list()).rejects.toMatchObject({ code: "not_found" });
    expect(service.received.map(({ path }) => path)).toEqual(["/runner/v1/procedures/a/sandbox", "/app/api/v1/runs"]);
  });
});

describe("run", () => {
  const completedAt = "2026-11-20T12:00:01.000Z";

  test.each([
    { status: "completed", output: { paid: true }, completedAt },
    { status: "failed", error: "The ledger said no.", completedAt },
    { status: "awaiting_review", statusUrl: "http://localhost/runs/run_1" },
    {
      status: "timeout",
      error: "Execution exceeded the timeout of 1000 ms.",
      statusUrl: "http://localhost/runs/run_1",
    },
  ] as const)("returns a run that is $status", async (reply) => {
    service.syncReply = { runId: "run_1", ...reply };
    const answer = await clientOf(service).run("vendor-payment", { data, executionTimeoutMs: 1_000 });
    expect(answer).toEqual(service.syncReply);
    expect(service.received.map(({ body }) => body)).toEqual([
      { data, control: { executionMode: "sync", executionTimeout: 1_000 } },
    ]);
  });

  test("waits for the contract's default time, and an attempt lasts longer than the service waits", async () => {
    service.syncReply = { runId: "run_1", status: "completed", output: {}, completedAt };
    const client = clientOf(service, { timeoutMs: 1, fetch: slowFetch });
    await client.run("a", { data });
    expect(service.received[0]?.body).toMatchObject({ control: { executionTimeout: 60_000 } });
    await expect(
      clientOf(service, { timeoutMs: 1, retries: 0, fetch: slowFetch }).start("a", { data }),
    ).rejects.toThrow("no answer within 1 ms");
  });

  /** Answers more than 1 ms after the request, and ends when it is aborted. */
  const slowFetch: typeof fetch = async (input, init) => {
    const begin = performance.now();
    while (performance.now() - begin < 5) await new Promise((turn) => setImmediate(turn));
    return fetch(input, init);
  };
});
