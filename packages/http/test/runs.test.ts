import { manualClock } from "@procedo-testing/faults";
import { verifyExport } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { createHarness, origin, textOf } from "./harness.ts";

const sync = { executionMode: "sync" } as const;
const start = (procedureId: string): string => `POST /v1/procedures/${procedureId}/sandbox`;

describe("POST /v1/procedures/:procedureId/:environment", () => {
  test("async answers 202 with runId, status running and the statusUrl, and nothing else", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const answer = await harness.ask(start("echo"), { key, body: { data: { a: 1 } } });
    expect(answer.status).toBe(202);
    const { runId } = answer.body;
    expect(answer.body).toEqual({ runId, status: "running", statusUrl: `${origin}/runs/${textOf(runId)}` });
  });

  test("sync answers 200 with output and completedAt of a run that completes in time", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const answer = await harness.ask(start("echo"), { key, body: { data: { a: 1 }, control: sync } });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({
      runId: expect.stringMatching(/^run_/),
      status: "completed",
      output: { said: { a: 1 } },
      completedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
    });
  });

  test("sync answers 200 with the error of a run that fails in time", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const answer = await harness.ask(start("fail"), { key, body: { data: {}, control: sync } });
    expect(answer).toMatchObject({ status: 200, body: { status: "failed", error: expect.any(String) } });
  });

  test("sync answers 200 awaiting_review with the statusUrl if the run pauses for a person", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const answer = await harness.ask(start("ask"), { key, body: { data: { amount: 5 }, control: sync } });
    const { runId } = answer.body;
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ runId, status: "awaiting_review", statusUrl: `${origin}/runs/${textOf(runId)}` });
  });

  test("sync answers 504 that names the timeout in ms, and the run continues", async () => {
    const clock = manualClock();
    const harness = await createHarness({ clock });
    const key = await harness.key();
    const control = { ...sync, executionTimeout: 1_000 };
    const asked = harness.ask(start("slow"), { key, body: { data: {}, control } });
    await clock.advance(1_000);
    const answer = await asked;
    const { runId, statusUrl } = answer.body;
    expect(answer.status).toBe(504);
    expect(answer.body).toEqual({
      runId,
      status: "timeout",
      error: expect.stringContaining("exceeded the timeout of 1000 ms"),
      statusUrl: `${origin}/runs/${textOf(runId)}`,
    });
    const path = textOf(statusUrl).slice(origin.length);
    expect((await harness.ask(`GET ${path}`, { key })).body["status"]).toBe("running");
    harness.release();
    await clock.advance(10);
    expect((await harness.ask(`GET ${path}`, { key })).body["status"]).toBe("completed");
  });

  test("sync answers 503 with Retry-After at once if no worker executes runs, and starts nothing", async () => {
    const harness = await createHarness({ started: false });
    const key = await harness.key();
    const answer = await harness.ask(start("echo"), { key, body: { data: {}, control: sync } });
    expect(answer).toMatchObject({ status: 503, body: { code: "overloaded" } });
    expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await harness.engine.runs.list({ environment: "sandbox", limit: 10 })).items).toEqual([]);
  });

  test("the timeout is 60000 ms by default", async () => {
    const clock = manualClock();
    const harness = await createHarness({ clock });
    const key = await harness.key();
    let status = 0;
    const asked = harness.ask(start("slow"), { key, body: { data: {}, control: sync } }).then((answer) => {
      status = answer.status;
    });
    await clock.advance(59_999);
    expect(status).toBe(0);
    await clock.advance(1);
    await asked;
    expect(status).toBe(504);
  });

  test.each([999, 300_001, "1000", null])("an executionTimeout of %j is a 400", async (executionTimeout) => {
    const harness = await createHarness();
    const key = await harness.key();
    const answer = await harness.ask(start("echo"), {
      key,
      body: { data: {}, control: { ...sync, executionTimeout } },
    });
    expect(answer).toMatchObject({
      status: 400,
      body: { code: "malformed_request", details: [{ path: "/control/executionTimeout" }] },
    });
  });

  test("a version is pinned by metadata.procedureVersion; a missing one is a 404", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const body = (procedureVersion: string) => ({ data: {}, metadata: { procedureVersion } });
    const pinned = await harness.ask(start("echo"), { key, body: body("v1") });
    expect((await harness.ask(`GET /runs/${textOf(pinned.body["runId"])}`, { key })).body["procedureVersion"]).toBe(
      "v1",
    );
    expect(await harness.ask(start("echo"), { key, body: body("v2") })).toMatchObject({
      status: 404,
      body: { code: "version_not_found" },
    });
  });

  test("an unknown procedure is a 404", async () => {
    const harness = await createHarness();
    expect(await harness.ask(start("nobody"), { key: await harness.key(), body: { data: {} } })).toMatchObject({
      status: 404,
      body: { code: "procedure_not_found" },
    });
  });

  test("data that violates the input schema is a 422 with every violation", async () => {
    const harness = await createHarness();
    const answer = await harness.ask(start("ask"), { key: await harness.key(), body: { data: { amount: "5" } } });
    expect(answer).toMatchObject({ status: 422, body: { code: "invalid_input", details: [{ path: "/data/amount" }] } });
  });

  test("a number that a double cannot represent is a 422 with its pointer", async () => {
    const harness = await createHarness();
    const text = '{"data":{"rows":[{"amount":9007199254740993}]}}';
    const answer = await harness.ask(start("echo"), { key: await harness.key(), text });
    expect(answer).toMatchObject({
      status: 422,
      body: { code: "inexact_number", details: [{ path: "/data/rows/0/amount" }] },
    });
  });

  test("a caller that disconnects ends the wait but not the run", async () => {
    const clock = manualClock();
    const harness = await createHarness({ clock });
    const key = await harness.key();
    const caller = new AbortController();
    const asked = harness.ask(start("slow"), { key, body: { data: {}, control: sync }, signal: caller.signal });
    await clock.advance(10);
    caller.abort();
    await asked;
    const runs = await harness.ask("GET /api/v1/runs", { key });
    expect(runs.body).toMatchObject({ data: [{ procedureId: "slow", status: "running" }] });
    harness.release();
    await clock.advance(10);
    const after = await harness.ask("GET /api/v1/runs", { key });
    expect(after.body).toMatchObject({ data: [{ procedureId: "slow", status: "completed" }] });
  });
});

describe.each(["/runs", "/api/v1/runs"])("GET %s/:runId", (path) => {
  test("returns a completed run with its output, and with its steps on request", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const { body } = await harness.ask(start("echo"), { key, body: { data: { a: 1 }, control: sync } });
    const runId = textOf(body["runId"]);
    const facts = {
      runId,
      status: "completed",
      statusUrl: `${origin}/runs/${runId}`,
      procedureId: "echo",
      procedureVersion: "v1",
      environment: "sandbox",
      startedBy: "olga@procedo.test",
      createdAt: expect.any(String),
      completedAt: expect.any(String),
      output: { said: { a: 1 } },
    };
    const plain = await harness.ask(`GET ${path}/${runId}`, { key });
    expect(plain).toMatchObject({ status: 200 });
    expect(plain.body).toEqual(facts);
    const whole = await harness.ask(`GET ${path}/${runId}?include=steps`, { key });
    expect(whole.body).toEqual({
      ...facts,
      steps: [
        expect.objectContaining({ nodeId: "start", kind: "start", input: { a: 1 }, status: "completed", visit: 1 }),
        expect.objectContaining({
          nodeId: "done",
          kind: "end",
          output: { said: { a: 1 } },
          durationMs: expect.any(Number),
        }),
      ],
    });
  });

  test("shows the open review of a waiting run until it is decided", async () => {
    const harness = await createHarness();
    const key = await harness.key(["run", "review"], "sandbox", "rita");
    const runId = await harness.run("ask", key);
    await harness.settled(runId);
    const waiting = await harness.ask(`GET ${path}/${runId}`, { key });
    const review = waiting.body["review"];
    expect(waiting.body["status"]).toBe("awaiting_review");
    expect(review).toEqual({
      reviewId: expect.stringMatching(/^rev_/),
      digest: expect.any(String),
      title: "Pay 5?",
      data: { amount: 5 },
      requestedAt: expect.any(String),
    });
    // Decided, but not resumed yet: there is no open review.
    await harness.engine.stop({ drainMs: 0 });
    const body = { approved: true, idempotencyKey: "5f0c3c1e-8b5e-4d0e-9c46-0d8f5a3f7a11" };
    expect(await harness.ask(`POST /api/runner-proxy/review/${runId}`, { key, body })).toMatchObject({ status: 200 });
    const decided = await harness.ask(`GET ${path}/${runId}`, { key });
    expect(decided.body["status"]).toBe("running");
    expect(decided.body).not.toHaveProperty("review");
  });

  test("a missing run is a 404", async () => {
    const harness = await createHarness();
    expect(await harness.ask(`GET ${path}/run_none`, { key: await harness.key() })).toMatchObject({
      status: 404,
      body: { code: "run_not_found", error: expect.stringContaining("run_none") },
    });
  });

  test.each(["include=everything", "steps=1", "include=steps&include=steps", "environment=mars"])(
    "the query %s is a 400",
    async (query) => {
      const harness = await createHarness();
      const key = await harness.key();
      const runId = await harness.run("echo", key);
      expect((await harness.ask(`GET ${path}/${runId}?${query}`, { key })).status).toBe(400);
    },
  );
});

describe("POST /api/v1/procedures/:procedureId/runs", () => {
  test("starts the same run as the Runner's address, also for a repeated key", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const body = { data: { a: 1 } };
    const headers = { "idempotency-key": "invoice-1" };
    const target = "POST /api/v1/procedures/echo/runs?environment=sandbox";
    const created = await harness.ask(target, { key, body, headers });
    expect(created).toMatchObject({ status: 202, body: { status: "running" } });
    const repeated = await harness.ask(start("echo"), { key, body, headers });
    expect(repeated.body["runId"]).toBe(created.body["runId"]);
    const done = await harness.ask(target, { key, body: { ...body, control: sync } });
    expect(done).toMatchObject({ status: 200, body: { status: "completed", output: { said: { a: 1 } } } });
  });
});

describe("POST /api/v1/runs/:runId/cancel", () => {
  test("ends the run as failed, with the actor in the error; also without a body", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const runId = await harness.run("ask", key);
    await harness.settled(runId);
    expect(await harness.ask(`POST /api/v1/runs/${runId}/cancel`, { key })).toMatchObject({
      status: 200,
      body: { success: true },
    });
    await harness.ended(runId);
    const run = await harness.ask(`GET /runs/${runId}`, { key });
    expect(run.body).toMatchObject({ status: "failed", error: expect.stringContaining("Cancelled by olga") });
  });

  test("an ended run is a 409, a missing one a 404", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const { body } = await harness.ask(start("echo"), { key, body: { data: {}, control: sync } });
    expect(await harness.ask(`POST /api/v1/runs/${textOf(body["runId"])}/cancel`, { key, body: {} })).toMatchObject({
      status: 409,
      body: { code: "already_ended" },
    });
    expect(await harness.ask("POST /api/v1/runs/run_none/cancel", { key, body: { reason: "why" } })).toMatchObject({
      status: 404,
      body: { code: "run_not_found" },
    });
  });
});

test("GET /api/v1/runs/:runId/audit returns a signed export that verifies", async () => {
  const harness = await createHarness();
  const key = await harness.key();
  const { body } = await harness.ask(start("echo"), { key, body: { data: {}, control: sync } });
  const runId = textOf(body["runId"]);
  const answer = await harness.ask(`GET /api/v1/runs/${runId}/audit`, { key });
  expect(answer.status).toBe(200);
  expect(verifyExport(answer.body, harness.engine.audit.publicKey())).toMatchObject({ valid: true, runId });
});
