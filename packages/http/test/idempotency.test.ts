import { describe, expect, test } from "vitest";
import { createHarness, type Harness } from "./harness.ts";

const start = (harness: Harness, key: string, idempotencyKey: string, body: unknown, procedureId = "echo") =>
  harness.ask(`POST /v1/procedures/${procedureId}/sandbox`, {
    key,
    body,
    headers: { "idempotency-key": idempotencyKey },
  });
const runCount = async (harness: Harness) =>
  (await harness.engine.runs.list({ environment: "sandbox", limit: 100 })).items.length;

describe("Idempotency-Key", () => {
  test("makes one run of 50 concurrent starts, async and sync alike", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const modes = ["async", "sync"] as const;
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        start(harness, key, "order-7", { data: { a: 1, b: 2 }, control: { executionMode: modes[n % 2] } }),
      ),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202, 200]));
    expect(new Set(answers.map(({ body }) => body["runId"])).size).toBe(1);
    expect(await runCount(harness)).toBe(1);
  });

  test("with other data or another version is a 409, with another order of members the same run", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const first = await start(harness, key, "k", { data: { a: 1, b: 2 } });
    const again = await start(harness, key, "k", { data: { b: 2, a: 1 } });
    expect(again.body).toEqual(first.body);
    const conflict = { status: 409, body: { code: "idempotency_conflict" } };
    expect(await start(harness, key, "k", { data: { a: 1 } })).toMatchObject(conflict);
    const pinned = { data: { a: 1, b: 2 }, metadata: { procedureVersion: "v1" } };
    expect(await start(harness, key, "k", pinned)).toMatchObject(conflict);
    expect(await runCount(harness)).toBe(1);
  });

  test("belongs to its procedure and environment", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const live = await harness.key(["run"], "live");
    const headers = { "idempotency-key": "k" };
    const answers = [
      await start(harness, key, "k", { data: { amount: 1 } }),
      await start(harness, key, "k", { data: { amount: 1 } }, "ask"),
      await harness.ask("POST /v1/procedures/echo/live", { key: live, headers, body: { data: { amount: 1 } } }),
    ];
    expect(new Set(answers.map(({ body }) => body["runId"])).size).toBe(3);
  });

  test("of a refused start stays unused", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    expect((await start(harness, key, "k", { data: { amount: "no" } }, "ask")).status).toBe(422);
    expect((await start(harness, key, "k", { data: { amount: 1 } }, "ask")).status).toBe(202);
  });

  test("in a sync repeat waits for the started run", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    const first = await start(harness, key, "k", { data: {} }, "slow");
    const repeated = start(harness, key, "k", { data: {}, control: { executionMode: "sync" } }, "slow");
    harness.release();
    expect(await repeated).toMatchObject({ status: 200, body: { runId: first.body["runId"], status: "completed" } });
  });

  test.each(["", " ", "a b", "ä", "x".repeat(256), "k, k"])("%j is invalid: 400", async (idempotencyKey) => {
    const harness = await createHarness();
    const key = await harness.key();
    expect((await start(harness, key, encodeHeader(idempotencyKey), { data: {} })).status).toBe(400);
    expect(await runCount(harness)).toBe(0);
  });

  test("may have 255 visible characters", async () => {
    const harness = await createHarness();
    const key = await harness.key();
    expect((await start(harness, key, "~".repeat(255), { data: {} })).status).toBe(202);
  });
});

/** As its UTF-8 bytes arrive. */
function encodeHeader(text: string): string {
  return Buffer.from(text).toString("latin1");
}
