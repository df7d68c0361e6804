import type { Environment } from "@procedo/contract";
import { expect, test } from "vitest";
import { alice, createBench, type Bench } from "./bench.ts";
import { call, procedure } from "./documents.ts";

const document = procedure([call("a", "once")]);
const requestIn = (environment: Environment) =>
  ({ procedureId: "p", version: "v1", environment, data: {}, by: alice }) as const;

/** Starts so many at once; each is durable when this answers. */
async function startAtOnce(bench: Bench, count: number, environment: Environment = "sandbox") {
  const request = requestIn(environment);
  const started = await Promise.all(Array.from({ length: count }, () => bench.engine.runs.start(request)));
  await bench.clock.settle();
  return started.map(({ runId }) => runId);
}

async function statusesOf(bench: Bench, runIds: readonly string[]): Promise<readonly string[]> {
  const views = await Promise.all(runIds.map((runId) => bench.read(runId)));
  return [...new Set(views.map(({ status }) => status))];
}

async function published(options: Parameters<typeof createBench>[0] = {}): Promise<Bench> {
  const bench = await createBench(options);
  await bench.publish(document);
  return bench;
}

test("runs of a burst of starts are durable first, and executed once it is over, each once", async () => {
  const bench = await published();
  const runIds = await startAtOnce(bench, 100);
  expect([bench.bank.calls.length, await statusesOf(bench, runIds)]).toEqual([0, ["running"]]);
  await bench.clock.advance(60);
  expect([bench.bank.calls.length, await statusesOf(bench, runIds)]).toEqual([100, ["completed"]]);
});

test("a few starts at once are executed at once", async () => {
  const bench = await published();
  const runIds = await startAtOnce(bench, 31);
  expect(await statusesOf(bench, runIds)).toEqual(["completed"]);
});

test("a run whose caller waits for it is executed in the middle of a burst", async () => {
  const bench = await published();
  const burst = startAtOnce(bench, 60);
  const outcome = bench.engine.runs.execute(requestIn("sandbox"));
  await burst;
  expect(await outcome).toMatchObject({ status: "completed" });
  expect(bench.bank.calls).toHaveLength(1);
});

test("whoever waits for runs of a burst has them executed, and what is started after that at once", async () => {
  const bench = await published();
  const runIds = await startAtOnce(bench, 60);
  const [runId = ""] = runIds;
  const outcome = bench.engine.runs.wait({ environment: "sandbox", runId });
  await bench.clock.advance(60);
  expect(await outcome).toMatchObject({ status: "completed" });
  expect(await statusesOf(bench, await startAtOnce(bench, 60))).toEqual(["completed"]);
});

test("a burst of one environment puts off no start of the other", async () => {
  const bench = await published();
  const burst = startAtOnce(bench, 60);
  await startAtOnce(bench, 5, "live");
  await burst;
  expect(bench.bank.calls.map(({ context }) => context.environment)).toEqual(Array.from({ length: 5 }, () => "live"));
});

test("what one process leaves in a burst, another executes at once", async () => {
  const bench = await published();
  await bench.addEngine();
  const runIds = await startAtOnce(bench, 100);
  expect(await statusesOf(bench, runIds)).toEqual(["completed"]);
  await bench.clock.advance(60);
  expect(bench.bank.calls).toHaveLength(100);
});

test("a process that stops in a burst leaves its runs to the next", async () => {
  const bench = await published();
  const runIds = await startAtOnce(bench, 100);
  await bench.engine.stop();
  await bench.clock.advance(60);
  expect(bench.bank.calls).toHaveLength(0);
  await bench.addEngine();
  await bench.clock.settle();
  expect([bench.bank.calls.length, await statusesOf(bench, runIds)]).toEqual([100, ["completed"]]);
});

test("a backlog that is larger than the worker's room is worked off without waiting to be told", async () => {
  const bench = await published({ worker: { capacity: 40, pollMs: 10_000 } });
  const runIds = await startAtOnce(bench, 500);
  await bench.clock.advance(60);
  expect(await statusesOf(bench, runIds)).toEqual(["completed"]);
});
