import type { SumLimit } from "@procedo/contract";
import { createTestEnvironment, once, refuses, scriptedModel } from "@procedo/engine/testing";
import { expect, test } from "vitest";
import { call, procedure } from "../documents.ts";

const daily: SumLimit = {
  name: "daily",
  sum: "args.amount",
  atMost: 1_000,
  per: "day",
  timeZone: "UTC",
  otherwise: "review",
};
const paying = (limits: readonly SumLimit[]) =>
  procedure([call("pay", "pay", { arguments: { amount: "{{ input.amount }}" }, sumLimits: [...limits] })]);
const tried = { procedureId: "p", environment: "sandbox" } as const;

test("an unchanged limit gives the same answers; a lower one shows which runs it would have held back", async () => {
  const pay = once(({ amount }: { amount: number }) => (amount === 7 ? refuses("No.") : { ok: true }));
  const environment = await createTestEnvironment({ document: paying([daily]), actions: { bank: { pay } } });
  const { backtest } = environment.engine;
  for (const amount of [600, 7, 300, 300]) {
    const run = await environment.run({ input: { amount } });
    if (run.status === "awaiting_review") await run.approve();
  }
  expect(await backtest({ ...tried, version: "test", strict: true })).toMatchObject({ runs: 4, same: 4 });
  // Only the newest run: the runs that had used the limit are not replayed, but the record contains the result.
  expect(await backtest({ ...tried, version: "test", runs: { limit: 1 } })).toMatchObject({ runs: 1, same: 1 });

  const lower = await backtest({ ...tried, document: paying([{ ...daily, atMost: 500 }]) });
  expect(lower.summary).toContainEqual({ what: 'a review is needed at "pay" (guard)', runs: 1 });
  expect(lower).toMatchObject({ same: 2, changed: 1, diverged: 1 });
  const without = await backtest({ ...tried, document: paying([]) });
  expect(without.summary).toEqual([{ what: 'a review is no longer needed at "pay" (guard)', runs: 1 }]);
});

test("the sums of a run count its own calls only", async () => {
  const perRun: SumLimit = { name: "run", sum: "args.amount", atMost: 100, per: "run", otherwise: "fail" };
  const document = (limit: SumLimit) =>
    procedure([call("pay", "pay", { instructions: "Pay.", maxCalls: 5, sumLimits: [limit] })]);
  const models = scriptedModel([
    { call: { amount: 60 } },
    { call: { amount: "40" } },
    { call: { amount: 30 } },
    { text: "Done." },
    { call: { amount: 90 } },
    { call: { amount: 20 } },
  ]);
  const pay = once(({ amount }: { amount: number }) => ({ paid: amount }));
  const environment = await createTestEnvironment({ document: document(perRun), models, actions: { bank: { pay } } });
  const runs = [await environment.run(), await environment.run(), await environment.run()];
  expect(runs.map(({ status }) => status)).toEqual(["failed", "completed", "failed"]);
  const { backtest } = environment.engine;
  expect(await backtest({ ...tried, version: "test", strict: true })).toMatchObject({ runs: 3, same: 3 });
  const higher = await backtest({ ...tried, document: document({ ...perRun, atMost: 1_000 }) });
  expect(higher).toMatchObject({ same: 2, diverged: 1 });
});
