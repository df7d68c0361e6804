/**
 * Where the time goes: runs a workload of one system under V8's profiler in a fresh process and prints self time
 * by package and folder, and by function.
 *
 *   node --conditions=@procedo/source benchmarks/profile.ts [--system procedo-sqlite] [--workload W1] [--concurrency 100]
 *   node --conditions=@procedo/source benchmarks/profile.ts --growth [--runs 100000]     memory over that many runs instead
 */
import process from "node:process";
import { parseArgs } from "node:util";
import type { Measurement } from "./child.ts";
import type { Share } from "./cpu-profile.ts";
import { inFreshProcess } from "./fresh-process.ts";
import type { GrowthMeasurement, GrowthPoint } from "./growth.ts";
import type { ProfiledRuns } from "./profile-child.ts";
import { SYSTEM_NAMES } from "./systems.ts";
import { WORKLOADS } from "./workloads.ts";

const { values: options } = parseArgs({
  options: {
    system: { type: "string", default: SYSTEM_NAMES.at(-1) ?? "" },
    workload: { type: "string", default: "W1" },
    concurrency: { type: "string", default: "100" },
    growth: { type: "boolean", default: false },
    runs: { type: "string", default: "100000" },
  },
});
const system = options.system;
const concurrency = Number(options.concurrency);
await (options.growth ? printGrowth(Number(options.runs)) : printProfile());

async function printProfile(): Promise<void> {
  const workload = WORKLOADS.find((each) => each.toLowerCase() === options.workload.toLowerCase());
  if (workload === undefined) throw new Error(`There is no workload "${options.workload}": ${WORKLOADS.join(", ")}.`);
  const asked: Measurement = { system, workload, concurrency, warmupMs: 2000, measureMs: 5000 };
  const profiled = JSON.parse(await inFreshProcess("profile-child.ts", asked)) as ProfiledRuns;
  const { runs, runsPerSecond, summary } = profiled;
  const { busyMs, idleMs, groups, functions } = summary;
  const perRun = (busyMs * 1000) / runs;
  print(`${system}, ${workload} c${concurrency}: ${runsPerSecond.toFixed(0)} runs/s under the profiler`);
  print(`busy ${busyMs.toFixed(0)} ms (${perRun.toFixed(1)} us a run), idle ${idleMs.toFixed(0)} ms\n`);
  printShares("self time by package", groups.slice(0, 25), runs);
  printShares("self time by function", functions.slice(0, 40), runs);
}

function printShares(title: string, shares: readonly Share[], runs: number): void {
  print(title);
  for (const { name, ms, share } of shares) {
    const usPerRun = ((ms * 1000) / runs).toFixed(2);
    print(`  ${(share * 100).toFixed(1).padStart(5)} %  ${usPerRun.padStart(7)} us/run  ${name}`);
  }
  print("");
}

async function printGrowth(runs: number): Promise<void> {
  const asked: GrowthMeasurement = { system, concurrency, runs, points: 10 };
  const lines = (await inFreshProcess("growth.ts", asked, { flags: ["--expose-gc"] })).trim().split("\n");
  const points = lines.map((line) => JSON.parse(line) as GrowthPoint);
  print(`${system}: memory over ${runs} runs of W1 at ${concurrency}\n     runs   RSS MB  heap MB  external MB`);
  for (const { runs: at, rssMb, heapMb, externalMb } of points) {
    const figures = [rssMb.toFixed(1).padStart(7), heapMb.toFixed(1).padStart(7), externalMb.toFixed(1).padStart(11)];
    print(`${String(at).padStart(9)}  ${figures.join("  ")}`);
  }
  // The first points hold the compiler's warm-up and the page cache's filling; growth is what is left after them.
  const settled = points[Math.floor(points.length / 3)];
  const last = points.at(-1);
  if (settled === undefined || last === undefined) return;
  const kept = ((last.heapMb - settled.heapMb) * 2 ** 20) / (last.runs - settled.runs);
  const rss = last.rssMb - settled.rssMb;
  print(`\nFrom ${settled.runs} to ${last.runs} runs: heap ${kept.toFixed(1)} bytes a run, RSS ${rss.toFixed(1)} MB`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
