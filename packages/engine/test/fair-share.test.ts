import type { Environment } from "@procedo/contract";
import type { RunCommit } from "@procedo/storage";
import { expect, test } from "vitest";
import { alice, createHarness, type Harness } from "./harness.ts";
import { call, procedure } from "./documents.ts";
import { held } from "./scripted-bank.ts";

const document = procedure([call("a", "read")]);

async function startMany(harness: Harness, environment: Environment, count: number): Promise<readonly string[]> {
  const request = { procedureId: "p", version: "v1", environment, data: {}, by: alice };
  const started = await Promise.all(Array.from({ length: count }, () => harness.engine.runs.start(request)));
  await harness.clock.settle();
  return started.map(({ runId }) => runId);
}

/** The order of the calls. */
function environmentsOf(harness: Harness): readonly string[] {
  return harness.bank.calls.map(({ context }) => context.environment);
}

test("a flood of one environment leaves an eighth of the worker to the other, whose runs start at once", async () => {
  const harness = await createHarness({ worker: { capacity: 16 } });
  await harness.publish(document);
  const slow = held();
  harness.bank.plan("read", ...Array.from({ length: 16 }, () => slow.behaviour));
  const flood = await startMany(harness, "sandbox", 30);
  expect(environmentsOf(harness)).toEqual(Array.from({ length: 14 }, () => "sandbox"));
  await startMany(harness, "live", 2);
  expect(environmentsOf(harness).slice(14)).toEqual(["live", "live"]);
  // A start without room is durable, and is executed when there is room again.
  slow.answer({ id: "late" });
  await harness.clock.advance(1_000);
  for (const runId of flood) expect((await harness.read(runId)).status).toBe("completed");
});

test("a backlog in storage does not delay runs of the other environment", async () => {
  const harness = await createHarness({ started: false, worker: { capacity: 16 } });
  await harness.publish(document);
  await startMany(harness, "sandbox", 300);
  await harness.clock.advance(1);
  await startMany(harness, "live", 3);
  harness.bank.plan("read", ...Array.from({ length: 16 }, () => held().behaviour));
  await harness.addEngine({ started: true });
  await harness.clock.settle();
  expect(environmentsOf(harness).filter((environment) => environment === "live")).toHaveLength(3);
  expect(environmentsOf(harness)).toHaveLength(16);
});

test("a worker with fewer than eight places shares them in order of arrival", async () => {
  const harness = await createHarness({ worker: { capacity: 2 } });
  await harness.publish(document);
  const slow = held();
  harness.bank.plan("read", slow.behaviour, slow.behaviour);
  await startMany(harness, "sandbox", 3);
  await startMany(harness, "live", 1);
  expect(environmentsOf(harness)).toEqual(["sandbox", "sandbox"]);
  slow.answer({});
  await harness.clock.advance(1_000);
  expect(environmentsOf(harness)).toHaveLength(4);
});

test.each([
  ["was held while there was room", 0],
  ["took the last place", 1],
])("a run that found no room starts as soon as one ends that %s", async (_which, ends) => {
  const harness = await createHarness({ worker: { capacity: 2, pollMs: 60_000 } });
  await harness.publish(document);
  const slow = [held(), held()];
  harness.bank.plan("read", ...slow.map(({ behaviour }) => behaviour));
  const [, , waiting = ""] = await startMany(harness, "sandbox", 3);
  expect(environmentsOf(harness)).toHaveLength(2);
  slow[ends]?.answer({});
  await harness.clock.settle();
  expect((await harness.read(waiting)).status).toBe("completed");
});

test("of 10,000 concurrent starts those without room get a time to retry, and a live start passes them all", async () => {
  const harness = await createHarness();
  await harness.publish(procedure([]));
  const created: string[] = [];
  harness.engine.way.on("runs.commit", (work, commit) => {
    created.push((commit as RunCommit).runId);
    return work();
  });
  const start = (environment: Environment) =>
    harness.engine.runs.start({ procedureId: "p", version: "v1", environment, data: {}, by: alice });
  const flood = Promise.allSettled(Array.from({ length: 10_000 }, () => start("sandbox")));
  const live = await start("live");
  expect(created.indexOf(live.runId)).toBeLessThanOrEqual(128);
  await harness.clock.settle();
  const refusals = (await flood).flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
  expect(refusals).toHaveLength(10_000 - 1_024);
  expect(refusals[0]).toMatchObject({ code: "rate_limited", retryAfterMs: 1_000 });
  const { items } = await harness.engine.runs.list({ environment: "sandbox", limit: 1_000 });
  expect(items).toHaveLength(1_000);
});
