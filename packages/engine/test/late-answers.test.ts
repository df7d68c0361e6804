import { ActionError } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { createHarness } from "./harness.ts";
import { call, procedure } from "./documents.ts";
import { answersAfter, hangs, held } from "./scripted-bank.ts";

const retry = { maxAttempts: 2, initialDelayMs: 60_000, maxDelayMs: 60_000 };

const paying = (effect: "idempotent" | "once", settings: Parameters<typeof call>[2] = {}) =>
  procedure([call("a", effect, { timeoutMs: 1_000, retry, ...settings })], {
    output: { id: "{{ nodes.a.output.id }}" },
  });

describe("an answer that arrives while its timed-out call waits for a retry", () => {
  test.each([
    ["idempotent", {}],
    ["once", { onUnknownOutcome: "retry" }],
  ] as const)("settles the call, which is not made again (%s)", async (effect, settings) => {
    const harness = await createHarness();
    harness.bank.plan(effect, answersAfter(harness.clock, 10_000, { id: "late" }));
    const runId = await harness.runOf(paying(effect, settings));
    await harness.clock.advance(12_000);
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { id: "late" } });
    await harness.clock.advance(120_000);
    expect(harness.bank.callsOf(effect)).toHaveLength(1);
    const outcomes = (await harness.entries(runId)).filter(({ type }) => type === "outcome");
    expect(outcomes).toMatchObject([
      { attempt: 1, result: { status: "unknown" } },
      { attempt: 1, result: { status: "ok" }, late: true },
    ]);
  });

  test("ends the step if the service refused it", async () => {
    const harness = await createHarness();
    const hold = held();
    harness.bank.plan("idempotent", hold.behaviour);
    const runId = await harness.runOf(paying("idempotent"));
    await harness.clock.advance(10_000);
    hold.fail(new ActionError("No such account."));
    await harness.clock.advance(120_000);
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining("No such account.") as string,
    });
    expect(harness.bank.callsOf("idempotent")).toHaveLength(1);
  });

  test("survives a restart", async () => {
    const harness = await createHarness();
    const hold = held();
    harness.bank.plan("idempotent", hold.behaviour);
    const runId = await harness.runOf(paying("idempotent"));
    await harness.clock.advance(5_000);
    hold.answer({ id: "late" });
    await harness.clock.settle();
    await harness.engine.stop();
    await harness.addEngine();
    await harness.clock.advance(120_000);
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { id: "late" } });
    expect(harness.bank.callsOf("idempotent")).toHaveLength(1);
  });
});

test("an answer to the first attempt settles the review of the last attempt", async () => {
  const harness = await createHarness();
  harness.bank.plan("idempotent", answersAfter(harness.clock, 300_000, { id: "first" }), hangs());
  const runId = await harness.runOf(paying("idempotent"));
  await harness.clock.advance(100_000);
  expect(await harness.reviews(runId)).toMatchObject([{ kind: "outcome_unknown", status: "open" }]);
  await harness.clock.advance(210_000);
  expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { id: "first" } });
  expect(await harness.reviews(runId)).toMatchObject([{ status: "settled" }]);
  expect(harness.bank.callsOf("idempotent")).toHaveLength(2);
});

test("a late answer that requests a wait of hours uses up no attempt", async () => {
  const harness = await createHarness();
  const hold = held();
  harness.bank.plan("idempotent", hold.behaviour, hangs());
  const runId = await harness.runOf(paying("idempotent"));
  await harness.clock.advance(5_000);
  hold.fail(new ActionError("Daily limit reached.", { retryable: true, retryAfterMs: 7_200_000 }));
  await harness.clock.settle();
  const outcomes = (await harness.entries(runId)).filter(({ type }) => type === "outcome");
  expect(outcomes.at(-1)).toMatchObject({ late: true, deferred: true });
  await harness.clock.advance(7_100_000);
  expect(harness.bank.callsOf("idempotent")).toHaveLength(1);
  // Both of two attempts are left.
  await harness.clock.advance(300_000);
  expect(harness.bank.callsOf("idempotent")).toHaveLength(3);
  expect((await harness.read(runId)).status).toBe("completed");
});
