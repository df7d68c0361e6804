import type { Environment } from "@procedo/contract";
import { expect, test } from "vitest";
import { alice, createBench, type Bench } from "./bench.ts";
import { call, procedure } from "./documents.ts";
import { answers, breaks, held } from "./scripted-bank.ts";

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

/** Of many starts at once the first are executed as they come: they are no crowd yet. */
const beforeCrowd = 31;

test("runs of a burst of starts are durable first, and executed once it is over, each once", async () => {
  const bench = await published();
  const runIds = await startAtOnce(bench, 100);
  expect(bench.bank.calls).toHaveLength(beforeCrowd);
  expect(await statusesOf(bench, runIds.slice(beforeCrowd))).toEqual(["running"]);
  await bench.clock.advance(60);
  expect([bench.bank.calls.length, await statusesOf(bench, runIds)]).toEqual([100, ["completed"]]);
});

test("a few starts at once are executed at once", async () => {
  const bench = await published();
  const runIds = await startAtOnce(bench, beforeCrowd);
  expect(await statusesOf(bench, runIds)).toEqual(["completed"]);
});

test("a run whose caller waits for it is executed in the middle of a burst", async () => {
  const bench = await published();
  const burst = startAtOnce(bench, 60);
  const outcome = bench.engine.runs.execute(requestIn("sandbox"));
  await burst;
  expect(await outcome).toMatchObject({ status: "completed" });
  expect(bench.bank.calls).toHaveLength(beforeCrowd + 1);
});

test("whoever waits for runs of a burst has them executed, and what is started after that at once", async () => {
  const bench = await published();
  const runIds = await startAtOnce(bench, 60);
  const runId = runIds.at(-1) ?? "";
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
  const environments = bench.bank.calls.map(({ context }) => context.environment);
  expect(environments.filter((environment) => environment === "live")).toHaveLength(5);
  expect(environments).toHaveLength(beforeCrowd + 5);
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
  expect(bench.bank.calls).toHaveLength(beforeCrowd);
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

/** Lets time pass while a crowd of starts comes every 20 ms. */
async function crowdsFor(bench: Bench, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 20) {
    await startAtOnce(bench, 32);
    await bench.clock.advance(20);
  }
}

/** How long a run takes for which somebody waits, in a burst of a second. */
async function tookInBurst(bench: Bench): Promise<number> {
  await startAtOnce(bench, 40);
  const beganMs = bench.clock.monotonic();
  let tookMs = NaN;
  const outcome = bench.engine.runs.execute(requestIn("sandbox"));
  const ended = outcome.then(() => (tookMs = bench.clock.monotonic() - beganMs));
  await crowdsFor(bench, 2_000);
  await ended;
  return tookMs;
}

test("a run whose caller waits waits for no burst when the worker has no room for it", async () => {
  const bench = await published({ worker: { capacity: 4 } });
  const slow = held();
  bench.bank.plan("once", ...Array.from({ length: 3 }, () => slow.behaviour));
  const running = Array.from({ length: 3 }, () => bench.engine.runs.execute(requestIn("sandbox")));
  await bench.clock.settle();
  setTimeout(() => slow.answer({}), 0);
  expect(await tookInBurst(bench)).toBeLessThan(500);
  await Promise.all(running);
});

test("nor when it has to be claimed again, after a pause between attempts", async () => {
  const bench = await createBench();
  await bench.publish(procedure([call("a", "read")]));
  bench.bank.plan("read", breaks());
  const outcome = bench.engine.runs.execute(requestIn("sandbox"));
  await bench.clock.settle();
  await startAtOnce(bench, 40);
  await crowdsFor(bench, 1_500);
  expect(await Promise.race([outcome, Promise.resolve("waits still")])).toMatchObject({ status: "completed" });
});

test("starts go first again in a burst that comes long after one that was worked off", async () => {
  const bench = await published();
  await startAtOnce(bench, 40);
  await bench.clock.advance(60_000);
  expect(bench.bank.calls).toHaveLength(40);
  await startAtOnce(bench, 40);
  expect(bench.bank.calls).toHaveLength(40 + beforeCrowd);
  await bench.clock.advance(60);
  expect(bench.bank.calls).toHaveLength(80);
});

test("while runs are put off storage is hardly asked for runs", async () => {
  const bench = await published();
  await startAtOnce(bench, 32);
  const before = bench.engine.way.count("runs.claim");
  await crowdsFor(bench, 2_000);
  expect(bench.engine.way.count("runs.claim") - before).toBeLessThan(60);
});

test("a backlog leaves room to runs that are started after it", async () => {
  const bench = await published({ worker: { capacity: 16 } });
  const first = Array.from({ length: 14 }, () => answers({}));
  bench.bank.plan("once", ...first, ...Array.from({ length: 10 }, () => held().behaviour));
  await startAtOnce(bench, 100);
  expect(bench.bank.calls).toHaveLength(14);
  await bench.clock.advance(60);
  expect(bench.bank.calls).toHaveLength(24);
  expect(await statusesOf(bench, await startAtOnce(bench, 3))).toEqual(["completed"]);
});

test("starts that are refused are no burst", async () => {
  const bench = await published();
  const wrong = { ...requestIn("sandbox"), procedureId: "nobody's" };
  const refused = Promise.allSettled(Array.from({ length: 100 }, () => bench.engine.runs.start(wrong)));
  const runIds = await startAtOnce(bench, 10);
  await refused;
  expect(await statusesOf(bench, runIds)).toEqual(["completed"]);
});
