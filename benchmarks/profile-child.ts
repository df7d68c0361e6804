/**
 * A workload under one of V8's sampling profilers, in this fresh process: reads a {@link ProfiledMeasurement} as JSON
 * from its first argument and prints {@link ProfiledRuns} as JSON. Only the measured window is sampled, without
 * loading, compiling and publishing.
 */
import { Session as Inspector } from "node:inspector/promises";
import process from "node:process";
import type { Measurement } from "./child.ts";
import { closedLoop } from "./closed-loop.ts";
import { withFreshFolder } from "./fresh-process.ts";
import { instantTools, jitterTools } from "./payment.ts";
import { sampleAllocations } from "./sample-allocations.ts";
import { sampleTime } from "./sample-time.ts";
import type { ProfileSummary } from "./sampled-profile.ts";
import type { Sampled } from "./service/sampling-answers.ts";
import { loadSystem } from "./systems.ts";
import { operationOf } from "./workloads.ts";

/** The parent's request. */
export interface ProfiledMeasurement extends Measurement {
  readonly sampled: Sampled;
}

export interface ProfiledRuns {
  readonly runs: number;
  readonly runsPerSecond: number;
  readonly summary: ProfileSummary;
}

const asked = JSON.parse(process.argv[2] ?? "null") as ProfiledMeasurement;
const { workload, concurrency, warmupMs, measureMs, databaseUrl } = asked;
const system = await loadSystem(asked.system);
const profiled = await withFreshFolder(async (directory): Promise<ProfiledRuns> => {
  const tools = workload === "jitter" ? jitterTools() : instantTools;
  const place = { directory, ...(databaseUrl !== undefined && { databaseUrl }) };
  const session = await system.open({ ...place, tools, concurrency });
  const operation = operationOf(workload, session);
  const { total: warm } = await closedLoop({ concurrency, warmupMs, measureMs: 1 }, operation);
  const inspector = new Inspector();
  inspector.connect();
  const stop = asked.sampled === "time" ? await sampleTime(inspector) : await sampleAllocations(inspector);
  const loop = await closedLoop({ concurrency, warmupMs: 0, measureMs }, (n) => operation(warm + n));
  const summary = await stop();
  inspector.disconnect();
  await session.close();
  return { runs: loop.total, runsPerSecond: loop.ended / loop.seconds, summary };
});
process.stdout.write(JSON.stringify(profiled));
