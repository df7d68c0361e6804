/**
 * The benchmark: every workload on every system, each measurement in a fresh process with a fresh database, systems interleaved,
 * medians of three rounds. Prints one table with ratios to the hand-written ceiling of the same run beside their floors and goals,
 * and leaves all samples in `reports/`.
 *
 *   pnpm bench                     everything, in about ten minutes
 *   pnpm bench --only W1,W4        those workloads
 *   pnpm bench --quick             one short round, in about two minutes: to see a large change, not to report
 *   pnpm bench --no-slow-disk      without the cases that add 2 ms to every fsync
 *   pnpm bench --built             packages as they are published (after pnpm build): loading source costs memory that users do not pay
 *
 * The way of a measurement: run (this file) → fresh-process → child → workloads → closed-loop → a system of systems. The service's own
 * (W4, W5, the verifier) are in `service/`.
 */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import process from "node:process";
import { parseArgs } from "node:util";
import type { Measurement } from "./child.ts";
import { DATA_FOLDER, inFreshProcess } from "./fresh-process.ts";
import { describeMachine } from "./machine.ts";
import { measureServiceRound, SERVICE_WORKLOADS } from "./service/service-workloads.ts";
import { compileFsyncShim, SLOW_FSYNC_MS } from "./slow-fsync.ts";
import { SYSTEM_NAMES } from "./systems.ts";
import type { Figures } from "./figures.ts";
import { caseName, type Measured, type MeasuredService, renderMachine, renderTable } from "./table.ts";
import { type Case, CASES, SERVICE_CASES } from "./targets.ts";
import { type Sample, WORKLOADS } from "./workloads.ts";

const FULL = { rounds: 3, warmupMs: 1000, measureMs: 2500 };
const QUICK = { rounds: 1, warmupMs: 600, measureMs: 1200 };
const FULL_SERVICE = { warmupMs: 2500, warmRequests: 20_000, measureMs: 3000, deliveries: 48_000 };
const QUICK_SERVICE = { warmupMs: 1200, warmRequests: 8_000, measureMs: 1200, deliveries: 16_000 };

const { values: options } = parseArgs({
  options: {
    only: { type: "string" },
    quick: { type: "boolean", default: false },
    "slow-disk": { type: "boolean", default: true },
    built: { type: "boolean", default: false },
  },
  allowNegative: true,
});
const only = workloadsNamed(options.only);
const plan = options.quick ? QUICK : FULL;
const servicePlan = { ...(options.quick ? QUICK_SERVICE : FULL_SERVICE), built: options.built };

await mkdir(DATA_FOLDER, { recursive: true });
const machine = await describeMachine(DATA_FOLDER);
process.stdout.write(`${renderMachine(machine)}, packages ${options.built ? "as built" : "from source"}\n`);
const shim = await compileFsyncShim(process.execPath);
if (shim.state === "missing" && options["slow-disk"]) {
  process.stdout.write(`THE +${SLOW_FSYNC_MS} MS CASES ARE LEFT OUT: ${shim.reason}.\n`);
}
const withSlowDisk = shim.state === "ready" && options["slow-disk"];
const cases = CASES.filter((each) => only.includes(each.workload) && (withSlowDisk || !each.slowDisk));
const results = cases.map((each) => ({
  ...each,
  samples: new Map<string, Sample[]>(SYSTEM_NAMES.map((name) => [name, []])),
}));

const serviceResults = SERVICE_CASES.filter((each) => only.includes(each.workload)).map((each) => ({
  ...each,
  samples: new Map<string, Figures[]>(each.systems.map((name) => [name, []])),
}));

const beganAt = Date.now();
for (let round = 1; round <= plan.rounds; round++) {
  for (const each of results) {
    for (const [system, samples] of each.samples) {
      process.stderr.write(`round ${round}/${plan.rounds}  ${caseName(each)}  ${system}\n`);
      samples.push(await measureOnce(each, system));
    }
  }
  for (const { name, samples } of serviceResults) {
    process.stderr.write(`round ${round}/${plan.rounds}  ${name}\n`);
    for await (const [system, figures] of measureServiceRound(name, servicePlan)) samples.get(system)?.push(figures);
  }
}
if (shim.state === "ready") await shim.remove();

process.stdout.write(`\n${renderTable(results, serviceResults)}\n`);
const seconds = Math.round((Date.now() - beganAt) / 1000);
process.stdout.write(
  `\n${plan.rounds} round(s), ${seconds} s, report ${await writeReport([...results, ...serviceResults])}\n`,
);

async function measureOnce(each: Case, system: string): Promise<Sample> {
  const { workload, concurrency } = each;
  const asked: Measurement = { system, workload, concurrency, warmupMs: plan.warmupMs, measureMs: plan.measureMs };
  const slow = each.slowDisk && shim.state === "ready" ? shim.environment(SLOW_FSYNC_MS) : {};
  return JSON.parse(await inFreshProcess("child.ts", asked, { environment: slow, built: options.built })) as Sample;
}

async function writeReport(measured: readonly (Measured | MeasuredService)[]): Promise<string> {
  const folder = path.join(import.meta.dirname, "..", "reports");
  await mkdir(folder, { recursive: true });
  const at = new Date().toISOString();
  const file = path.join(folder, `bench-${at.replaceAll(/[:.]/g, "-")}.json`);
  const entries = measured.map((each) => ({ ...each, samples: Object.fromEntries(each.samples) }));
  await writeFile(file, `${JSON.stringify({ at, machine, plan, servicePlan, cases: entries }, null, 2)}\n`);
  return path.relative(process.cwd(), file);
}

function workloadsNamed(list: string | undefined): readonly string[] {
  const all: readonly string[] = [...WORKLOADS, ...SERVICE_WORKLOADS];
  if (list === undefined) return all;
  return list.split(",").map((name) => {
    const workload = all.find((each) => each.toLowerCase() === name.trim().toLowerCase());
    if (workload === undefined) throw new Error(`No workload is named "${name}"; there are ${all.join(", ")}.`);
    return workload;
  });
}
