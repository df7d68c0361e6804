import { ActionError } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { createBench } from "./bench.ts";
import { call, procedure } from "./documents.ts";
import { answersAfter, hangs, held } from "./scripted-bank.ts";

const retry = { maxAttempts: 2, initialDelayMs: 60_000, maxDelayMs: 60_000 };

const paying = (effect: "idempotent" | "once", settings: Parameters<typeof call>[2] = {}) =>
  procedure([call("a", effect, { timeoutMs: 1_000, retry, ...settings })], {
    output: { id: "{{ nodes.a.output.id }}" },
  });

describe("an answer that arrives while its timed-out call waits to be repeated", () => {
  test.each([
    ["idempotent", {}],
    ["once", { onUnknownOutcome: "retry" }],
  ] as const)("settles the call, which is not made again (%s)", async (effect, settings) => {
    const bench = await createBench();
    bench.bank.plan(effect, answersAfter(bench.clock, 10_000, { id: "late" }));
    const runId = await bench.runOf(paying(effect, settings));
    await bench.clock.advance(12_000);
    expect(await bench.read(runId)).toMatchObject({ status: "completed", output: { id: "late" } });
    await bench.clock.advance(120_000);
    expect(bench.bank.callsOf(effect)).toHaveLength(1);
    const outcomes = (await bench.entries(runId)).filter(({ type }) => type === "outcome");
    expect(outcomes).toMatchObject([
      { attempt: 1, result: { status: "unknown" } },
      { attempt: 1, result: { status: "ok" }, late: true },
    ]);
  });

  test("ends the step when the service refused it", async () => {
    const bench = await createBench();
    const hold = held();
    bench.bank.plan("idempotent", hold.behaviour);
    const runId = await bench.runOf(paying("idempotent"));
    await bench.clock.advance(10_000);
    hold.fail(new ActionError("No such account."));
    await bench.clock.advance(120_000);
    expect(await bench.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("No such account.") as string,
    });
    expect(bench.bank.callsOf("idempotent")).toHaveLength(1);
  });

  test("is there after a restart", async () => {
    const bench = await createBench();
    const hold = held();
    bench.bank.plan("idempotent", hold.behaviour);
    const runId = await bench.runOf(paying("idempotent"));
    await bench.clock.advance(5_000);
    hold.answer({ id: "late" });
    await bench.clock.settle();
    await bench.engine.stop();
    await bench.addEngine();
    await bench.clock.advance(120_000);
    expect(await bench.read(runId)).toMatchObject({ status: "completed", output: { id: "late" } });
    expect(bench.bank.callsOf("idempotent")).toHaveLength(1);
  });
});

test("the first attempt's answer settles the question about the last attempt", async () => {
  const bench = await createBench();
  bench.bank.plan("idempotent", answersAfter(bench.clock, 300_000, { id: "first" }), hangs());
  const runId = await bench.runOf(paying("idempotent"));
  await bench.clock.advance(100_000);
  expect(await bench.reviews(runId)).toMatchObject([{ kind: "outcome_unknown", status: "open" }]);
  await bench.clock.advance(210_000);
  expect(await bench.read(runId)).toMatchObject({ status: "completed", output: { id: "first" } });
  expect(await bench.reviews(runId)).toMatchObject([{ status: "settled" }]);
  expect(bench.bank.callsOf("idempotent")).toHaveLength(2);
});

test("a late answer that asks for a wait of hours uses up no attempt", async () => {
  const bench = await createBench();
  const hold = held();
  bench.bank.plan("idempotent", hold.behaviour, hangs());
  const runId = await bench.runOf(paying("idempotent"));
  await bench.clock.advance(5_000);
  hold.fail(new ActionError("Daily limit reached.", { retryable: true, retryAfterMs: 7_200_000 }));
  await bench.clock.settle();
  const outcomes = (await bench.entries(runId)).filter(({ type }) => type === "outcome");
  expect(outcomes.at(-1)).toMatchObject({ late: true, deferred: true });
  await bench.clock.advance(7_100_000);
  expect(bench.bank.callsOf("idempotent")).toHaveLength(1);
  // Of two attempts both are left.
  await bench.clock.advance(300_000);
  expect(bench.bank.callsOf("idempotent")).toHaveLength(3);
  expect((await bench.read(runId)).status).toBe("completed");
});
