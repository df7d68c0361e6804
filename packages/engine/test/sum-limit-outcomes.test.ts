import type { ProcedureNode, ToolCallNode } from "@procedo/contract";
import { ActionError } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { alice, createHarness, type Harness } from "./harness.ts";
import { call, condition, procedure } from "./documents.ts";
import { breaks, fails, held, type BankAction, type Behaviour } from "./scripted-bank.ts";
import { pay, perDay, perRun, takenOf, today, tomorrow } from "./bounded-payment.ts";

/** The call `pay` with another effect than the payment's own. */
function payBy(action: BankAction, settings: Partial<ToolCallNode> = {}): ProcedureNode {
  return call("pay", action, { arguments: { amount: "{{ input.amount }}" }, sumLimits: [perDay], ...settings });
}

async function runOf(
  node: ProcedureNode,
  behaviours: readonly Behaviour[],
): Promise<{ harness: Harness; runId: string }> {
  const harness = await createHarness();
  const action = node.kind === "tool_call" ? (node.action as BankAction) : "pay";
  harness.bank.plan(action, ...behaviours);
  return { harness, runId: await harness.runOf(procedure([node]), { amount: 60 }) };
}

async function cancel(harness: Harness, runId: string): Promise<void> {
  await harness.engine.runs.cancel({ environment: "sandbox", runId, by: alice });
  await harness.clock.settle();
}

describe("the amounts that a call has reserved", () => {
  test("are released if the call certainly was not made, and another call can take them", async () => {
    const { harness, runId } = await runOf(pay([perDay]), [fails("The account is closed.")]);
    expect(await harness.read(runId)).toMatchObject({ status: "failed", error: "The account is closed." });
    expect(await takenOf(harness, "daily", today)).toBe(0);
    await harness.run({ amount: 100 });
    expect(await takenOf(harness, "daily", today)).toBe(100);
  });

  test("are reserved once for all its attempts", async () => {
    const { harness, runId } = await runOf(pay([perDay]), [
      fails("busy", { retryable: true }),
      fails("busy", { retryable: true }),
    ]);
    expect(await takenOf(harness, "daily", today)).toBe(60);
    await harness.clock.advance(60_000);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.calls).toHaveLength(3);
    expect(await takenOf(harness, "daily", today)).toBe(60);
    expect(harness.engine.way.count("budgets.reserve")).toBe(1);
    const intents = (await harness.entries(runId)).filter((entry) => entry.type === "intent");
    expect(intents.map(({ reserved }) => reserved)).toEqual(
      [1, 2, 3].map(() => [{ budget: `sum/p/pay/daily/${today}`, amount: 60 }]),
    );
  });

  test("are released after a last attempt that certainly had no effect", async () => {
    const busy = fails("busy", { retryable: true });
    const { harness, runId } = await runOf(pay([perDay], { retry: { maxAttempts: 2 } }), [busy, busy]);
    await harness.clock.advance(60_000);
    expect((await harness.read(runId)).status).toBe("failed");
    expect(await takenOf(harness, "daily", today)).toBe(0);
  });

  test.each([
    ["a person says that it was made", { outputs: { id: "found" } }],
    ["a person rejects the run: it may have been made", { approved: false, rejectionReason: "Unclear." }],
    ["it is sent again and made", {}],
  ])("are kept while the outcome is unknown, and when %s", async (_name, decision) => {
    const { harness, runId } = await runOf(pay([perDay]), [breaks()]);
    expect((await harness.read(runId)).status).toBe("awaiting_review");
    expect(await takenOf(harness, "daily", today)).toBe(60);
    await harness.decide(runId, decision);
    expect(["completed", "failed"]).toContain((await harness.read(runId)).status);
    expect(await takenOf(harness, "daily", today)).toBe(60);
    expect(harness.engine.way.count("budgets.reserve")).toBe(1);
  });

  test("are kept if an uncertain call is sent again and refused: the refusal says nothing about the first attempt", async () => {
    const { harness, runId } = await runOf(pay([perDay]), [breaks(), fails("Already paid.")]);
    await harness.decide(runId);
    await harness.decide(runId, { approved: false, rejectionReason: "Unclear." });
    expect((await harness.read(runId)).status).toBe("failed");
    expect(await takenOf(harness, "daily", today)).toBe(60);
  });

  test("are kept if the procedure fails the run for an unknown outcome", async () => {
    const { harness, runId } = await runOf(pay([perDay], { onUnknownOutcome: "fail" }), [breaks()]);
    expect((await harness.read(runId)).status).toBe("failed");
    expect(await takenOf(harness, "daily", today)).toBe(60);
  });

  test("are kept by a run that is cancelled during its call", async () => {
    const hold = held();
    const { harness, runId } = await runOf(pay([perDay]), [hold.behaviour]);
    await cancel(harness, runId);
    hold.answer({ id: "paid" });
    await harness.clock.settle();
    expect((await harness.read(runId)).error).toBe("Cancelled by alice");
    expect(await takenOf(harness, "daily", today)).toBe(60);
  });

  test("are released by a run that is cancelled between attempts that certainly had no effect", async () => {
    const { harness, runId } = await runOf(pay([perDay]), [fails("busy", { retryable: true })]);
    await cancel(harness, runId);
    expect((await harness.read(runId)).error).toBe("Cancelled by alice");
    expect(await takenOf(harness, "daily", today)).toBe(0);
  });

  test("are kept by a run that is cancelled between attempts of which one may have had an effect", async () => {
    const { harness, runId } = await runOf(payBy("idempotent"), [breaks()]);
    expect((await harness.read(runId)).status).toBe("running");
    await cancel(harness, runId);
    expect((await harness.read(runId)).error).toBe("Cancelled by alice");
    expect(await takenOf(harness, "daily", today)).toBe(60);
  });

  test("are released if a late answer says that the call was not made, and kept if it says that the call was made", async () => {
    for (const [settle, taken] of [
      [(hold: ReturnType<typeof held>) => hold.fail(new ActionError("The account is closed.")), 0],
      [(hold: ReturnType<typeof held>) => hold.answer({ id: "paid" }), 60],
    ] as const) {
      const hold = held();
      const { harness, runId } = await runOf(pay([perDay], { timeoutMs: 1_000 }), [hold.behaviour]);
      await harness.clock.advance(2_000);
      expect((await harness.read(runId)).status).toBe("awaiting_review");
      expect(await takenOf(harness, "daily", today)).toBe(60);
      settle(hold);
      await harness.clock.settle();
      expect((await harness.read(runId)).status).toBe(taken === 0 ? "failed" : "completed");
      expect(await takenOf(harness, "daily", today)).toBe(taken);
    }
  });

  test("of a run are released within it: a loop continues up to the sum of the actual payments", async () => {
    const harness = await createHarness();
    const loop = procedure([pay([perRun]), condition("again", { yes: "input.amount > 0" }, "no")], {
      edges: ["start > pay", "pay > again", "pay:error > again", "again:yes > pay", "again:no > done"],
    });
    harness.bank.plan("pay", fails("no"), fails("no"));
    const runId = await harness.runOf(loop, { amount: 40 });
    // Two were refused, two were made, and every further visit has no room.
    expect(harness.bank.calls).toHaveLength(4);
    expect(await takenOf(harness, "total", `run/${runId}`)).toBe(80);
  });
});

describe("the day of a limit", () => {
  const eightHoursMs = 8 * 3_600_000;

  test("is the date in the limit's zone at the reservation, so that a new day begins at midnight there", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([pay([perDay])]));
    // The harness's clock starts at 12:00 UTC, 13:00 in Berlin.
    await harness.run({ amount: 100 });
    harness.clock.jump(11 * 3_600_000 - 1);
    expect((await harness.read(await harness.run({ amount: 1 }))).status).toBe("failed");
    harness.clock.jump(1);
    expect((await harness.read(await harness.run({ amount: 100 }))).status).toBe("completed");
    expect(await takenOf(harness, "daily", today)).toBe(100);
    expect(await takenOf(harness, "daily", tomorrow)).toBe(100);
  });

  test("that a clock returns to is the old one, with its earlier amounts", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([pay([perDay])]));
    harness.clock.jump(11 * 3_600_000);
    await harness.run({ amount: 70 });
    harness.clock.jump(-1);
    await harness.run({ amount: 70 });
    expect((await harness.read(await harness.run({ amount: 40 }))).status).toBe("failed");
    harness.clock.jump(1);
    expect((await harness.read(await harness.run({ amount: 40 }))).status).toBe("failed");
    expect(await takenOf(harness, "daily", today)).toBe(70);
    expect(await takenOf(harness, "daily", tomorrow)).toBe(70);
  });

  test("stays that of the first attempt, also if a later one succeeds or fails on the next day", async () => {
    for (const [behaviours, taken] of [
      [[fails("busy", { retryable: true, retryAfterMs: 2 * eightHoursMs })], 60],
      [[fails("busy", { retryable: true, retryAfterMs: 2 * eightHoursMs }), fails("no")], 0],
    ] as const) {
      const { harness } = await runOf(pay([perDay]), behaviours);
      expect(await takenOf(harness, "daily", today)).toBe(60);
      harness.clock.jump(2 * eightHoursMs);
      await harness.clock.advance(5_000);
      expect(harness.bank.calls).toHaveLength(2);
      expect(await takenOf(harness, "daily", today)).toBe(taken);
      expect(await takenOf(harness, "daily", tomorrow)).toBe(0);
    }
  });
});
