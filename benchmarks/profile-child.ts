/**
 * A workload under V8's sampling profiler, in this fresh process: takes a {@link Measurement} as JSON in its first argument and prints
 * a {@link ProfiledRuns} as JSON. Only the measured window is sampled: what loading, compiling and publishing cost is not in the profile.
 */
import { Session as Inspector } from "node:inspector/promises";
import process from "node:process";
import type { Measurement } from "./child.ts";
import { closedLoop } from "./closed-loop.ts";
import { type CpuProfile, type ProfileSummary, summarizeProfile } from "./cpu-profile.ts";
import { withFreshFolder } from "./fresh-process.ts";
import { instantTools, jitterTools } from "./payment.ts";
import { loadSystem } from "./systems.ts";
import { operationOf } from "./workloads.ts";

export interface ProfiledRuns {
  readonly runs: number;
  readonly runsPerSecond: number;
  readonly summary: ProfileSummary;
}

const SAMPLING_INTERVAL_US = 250;

const asked = JSON.parse(process.argv[2] ?? "null") as Measurement;
const { workload, concurrency, warmupMs, measureMs } = asked;
const system = await loadSystem(asked.system);
const profiled = await withFreshFolder(async (directory): Promise<ProfiledRuns> => {
  const session = await system.open({ directory, tools: workload === "jitter" ? jitterTools() : instantTools });
  const operation = operationOf(workload, session);
  const { total: warm } = await closedLoop({ concurrency, warmupMs: 0, measureMs: warmupMs }, operation);
  const inspector = new Inspector();
  inspector.connect();
  await inspector.post("Profiler.enable");
  await inspector.post("Profiler.setSamplingInterval", { interval: SAMPLING_INTERVAL_US });
  await inspector.post("Profiler.start");
  const loop = await closedLoop({ concurrency, warmupMs: 0, measureMs }, (n) => operation(warm + n));
  const { profile } = await inspector.post("Profiler.stop");
  inspector.disconnect();
  await session.close();
  const summary = summarizeProfile(profile as CpuProfile);
  return { runs: loop.total, runsPerSecond: loop.ended / loop.seconds, summary };
});
process.stdout.write(JSON.stringify(profiled));
