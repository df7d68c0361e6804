import { expect, test } from "vitest";
import { plannedModel, proposes, says } from "../agent-model.ts";
import { createHarness } from "../harness.ts";
import { call, procedure } from "../documents.ts";

const leaseMs = 15_000;
const tried = { procedureId: "p", environment: "sandbox" } as const;

test("a request to a model that was lost with its worker counts for the run's budget as before", async () => {
  const model = plannedModel();
  const harness = await createHarness({ worker: { leaseMs }, models: { arguments: { model } } });
  const document = (modelCalls: number) => ({
    ...procedure([call("pay", "once", { instructions: "Pay." })]),
    budgets: { run: { modelCalls } },
  });
  model.plan(() => new Promise(() => undefined), says("Hm."), proposes({ text: "a" }));
  const runId = await harness.runOf(document(2));
  harness.engine.way.cut();
  const successor = await harness.addEngine();
  await harness.clock.advance(leaseMs + 2_000);
  // One request was lost with its worker, one reply was invalid.
  expect(await successor.runs.get({ environment: "sandbox", runId })).toMatchObject({
    status: "failed",
    error: "The run reached its limit of 2 model calls.",
  });
  const report = await successor.backtest({ ...tried, version: "v1", strict: true });
  expect(report.changes.flatMap(({ differences }) => differences)).toEqual([]);
  expect(report).toMatchObject({ runs: 1, same: 1 });
  expect(await successor.backtest({ ...tried, document: document(3) })).toMatchObject({ diverged: 1 });
  // Models that are asked anew lose no worker.
  const fresh = await successor.backtest({ ...tried, document: document(2), models: "fresh" });
  expect(fresh.changes[0]?.differences.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('the record ends at "pay": "bank.once" is called'),
  );
});
