import { describe, expect, test } from "vitest";
import { alice, createHarness, type Harness } from "./harness.ts";
import { end, procedure, review } from "./documents.ts";
import { fails } from "./scripted-bank.ts";
import { pay, perDay, perRun, takenOf, today } from "./bounded-payment.ts";

const asking = { ...perDay, otherwise: "review" } as const;

/** A run of 60 after a payment of 70, with a daily limit of 100. */
async function overLimit(sumLimits = [asking as typeof perDay]): Promise<{ harness: Harness; runId: string }> {
  const harness = await createHarness();
  await harness.publish(
    procedure([pay(sumLimits), end("rejected", { why: "{{ nodes.pay.error }}" })], {
      edges: ["start > pay", "pay > done", "pay:rejected > rejected"],
    }),
  );
  await harness.run({ amount: 70 });
  return { harness, runId: await harness.run({ amount: 60 }) };
}

describe("a call that exceeds its limits", () => {
  test("is shown with every limit: its total, the requested amount and its day", async () => {
    const { harness, runId } = await overLimit([asking, { ...perRun, name: "total" }]);
    expect((await harness.read(runId)).status).toBe("awaiting_review");
    expect(await harness.reviews(runId)).toMatchObject([
      {
        kind: "guard",
        title: "Limit reached: Pay",
        status: "open",
        data: {
          guards: [],
          limits: [
            {
              limit: "daily",
              atMost: 100,
              taken: 70,
              requested: 60,
              exceeded: true,
              per: "day",
              day: "2026-01-02",
              timeZone: "Europe/Berlin",
            },
            { limit: "total", atMost: 100, taken: 0, requested: 60, exceeded: false, per: "run" },
          ],
          connection: "bank",
          action: "pay",
          arguments: { to: "acme", amount: 60 },
        },
        call: { nodeId: "pay", args: { to: "acme", amount: 60 } },
        rules: { outputs: false },
      },
    ]);
    expect(harness.bank.calls).toHaveLength(1);
    expect(await takenOf(harness, "daily", today)).toBe(70);
  });

  test("exceeds them if a person approves it, and counts", async () => {
    const { harness, runId } = await overLimit();
    await harness.decide(runId);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.calls.map(({ args }) => args["amount"])).toEqual([70, 60]);
    expect(await takenOf(harness, "daily", today)).toBe(130);
    // The approval covered this call: the next one opens a review again, however small it is.
    const next = await harness.run({ amount: 1 });
    expect((await harness.read(next)).status).toBe("awaiting_review");
    expect((await harness.reviews(next))[0]?.data).toMatchObject({ limits: [{ taken: 130, requested: 1 }] });
  });

  test("exceeds them also if another engine executes the approval, from the journal alone", async () => {
    const { harness, runId } = await overLimit();
    await harness.engine.stop();
    const successor = await harness.addEngine();
    await successor.reviews.decide({
      environment: "sandbox",
      runId,
      approved: true,
      idempotencyKey: crypto.randomUUID(),
      by: { person: "bob" },
    });
    await harness.clock.advance(5_000);
    expect(await successor.runs.get({ environment: "sandbox", runId })).toMatchObject({ status: "completed" });
    expect(await takenOf(harness, "daily", today)).toBe(130);
  });

  test("releases the excess if it certainly was not made", async () => {
    const { harness, runId } = await overLimit();
    harness.bank.plan("pay", fails("The account is closed."));
    await harness.decide(runId);
    expect((await harness.read(runId)).status).toBe("failed");
    expect(await takenOf(harness, "daily", today)).toBe(70);
  });

  test("reserves nothing if it is rejected, by its own branch", async () => {
    const { harness, runId } = await overLimit();
    await harness.decide(runId, { approved: false, rejectionReason: "Not today." });
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { why: "Not today." } });
    expect(await takenOf(harness, "daily", today)).toBe(70);
  });

  test("reserves nothing if its run is cancelled before a decision", async () => {
    const { harness, runId } = await overLimit();
    await harness.engine.runs.cancel({ environment: "sandbox", runId, by: alice });
    await harness.clock.settle();
    expect((await harness.read(runId)).status).toBe("failed");
    expect(await takenOf(harness, "daily", today)).toBe(70);
  });

  test("opens no review if one of the limits cannot be waived", async () => {
    const hard = { ...perDay, name: "hard", atMost: 120 };
    const { harness, runId } = await overLimit([asking, hard]);
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining('Sum limit "hard" of "pay" has no room for 60: 70 of 120') as string,
    });
    expect(await harness.reviews(runId)).toEqual([]);
    expect(await takenOf(harness, "daily", today)).toBe(70);
    expect(await takenOf(harness, "hard", today)).toBe(70);
  });

  test("fails after its approval if a limit that cannot be waived has no room by then", async () => {
    const hard = { ...perDay, name: "hard", atMost: 140 };
    const { harness, runId } = await overLimit([asking, hard]);
    const other = await harness.run({ amount: 50 });
    await harness.decide(other);
    expect(await takenOf(harness, "hard", today)).toBe(120);
    await harness.decide(runId);
    expect((await harness.read(runId)).error).toContain('"hard"');
    expect(await takenOf(harness, "daily", today)).toBe(120);
    expect(await takenOf(harness, "hard", today)).toBe(120);
  });

  test("is decided by its own reviewers if a review covers it, in a separate review", async () => {
    const harness = await createHarness();
    const covering = review("ok", { covers: "pay", reviewers: { roles: ["treasurer"] }, approvals: 2 });
    await harness.publish(procedure([covering, pay([{ ...asking, atMost: 50 }])]));
    const runId = await harness.run({ amount: 60 });
    const treasurers = ["bob", "carol"].map((person) => ({ person, roles: ["treasurer"] }));
    for (const by of treasurers) await harness.decide(runId, { by });
    const [, held] = await harness.reviews(runId);
    expect(held).toMatchObject({ kind: "guard", status: "open", rules: { roles: ["treasurer"], approvals: 2 } });
    expect(harness.bank.calls).toEqual([]);
    for (const by of treasurers) await harness.decide(runId, { by });
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.calls).toHaveLength(1);
    expect(await takenOf(harness, "daily", today)).toBe(60);
  });
});
