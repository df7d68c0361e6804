import { describe, expect, test } from "vitest";
import { requestProblems } from "./request-problems.ts";
import { idempotencyKeyHeaderSchema, runReplySchema, startRunRequestSchema } from "./start-run.ts";

const problemsOf = (body: unknown) => {
  const result = startRunRequestSchema.safeParse(body);
  return result.success ? [] : requestProblems(result.error).map(({ kind, path }) => `${kind} ${path}`);
};
const statusUrl = "https://runner.test/runs/run_1";

describe("a start request", () => {
  test("needs only data; by default it is async with a timeout of 60,000 ms", () => {
    expect(startRunRequestSchema.parse({ data: { amount: 1 } })).toEqual({
      data: { amount: 1 },
      control: { executionMode: "async", executionTimeout: 60_000 },
    });
  });

  test("may pin a published version", () => {
    const { metadata } = startRunRequestSchema.parse({ data: {}, metadata: { procedureVersion: "v 1" } });
    expect(metadata?.procedureVersion).toBe("v 1");
  });

  test.each(["async", "sync"])("may be %s", (executionMode) => {
    expect(startRunRequestSchema.parse({ data: {}, control: { executionMode } }).control).toEqual({
      executionMode,
      executionTimeout: 60_000,
    });
  });

  test.each([1_000, 1_000.5, 300_000])("may wait %d ms", (executionTimeout) => {
    expect(problemsOf({ data: {}, control: { executionTimeout } })).toEqual([]);
  });

  test.each([999, 300_001, 0, -1, NaN, Infinity, "60000", null])("may not wait %s ms", (executionTimeout) => {
    expect(problemsOf({ data: {}, control: { executionTimeout } })).toEqual(["invalid /control/executionTimeout"]);
  });

  test.each([undefined, null, [], "text", 1])("needs data that is an object, not %j", (data) => {
    expect(problemsOf({ data })).toEqual(["invalid /data"]);
  });

  test.each([null, [], "text", undefined])("is an object, not %j", (body) => {
    expect(problemsOf(body)).toEqual(["invalid "]);
  });

  test("with unknown fields reports each by name", () => {
    const control = { executionMode: "sync", timeout: 5 };
    expect(problemsOf({ data: {}, control, metadata: { version: "v1" }, mode: "sync" })).toEqual([
      "unknown_field /metadata/version",
      "unknown_field /control/timeout",
      "unknown_field /mode",
    ]);
  });

  test("has no mode but async and sync", () => {
    expect(problemsOf({ data: {}, control: { executionMode: "batch" } })).toEqual(["invalid /control/executionMode"]);
  });
});

describe("a reply", () => {
  test.each([
    { runId: "run_1", status: "running", statusUrl },
    { runId: "run_1", status: "completed", output: {}, completedAt: "2026-01-31T09:30:00.000Z" },
    { runId: "run_1", status: "failed", error: "No.", completedAt: "2026-01-31T09:30:00.000Z" },
    { runId: "run_1", status: "awaiting_review", statusUrl },
    { runId: "run_1", status: "timeout", error: "Exceeded 1000 ms.", statusUrl },
  ])("of status $status has exactly its fields", (reply) => {
    expect(runReplySchema.parse(reply)).toEqual(reply);
    expect(runReplySchema.safeParse({ ...reply, extra: 1 }).success).toBe(false);
    for (const name of Object.keys(reply)) {
      expect(runReplySchema.safeParse({ ...reply, [name]: undefined }).success, name).toBe(false);
    }
  });

  test("that awaits review is not a result: it has no output", () => {
    const reply = { runId: "run_1", status: "awaiting_review", statusUrl, output: {} };
    expect(runReplySchema.safeParse(reply).success).toBe(false);
  });

  test("has no other status", () => {
    expect(runReplySchema.safeParse({ runId: "run_1", status: "cancelled", statusUrl }).success).toBe(false);
  });
});

test("an Idempotency-Key is 1 to 255 visible ASCII characters", () => {
  for (const key of ["a", "order-42/1", "k".repeat(255)]) expect(idempotencyKeyHeaderSchema.parse(key)).toBe(key);
  for (const key of ["", "k".repeat(256), "a b", "schlüssel", "a\n"]) {
    expect(idempotencyKeyHeaderSchema.safeParse(key).success, key).toBe(false);
  }
});
