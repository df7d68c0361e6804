/**
 * Profiles time and memory: runs a workload of one system under V8's sampling profiler in a fresh process and prints
 * the self time of each package, folder and function.
 *
 *   node --conditions=@procedo/source benchmarks/profile.ts [--system procedo-sqlite|procedo-postgres] [--workload W1] [--concurrency 100]
 *   node --conditions=@procedo/source benchmarks/profile.ts --service async|accept|server-accept|inbound|sync|deliveries   the interface (W4) or the sender (W5); on Postgres with --system procedo-postgres
 *   node --conditions=@procedo/source benchmarks/profile.ts --allocations                bytes allocated instead of time, of a workload or a service
 *   node --conditions=@procedo/source benchmarks/profile.ts --growth [--runs 100000]     memory over that many runs
 */
import process from "node:process";
import { parseArgs } from "node:util";
import { inFreshProcess } from "./fresh-process.ts";
import type { GrowthMeasurement, GrowthPoint } from "./growth.ts";
import type { ProfiledMeasurement, ProfiledRuns } from "./profile-child.ts";
import type { ProfileSummary, Share } from "./sampled-profile.ts";
import { startBenchPostgres } from "./postgres-server.ts";
import { profileDeliveries } from "./service/measure-deliveries.ts";
import { profileService } from "./service/measure-service.ts";
import type { Sampled } from "./service/sampling-answers.ts";
import type { ServiceProfile } from "./service/service-profile.ts";
import { WORKLOADS } from "./workloads.ts";

const { values: options } = parseArgs({
  options: {
    system: { type: "string", default: "procedo-sqlite" },
    workload: { type: "string", default: "W1" },
    service: { type: "string" },
    concurrency: { type: "string", default: "100" },
    allocations: { type: "boolean", default: false },
    growth: { type: "boolean", default: false },
    runs: { type: "string", default: "100000" },
  },
});
const system = options.system;
const concurrency = Number(options.concurrency);
const sampled: Sampled = options.allocations ? "allocations" : "time";
const unit = options.allocations ? "bytes" : "us";
let printed = "";

const requests = { built: false, subject: "procedo-http", connections: 64, warmRequests: 20_000, measureMs: 5000 };
/** The database of a measurement: a separate file, or a new database of Postgres. */
interface Place {
  readonly databaseUrl?: string;
}
const SERVICES: Readonly<Record<string, (place: Place) => Promise<ServiceProfile>>> = {
  async: (place) => profileService({ ...requests, ...place, mode: "async", body: "run" }, sampled),
  accept: (place) =>
    profileService({ ...requests, ...place, subject: "procedo-accept", mode: "async", body: "run" }, sampled),
  "server-accept": (place) =>
    profileService({ ...requests, ...place, subject: "procedo-server-accept", mode: "async", body: "run" }, sampled),
  inbound: (place) =>
    profileService({ ...requests, ...place, subject: "procedo-server-inbound", mode: "async", body: "run" }, sampled),
  sync: (place) => profileService({ ...requests, ...place, mode: "sync", body: "sync run" }, sampled),
  deliveries: (place) =>
    profileDeliveries(
      { ...place, answering: 1, hanging: 0, warmDeliveries: 0, deliveries: 48_000, built: false },
      sampled,
    ),
};

if (options.growth) await printGrowth(Number(options.runs));
else if (options.service !== undefined) await printService(options.service);
else await printProfile();
// In one write, so that a pipe into `head` does not fail.
process.stdout.write(printed);

async function printProfile(): Promise<void> {
  const workload = WORKLOADS.find((each) => each.toLowerCase() === options.workload.toLowerCase());
  if (workload === undefined) throw new Error(`There is no workload "${options.workload}": ${WORKLOADS.join(", ")}.`);
  const asked: ProfiledMeasurement = { system, workload, concurrency, warmupMs: 2000, measureMs: 5000, sampled };
  const { runs, runsPerSecond, summary } = await inPlace(
    async (place) => JSON.parse(await inFreshProcess("profile-child.ts", { ...asked, ...place })) as ProfiledRuns,
  );
  print(`${system}, ${workload} c${concurrency}: ${runsPerSecond.toFixed(0)} runs/s under the profiler`);
  print(`${(summary.total / runs).toFixed(1)} ${unit} a run${idleOf(summary)}\n`);
  printSummary(summary, runs);
}

async function inPlace<T>(use: (place: Place) => Promise<T>): Promise<T> {
  if (system.endsWith("-sqlite")) return await use({});
  const postgres = await startBenchPostgres();
  try {
    return await postgres.withDatabase((databaseUrl) => use({ databaseUrl }));
  } finally {
    await postgres.close();
  }
}

async function printService(service: string): Promise<void> {
  const profile = SERVICES[service];
  if (profile === undefined) {
    throw new Error(`There is no service "${service}": ${Object.keys(SERVICES).join(", ")}.`);
  }
  const { count, perSecond, summary } = await inPlace(profile);
  print(`${service}: ${perSecond.toFixed(0)} by second under the profiler`);
  print(`${(summary.total / count).toFixed(1)} ${unit} each${idleOf(summary)}\n`);
  printSummary(summary, count);
}

function idleOf({ idle }: ProfileSummary): string {
  return options.allocations ? "" : `, idle ${(idle / 1000).toFixed(0)} ms`;
}

function printSummary(summary: ProfileSummary, count: number): void {
  printShares("by package", summary.groups.slice(0, 25), count);
  printShares("by function", summary.functions.slice(0, 40), count);
}

function printShares(title: string, shares: readonly Share[], runs: number): void {
  print(title);
  for (const { name, amount, share } of shares) {
    const perRun = (amount / runs).toFixed(unit === "us" ? 2 : 0).padStart(7);
    print(`  ${(share * 100).toFixed(1).padStart(5)} %  ${perRun} ${unit}  ${name}`);
  }
  print("");
}

async function printGrowth(runs: number): Promise<void> {
  const asked: GrowthMeasurement = { system, concurrency, runs, points: 10 };
  const output = await inPlace((place) =>
    inFreshProcess("growth.ts", { ...asked, ...place }, { flags: ["--expose-gc"] }),
  );
  const lines = output.trim().split("\n");
  const points = lines.map((line) => JSON.parse(line) as GrowthPoint);
  print(`${system}: memory over ${runs} runs of W1 at ${concurrency}\n     runs   RSS MB  heap MB  external MB`);
  for (const { runs: at, rssMb, heapMb, externalMb } of points) {
    const figures = [rssMb.toFixed(1).padStart(7), heapMb.toFixed(1).padStart(7), externalMb.toFixed(1).padStart(11)];
    print(`${String(at).padStart(9)}  ${figures.join("  ")}`);
  }
  // The first points include the compiler's warm-up and the filling of the page cache; growth is measured after them.
  const settled = points[Math.floor(points.length / 3)];
  const last = points.at(-1);
  if (settled === undefined || last === undefined) return;
  const kept = ((last.heapMb - settled.heapMb) * 2 ** 20) / (last.runs - settled.runs);
  const rss = last.rssMb - settled.rssMb;
  print(`\nFrom ${settled.runs} to ${last.runs} runs: heap ${kept.toFixed(1)} bytes a run, RSS ${rss.toFixed(1)} MB`);
}

function print(line: string): void {
  printed += `${line}\n`;
}
