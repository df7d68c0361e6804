import { describe, expect, test } from "vitest";
import { alice, createBench, type Bench } from "./bench.ts";
import { end, procedure, review } from "./documents.ts";
import { fails } from "./scripted-bank.ts";
import { pay, perDay, perRun, takenOf, today } from "./bounded-payment.ts";

const asking = { ...perDay, otherwise: "review" } as const;

/** A run of 60 after one of 70 was paid, of the 100 that may be paid in a day. */
async function overLimit(sumLimits = [asking as typeof perDay]): Promise<{ bench: Bench; runId: string }> {
  const bench = await createBench();
  await bench.publish(
    procedure([pay(sumLimits), end("rejected", { why: "{{ nodes.pay.error }}" })], {
      edges: ["start > pay", "pay > done", "pay:rejected > rejected"],
    }),
  );
  await bench.run({ amount: 70 });
  return { bench, runId: await bench.run({ amount: 60 }) };
}

describe("a call for which its limits have no room", () => {
  test("is shown to people with every limit: what is taken, what it asks for, and of which day", async () => {
    const { bench, runId } = await overLimit([asking, { ...perRun, name: "total" }]);
    expect((await bench.read(runId)).status).toBe("awaiting_review");
    expect(await bench.reviews(runId)).toMatchObject([
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
              asked: 60,
              exceeded: true,
              per: "day",
              day: "2026-01-02",
              timeZone: "Europe/Berlin",
            },
            { limit: "total", atMost: 100, taken: 0, asked: 60, exceeded: false, per: "run" },
          ],
          connection: "bank",
          action: "pay",
          arguments: { to: "acme", amount: 60 },
        },
        call: { nodeId: "pay", args: { to: "acme", amount: 60 } },
        rules: { outputs: false },
      },
    ]);
    expect(bench.bank.calls).toHaveLength(1);
    expect(await takenOf(bench, "daily", today)).toBe(70);
  });

  test("goes beyond them when a person approves it, and counts", async () => {
    const { bench, runId } = await overLimit();
    await bench.decide(runId);
    expect((await bench.read(runId)).status).toBe("completed");
    expect(bench.bank.calls.map(({ args }) => args["amount"])).toEqual([70, 60]);
    expect(await takenOf(bench, "daily", today)).toBe(130);
    // The approval was of this call: the next one asks again, however small it is.
    const next = await bench.run({ amount: 1 });
    expect((await bench.read(next)).status).toBe("awaiting_review");
    expect((await bench.reviews(next))[0]?.data).toMatchObject({ limits: [{ taken: 130, asked: 1 }] });
  });

  test("goes beyond them also when another engine carries the approval out, from the journal alone", async () => {
    const { bench, runId } = await overLimit();
    await bench.engine.stop();
    const heir = await bench.addEngine();
    await heir.reviews.decide({
      environment: "sandbox",
      runId,
      approved: true,
      idempotencyKey: crypto.randomUUID(),
      by: { person: "bob" },
    });
    await bench.clock.advance(5_000);
    expect(await heir.runs.get({ environment: "sandbox", runId })).toMatchObject({ status: "completed" });
    expect(await takenOf(bench, "daily", today)).toBe(130);
  });

  test("gives back what it took beyond them when it surely was not made", async () => {
    const { bench, runId } = await overLimit();
    bench.bank.plan("pay", fails("The account is closed."));
    await bench.decide(runId);
    expect((await bench.read(runId)).status).toBe("failed");
    expect(await takenOf(bench, "daily", today)).toBe(70);
  });

  test("takes nothing when it is rejected, which has its own branch", async () => {
    const { bench, runId } = await overLimit();
    await bench.decide(runId, { approved: false, rejectionReason: "Not today." });
    expect(await bench.read(runId)).toMatchObject({ status: "completed", output: { why: "Not today." } });
    expect(await takenOf(bench, "daily", today)).toBe(70);
  });

  test("takes nothing when its run is cancelled before anybody has decided", async () => {
    const { bench, runId } = await overLimit();
    await bench.engine.runs.cancel({ environment: "sandbox", runId, by: alice });
    await bench.clock.settle();
    expect((await bench.read(runId)).status).toBe("failed");
    expect(await takenOf(bench, "daily", today)).toBe(70);
  });

  test("asks nobody where one of them says that it fails: that one no person waives", async () => {
    const hard = { ...perDay, name: "hard", atMost: 120 };
    const { bench, runId } = await overLimit([asking, hard]);
    expect(await bench.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining('Sum limit "hard" of "pay" has no room for 60: 70 of 120') as string,
    });
    expect(await bench.reviews(runId)).toEqual([]);
    expect(await takenOf(bench, "daily", today)).toBe(70);
    expect(await takenOf(bench, "hard", today)).toBe(70);
  });

  test("fails after its approval when one that nobody waives has no room any more by then", async () => {
    const hard = { ...perDay, name: "hard", atMost: 140 };
    const { bench, runId } = await overLimit([asking, hard]);
    const other = await bench.run({ amount: 50 });
    await bench.decide(other);
    expect(await takenOf(bench, "hard", today)).toBe(120);
    await bench.decide(runId);
    expect((await bench.read(runId)).error).toContain('"hard"');
    expect(await takenOf(bench, "daily", today)).toBe(120);
    expect(await takenOf(bench, "hard", today)).toBe(120);
  });

  test("is decided on by those who approve it where a review covers it, and is asked about apart from that", async () => {
    const bench = await createBench();
    const covering = review("ok", { covers: "pay", reviewers: { roles: ["treasurer"] }, approvals: 2 });
    await bench.publish(procedure([covering, pay([{ ...asking, atMost: 50 }])]));
    const runId = await bench.run({ amount: 60 });
    const treasurers = ["bob", "carol"].map((person) => ({ person, roles: ["treasurer"] }));
    for (const by of treasurers) await bench.decide(runId, { by });
    const [, held] = await bench.reviews(runId);
    expect(held).toMatchObject({ kind: "guard", status: "open", rules: { roles: ["treasurer"], approvals: 2 } });
    expect(bench.bank.calls).toEqual([]);
    for (const by of treasurers) await bench.decide(runId, { by });
    expect((await bench.read(runId)).status).toBe("completed");
    expect(bench.bank.calls).toHaveLength(1);
    expect(await takenOf(bench, "daily", today)).toBe(60);
  });
});
