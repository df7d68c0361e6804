/**
 * The place of the SQLite writer: runs W1 of the ideal loop with its writer in the event loop's thread and in a worker
 * thread, on the unchanged disk and with 2 ms added to every fsync, and prints throughput and the effect on other work
 * of the process. `node --conditions=@procedo/source benchmarks/writer-thread/run.ts [rounds]`, three rounds by
 * default; about eight minutes.
 */
import process from "node:process";
import { median } from "../closed-loop.ts";
import { inFreshProcess } from "../fresh-process.ts";
import { compileFsyncShim, SLOW_FSYNC_MS } from "../slow-fsync.ts";
import type { WriterMeasurement, WriterSample } from "./child.ts";
import { WRITERS } from "./writers.ts";

const ROUNDS = Number(process.argv[2] ?? 3);
const WARMUP_MS = 600;
const MEASURE_MS = 2500;

const shim = await compileFsyncShim(process.execPath);
if (shim.state === "missing") process.stdout.write(`Without the slow disk: ${shim.reason}.\n`);

/**
 * The load of each case: W1 alone at full load, W1 with slow tools (a service with spare capacity), and a very slow
 * disk.
 */
const LOADS = [
  { workload: "W1", concurrency: 1, delayMs: 0 },
  { workload: "W1", concurrency: 100, delayMs: 0 },
  { workload: "jitter", concurrency: 20, delayMs: 0 },
  { workload: "W1", concurrency: 1, delayMs: SLOW_FSYNC_MS },
  { workload: "W1", concurrency: 100, delayMs: SLOW_FSYNC_MS },
  { workload: "jitter", concurrency: 20, delayMs: SLOW_FSYNC_MS },
  { workload: "W1", concurrency: 100, delayMs: 20 },
] as const;

const cases = [
  { writer: "idle" as const, workload: "W1" as const, concurrency: 0, delayMs: 0 },
  ...LOADS.filter(({ delayMs }) => delayMs === 0 || shim.state === "ready").flatMap((load) =>
    WRITERS.map((writer) => ({ writer, ...load })),
  ),
].map((each) => ({ ...each, alone: [] as WriterSample[], watched: [] as WriterSample[] }));

for (let round = 1; round <= ROUNDS; round++) {
  process.stderr.write(`round ${round} of ${ROUNDS}\n`);
  for (const each of cases) {
    if (each.writer !== "idle") each.alone.push(await sample(each, false));
    each.watched.push(await sample(each, true));
  }
}
if (shim.state === "ready") await shim.remove();

const figure = (samples: readonly WriterSample[], of: (sample: WriterSample) => number | undefined, digits = 1) =>
  samples.length === 0 ? "" : median(samples.map((each) => of(each) ?? NaN)).toFixed(digits);

process.stdout.write(
  "| fsync | load | writer | runs/s | p50 / p99 ms | loop delay p99 / max ms | echo p50 / p99 ms |\n",
);
process.stdout.write("|---|---|---|---|---|---|---|\n");
for (const { writer, workload, concurrency, delayMs, alone, watched } of cases) {
  const columns = [
    delayMs === 0 ? "as it is" : `+${delayMs} ms`,
    writer === "idle" ? "" : `${workload} c${concurrency}`,
    writer,
    figure(alone, (each) => each.runsPerSecond, 0),
    `${figure(alone, (each) => each.p50Ms, 2)} / ${figure(alone, (each) => each.p99Ms)}`,
    `${figure(watched, (each) => each.loopP99Ms)} / ${figure(watched, (each) => each.loopMaxMs)}`,
    `${figure(watched, (each) => each.echoP50Ms, 2)} / ${figure(watched, (each) => each.echoP99Ms, 2)}`,
  ];
  process.stdout.write(`| ${columns.join(" | ")} |\n`);
}

async function sample(each: (typeof cases)[number], echo: boolean): Promise<WriterSample> {
  const { writer, workload, concurrency, delayMs } = each;
  const asked: WriterMeasurement = { writer, workload, concurrency, echo, warmupMs: WARMUP_MS, measureMs: MEASURE_MS };
  const environment = shim.state === "ready" && delayMs > 0 ? shim.environment(delayMs) : {};
  return JSON.parse(await inFreshProcess("writer-thread/child.ts", asked, { environment })) as WriterSample;
}
