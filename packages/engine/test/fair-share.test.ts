import type { Environment } from "@procedo/contract";
import type { RunCommit } from "@procedo/storage";
import { expect, test } from "vitest";
import { alice, createBench, type Bench } from "./bench.ts";
import { call, procedure } from "./documents.ts";
import { held } from "./scripted-bank.ts";

const document = procedure([call("a", "read")]);

async function startMany(bench: Bench, environment: Environment, count: number): Promise<readonly string[]> {
  const request = { procedureId: "p", version: "v1", environment, data: {}, by: alice };
  const started = await Promise.all(Array.from({ length: count }, () => bench.engine.runs.start(request)));
  await bench.clock.settle();
  return started.map(({ runId }) => runId);
}

/** In which order the bank was called. */
function environmentsOf(bench: Bench): readonly string[] {
  return bench.bank.calls.map(({ context }) => context.environment);
}

test("a flood of one environment leaves an eighth of the worker to the other, whose runs begin at once", async () => {
  const bench = await createBench({ worker: { capacity: 16 } });
  await bench.publish(document);
  const slow = held();
  bench.bank.plan("read", ...Array.from({ length: 16 }, () => slow.behaviour));
  const flood = await startMany(bench, "sandbox", 30);
  expect(environmentsOf(bench)).toEqual(Array.from({ length: 14 }, () => "sandbox"));
  await startMany(bench, "live", 2);
  expect(environmentsOf(bench).slice(14)).toEqual(["live", "live"]);
  // What found no share is durable, and is executed when there is room again.
  slow.answer({ id: "late" });
  await bench.clock.advance(1_000);
  for (const runId of flood) expect((await bench.read(runId)).status).toBe("completed");
});

test("a backlog in storage keeps no run of the other environment waiting", async () => {
  const bench = await createBench({ started: false, worker: { capacity: 16 } });
  await bench.publish(document);
  await startMany(bench, "sandbox", 300);
  await bench.clock.advance(1);
  await startMany(bench, "live", 3);
  bench.bank.plan("read", ...Array.from({ length: 16 }, () => held().behaviour));
  await bench.addEngine({ started: true });
  await bench.clock.settle();
  expect(environmentsOf(bench).filter((environment) => environment === "live")).toHaveLength(3);
  expect(environmentsOf(bench)).toHaveLength(16);
});

test("a worker with fewer than eight places shares them as they come", async () => {
  const bench = await createBench({ worker: { capacity: 2 } });
  await bench.publish(document);
  const slow = held();
  bench.bank.plan("read", slow.behaviour, slow.behaviour);
  await startMany(bench, "sandbox", 3);
  await startMany(bench, "live", 1);
  expect(environmentsOf(bench)).toEqual(["sandbox", "sandbox"]);
  slow.answer({});
  await bench.clock.advance(1_000);
  expect(environmentsOf(bench)).toHaveLength(4);
});

test.each([
  ["held while there was room", 0],
  ["took the last of it", 1],
])("a run that found no room begins as soon as one ends that %s", async (_which, ends) => {
  const bench = await createBench({ worker: { capacity: 2, pollMs: 60_000 } });
  await bench.publish(document);
  const slow = [held(), held()];
  bench.bank.plan("read", ...slow.map(({ behaviour }) => behaviour));
  const [, , waiting = ""] = await startMany(bench, "sandbox", 3);
  expect(environmentsOf(bench)).toHaveLength(2);
  slow[ends]?.answer({});
  await bench.clock.settle();
  expect((await bench.read(waiting)).status).toBe("completed");
});

test("L-05 of 10,000 starts at once those that cannot be held are told to come later, and a live start passes them all", async () => {
  const bench = await createBench();
  await bench.publish(procedure([]));
  const created: string[] = [];
  bench.engine.way.on("runs.commit", (work, commit) => {
    created.push((commit as RunCommit).runId);
    return work();
  });
  const start = (environment: Environment) =>
    bench.engine.runs.start({ procedureId: "p", version: "v1", environment, data: {}, by: alice });
  const flood = Promise.allSettled(Array.from({ length: 10_000 }, () => start("sandbox")));
  const live = await start("live");
  expect(created.indexOf(live.runId)).toBeLessThanOrEqual(128);
  await bench.clock.settle();
  const refusals = (await flood).flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
  expect(refusals).toHaveLength(10_000 - 1_024);
  expect(refusals[0]).toMatchObject({ code: "rate_limited", retryAfterMs: 1_000 });
  const { items } = await bench.engine.runs.list({ environment: "sandbox", limit: 1_000 });
  expect(items).toHaveLength(1_000);
});
