import { describe, expect, test } from "vitest";
import { createHarness } from "./harness.ts";
import { call, condition, end, procedure, review } from "./documents.ts";
import { pay, perDay, perRun, takenOf, today } from "./bounded-payment.ts";

const branches = procedure([pay([perDay]), end("failed", { why: "{{ nodes.pay.error }}" })], {
  edges: ["start > pay", "pay > done", "pay:error > failed"],
});

describe("a sum limit", () => {
  test("lets calls pass up to it, and records the amount of each", async () => {
    const harness = await createHarness();
    await harness.publish(branches);
    const first = await harness.run({ amount: 60 });
    await harness.run({ amount: 40 });
    expect(harness.bank.calls).toHaveLength(2);
    expect(await takenOf(harness, "daily", today)).toBe(100);
    const intent = (await harness.entries(first)).find(({ type }) => type === "intent");
    expect(intent).toMatchObject({ reserved: [{ budget: `sum/p/pay/daily/${today}`, amount: 60 }] });
  });

  test("fails the step of a call that would exceed it: nothing is sent, and the message states the reason", async () => {
    const harness = await createHarness();
    await harness.publish(branches);
    await harness.run({ amount: 60 });
    const runId = await harness.run({ amount: 41 });
    const why =
      'Sum limit "daily" of "pay" has no room for 41: 60 of 100 is taken on 2026-01-02 (Europe/Berlin). Nothing was sent.';
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { why } });
    expect(harness.bank.calls).toHaveLength(1);
    const raised = (await harness.entries(runId)).find(({ type }) => type === "node_failed");
    expect(raised).toMatchObject({
      error: {
        details: {
          limit: "daily",
          atMost: 100,
          taken: 60,
          requested: 41,
          exceeded: true,
          per: "day",
          day: "2026-01-02",
          timeZone: "Europe/Berlin",
        },
      },
    });
    // A smaller one still fits.
    await harness.run({ amount: 40 });
    expect(await takenOf(harness, "daily", today)).toBe(100);
  });

  test("continues in a later version that keeps node and name, with its new amount", async () => {
    const harness = await createHarness();
    await harness.publish(branches);
    await harness.run({ amount: 60 });
    const wider = {
      ...branches,
      nodes: branches.nodes.map((n) => (n.id === "pay" ? pay([{ ...perDay, atMost: 120 }]) : n)),
    };
    await harness.publish(wider, { version: "v2" });
    await harness.run({ amount: 60 }, { version: "v2" });
    expect(await takenOf(harness, "daily", today)).toBe(120);
    const refused = await harness.run({ amount: 1 }, { version: "v1" });
    expect(await harness.read(refused)).toMatchObject({
      output: { why: expect.stringContaining("120 of 100") as string },
    });
  });

  test("does not count a call for which its condition does not hold", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([pay([{ ...perDay, when: "args.amount >= 50" }])]));
    for (const amount of [60, 49, 49, 40]) await harness.run({ amount });
    expect(harness.bank.calls).toHaveLength(4);
    expect(await takenOf(harness, "daily", today)).toBe(60);
    expect(await harness.read(await harness.run({ amount: 50 }))).toMatchObject({ status: "failed" });
  });

  test("that cannot be evaluated holds the call back, and nothing is reserved", async () => {
    const harness = await createHarness();
    const limit = { ...perDay, sum: "args.amount * 0.5" };
    const runId = await harness.runOf(procedure([pay([limit])]), { amount: 3 });
    expect(await harness.read(runId)).toMatchObject({
      status: "failed",
      error: expect.stringContaining(
        'Sum limit "daily" of "pay": args.amount * 0.5 must give a whole number',
      ) as string,
    });
    expect(harness.bank.calls).toEqual([]);
    expect(await takenOf(harness, "daily", today)).toBe(0);
  });

  test("of a run counts every visit of a loop, and starts at zero for each run", async () => {
    const harness = await createHarness();
    const loop = procedure([pay([{ ...perRun, atMost: 100 }]), condition("again", { yes: "input.amount > 0" }, "no")], {
      edges: ["start > pay", "pay > again", "again:yes > pay", "again:no > done"],
    });
    await harness.publish(loop);
    for (const times of [1, 2]) {
      const runId = await harness.run({ amount: 30 });
      const error = 'Sum limit "total" of "pay" has no room for 30: 90 of 100 is taken in this run. Nothing was sent.';
      expect(await harness.read(runId)).toMatchObject({ status: "failed", error });
      expect(harness.bank.calls).toHaveLength(3 * times);
      expect(await takenOf(harness, "total", `run/${runId}`)).toBe(90);
    }
  });

  test("is reserved together with the others or not at all: without room in one, no other loses any", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([pay([perDay, { ...perRun, atMost: 50 }])]));
    const runId = await harness.run({ amount: 51 });
    expect((await harness.read(runId)).error).toContain('"total"');
    expect(await takenOf(harness, "daily", today)).toBe(0);
    expect(await takenOf(harness, "total", `run/${runId}`)).toBe(0);
    const paid = await harness.run({ amount: 50 });
    expect(await takenOf(harness, "daily", today)).toBe(50);
    expect(await takenOf(harness, "total", `run/${paid}`)).toBe(50);
  });

  test("applies to a call that a person has approved by a covering review", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([review("ok", { covers: "pay" }), pay([perDay])]));
    for (const amount of [70, 31]) await harness.decide(await harness.run({ amount }));
    expect(harness.bank.calls.map(({ args }) => args["amount"])).toEqual([70]);
    expect(await takenOf(harness, "daily", today)).toBe(70);
  });

  test("reserves nothing while a guard waits for a person, and applies after the approval", async () => {
    const harness = await createHarness();
    const guards = [{ check: "args.amount < 50", otherwise: "review" as const }];
    await harness.publish(procedure([pay([perDay], { guards })]));
    const asked = await harness.run({ amount: 70 });
    expect((await harness.read(asked)).status).toBe("awaiting_review");
    expect(await takenOf(harness, "daily", today)).toBe(0);
    await harness.run({ amount: 40 });
    await harness.decide(asked);
    expect((await harness.read(asked)).error).toContain("has no room for 70: 40 of 100");
    expect(await takenOf(harness, "daily", today)).toBe(40);
  });

  test("of one environment does not affect the other", async () => {
    const harness = await createHarness();
    await harness.publish(branches, { defaultIn: ["sandbox", "live"] });
    await harness.run({ amount: 100 });
    await harness.run({ amount: 100 }, { environment: "live" });
    expect(harness.bank.calls.map(({ context }) => context.environment)).toEqual(["sandbox", "live"]);
    await harness.run({ amount: 1 }, { environment: "live" });
    expect(harness.bank.calls).toHaveLength(2);
  });
});

describe("the tool calls of a procedure per day", () => {
  test("are limited over all its nodes and versions, and calls that were not made are not counted", async () => {
    const harness = await createHarness();
    const budgets = { day: { toolCalls: 3, timeZone: "Europe/Berlin" } };
    await harness.publish({ ...procedure([call("a", "read"), call("b", "once")]), budgets });
    const first = await harness.run();
    expect((await harness.read(first)).status).toBe("completed");
    const second = await harness.run();
    expect(await harness.read(second)).toMatchObject({
      status: "failed",
      error: "The procedure's budget of 3 tool calls on 2026-01-02 (Europe/Berlin) is used up. Nothing was sent.",
    });
    expect(harness.bank.calls).toHaveLength(3);
    harness.clock.jump(86_400_000);
    expect((await harness.read(await harness.run())).status).toBe("completed");
  });
});
