/*
 * W1 at concurrency 100 beside 1,000 active triggers, of W1 without them.
 *
 *   node --conditions=@procedo/source benchmarks/triggers/run.ts [--rounds 5]
 *
 * In each round it runs without, beside and again without triggers, in the same process and on the same database. The
 * triggers are schedules, webhooks and custom events in equal parts. The schedules fire once an hour, spread over its
 * minutes, so a few of them fire during the rounds.
 */
import { parseArgs } from "node:util";
import process from "node:process";
import type { GivenTriggerSource } from "@procedo/contract";
import { createEngine, type Engine } from "@procedo/engine";
import { closedLoop, type Load } from "../closed-loop.ts";
import { withFreshFolder } from "../fresh-process.ts";
import { instantTools, paymentInput } from "../payment.ts";
import { w1Document } from "../procedo-documents.ts";
import { openStorage } from "../procedo-storage.ts";
import { integrationOf } from "../procedo.ts";

const { values: options } = parseArgs({ options: { rounds: { type: "string", default: "5" } } });
const count = 1_000;
const load: Load = { concurrency: 100, warmupMs: 600, measureMs: 2_500 };
const floor = 0.97;
const by = { person: "olga" };
const environment = "sandbox";
const { procedureId } = w1Document;

/** A measurement of W1. */
interface Measured {
  readonly perSecond: number;
  readonly cpuUsEach: number;
}

await withFreshFolder(async (directory) => {
  const { storage } = await openStorage({ directory });
  const engine = createEngine({
    storage,
    integrations: [integrationOf(instantTools)],
    masterKey: new Uint8Array(32).fill(7),
    log: { info: () => {}, warn: console.warn, error: console.error },
  });
  await engine.start();
  await engine.procedures.publish({ document: w1Document, version: "v1", defaultIn: [environment], by });

  const measure = measureOf(engine);
  await measure({ ...load, warmupMs: 1_000, measureMs: 4_000 });
  const ratios: number[] = [];
  const cpuRatios: number[] = [];
  for (let round = 1; round <= Number(options.rounds); round++) {
    const without = await measure(load);
    const triggerIds = await createTriggers(engine);
    const beside = await measure(load);
    for (const triggerId of triggerIds) await engine.triggers.remove({ environment, triggerId, by });
    const after = await measure(load);
    // The rate falls as the database grows: the mean of both sides stands for the same moment.
    const reference = (without.perSecond + after.perSecond) / 2;
    ratios.push(beside.perSecond / reference);
    cpuRatios.push(beside.cpuUsEach / ((without.cpuUsEach + after.cpuUsEach) / 2));
    console.error(
      `round ${round}: ${reference.toFixed(0)} runs a second without, ${beside.perSecond.toFixed(0)} beside`,
    );
  }
  await engine.stop({ drainMs: 0 });
  await storage.close();
  const ratio = median(ratios);
  console.log(`W1 c100 beside ${count} triggers, of W1 without: ${ratio.toFixed(3)} (floor ${floor})`);
  console.log(`processor time of a run: ${median(cpuRatios).toFixed(3)} times that without`);
  if (ratio < floor) process.exitCode = 1;
});

function measureOf(engine: Engine): (load: Load) => Promise<Measured> {
  let number = 0;
  const execute = async (): Promise<number> => {
    const begin = performance.now();
    const data = { ...paymentInput(number++) };
    const outcome = await engine.runs.execute({ procedureId, environment, data, by });
    if (outcome.status !== "completed") throw new Error(`Run ${outcome.runId} is ${outcome.status}.`);
    return performance.now() - begin;
  };
  return async (asked) => {
    const before = process.cpuUsage();
    const { ended, seconds, total } = await closedLoop(asked, execute);
    const { user, system } = process.cpuUsage(before);
    return { perSecond: ended / seconds, cpuUsEach: (user + system) / total };
  };
}

async function createTriggers(engine: Engine): Promise<readonly string[]> {
  const created: string[] = [];
  for (let n = 0; n < count; n++) {
    const fields = { name: `trigger ${n}`, procedureId, source: sourceOf(n), input: { ...paymentInput(n) } };
    created.push((await engine.triggers.create({ ...fields, environment, by })).triggerId);
  }
  return created;
}

function sourceOf(n: number): GivenTriggerSource {
  switch (n % 3) {
    case 0:
      return { kind: "schedule", cron: `${n % 60} * * * *`, timeZone: "Europe/Berlin" };
    case 1:
      return { kind: "webhook", authentication: { scheme: "standard_webhooks" } };
    default:
      return { kind: "event", name: `custom.benchmark_${n}` };
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? NaN;
}
