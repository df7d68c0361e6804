import { describe, expect, test } from "vitest";
import { seededRandom } from "@procedo-testing/faults";
import { alice, createHarness, holdDeliveries, uuid, type HarnessEngine } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";

const rounds = 20;

/** One of 100 decisions: 10 people, half of them for and half against, through three engines. */
function decision(engines: readonly HarnessEngine[], runId: string, index: number) {
  const engine = engines[index % engines.length];
  if (engine === undefined) throw new Error("There is no engine.");
  return engine.reviews.decide({
    environment: "sandbox",
    runId,
    approved: index % 2 === 0,
    rejectionReason: `person ${index % 10} says no`,
    idempotencyKey: uuid(),
    by: { person: `person-${index % 10}` },
  });
}

function shuffled<T>(items: readonly T[], uniform: () => number): readonly T[] {
  const result = [...items];
  for (let index = result.length - 1; index > 0; index--) {
    const other = Math.floor(uniform() * (index + 1));
    const [a, b] = [result[index] as T, result[other] as T];
    result[index] = b;
    result[other] = a;
  }
  return result;
}

describe("100 concurrent decisions by 10 people through three engines", () => {
  test(`have exactly one outcome, one resume and one event, ${rounds} times`, async () => {
    for (let round = 0; round < rounds; round++) {
      const harness = await createHarness();
      const engines = [harness.engine, await harness.addEngine(), await harness.addEngine()];
      engines.forEach(holdDeliveries);
      const { webhookId } = await harness.engine.webhooks.create({
        url: "https://93.184.216.34/x",
        events: ["run_completed", "run_failed"],
        environment: "sandbox",
        by: alice,
      });
      const runId = await harness.runOf(procedure([review("r"), call("a", "once")]));
      const order = shuffled([...Array(100).keys()], seededRandom(round).uniform);
      const results = await Promise.allSettled(order.map((index) => decision(engines, runId, index)));
      await harness.clock.advance(3_000);

      const winners = results.flatMap((result) => (result.status === "fulfilled" ? [result.value] : []));
      const losers = results.flatMap((result) =>
        result.status === "rejected" ? [result.reason as { code: string; message: string }] : [],
      );
      expect(winners, `round ${round}`).toHaveLength(1);
      expect(
        losers.map(({ code }) => code),
        `round ${round}`,
      ).toEqual(Array(99).fill("already_decided"));
      const [outcome] = winners;
      for (const { message } of losers) expect(message).toContain(outcome?.status ?? "?");

      const run = await harness.read(runId);
      const approved = outcome?.status === "approved";
      expect(run.status).toBe(approved ? "completed" : "failed");
      expect(harness.bank.calls).toHaveLength(approved ? 1 : 0);
      const answers = (await harness.entries(runId)).filter(({ type }) => type === "review_closed");
      expect(answers).toMatchObject([{ answer: { status: outcome?.status } }]);
      const [asked] = await harness.reviews(runId);
      expect(asked).toMatchObject({ status: outcome?.status, decisions: [{ approved }] });
      const deliveries = await harness.engine.webhooks.deliveries({ environment: "sandbox", webhookId, limit: 10 });
      expect(deliveries.items).toHaveLength(1);
    }
  });

  test("with a quorum of three count three different people, and the others are conflicts", async () => {
    const harness = await createHarness();
    const engines = [harness.engine, await harness.addEngine(), await harness.addEngine()];
    const runId = await harness.runOf(procedure([review("r", { approvals: 3 }), call("a", "once")]));
    const results = await Promise.allSettled([...Array(50).keys()].map((index) => decision(engines, runId, index * 2)));
    await harness.clock.advance(3_000);
    const statuses = results.flatMap((result) => (result.status === "fulfilled" ? [result.value.status] : []));
    expect(statuses.sort()).toEqual(["approved", "recorded", "recorded"]);
    const people = (await harness.reviews(runId))[0]?.decisions.map(({ person }) => person) ?? [];
    expect(new Set(people).size).toBe(3);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.calls).toHaveLength(1);
  });
});
