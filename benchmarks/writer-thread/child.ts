/**
 * One measurement of one writer in this fresh process, beside an HTTP echo and an event loop monitor when `echo` is
 * set.
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import http from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import type { Load } from "../closed-loop.ts";
import { withFreshFolder } from "../fresh-process.ts";
import { measure, type Workload } from "../workloads.ts";
import { idealWith, type Writer } from "./writers.ts";

export interface WriterMeasurement extends Load {
  readonly writer: Writer | "idle";
  readonly workload: Workload;
  readonly echo: boolean;
}

export interface WriterSample {
  readonly runsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Delay of the event loop beyond the monitor's own interval of 1 ms. */
  readonly loopP99Ms?: number;
  readonly loopMaxMs?: number;
  readonly echoP50Ms?: number;
  readonly echoP99Ms?: number;
}

const asked = JSON.parse(process.argv[2] ?? "null") as WriterMeasurement;
const watched = asked.echo ? watchLoop(asked) : Promise.resolve({});
const sample = await withFreshFolder(load);
process.stdout.write(JSON.stringify({ ...sample, ...(await watched) } satisfies WriterSample));

async function load(directory: string): Promise<WriterSample> {
  const { writer, workload, warmupMs, measureMs } = asked;
  if (writer === "idle") {
    await sleep(warmupMs + measureMs);
    return { runsPerSecond: 0, p50Ms: 0, p99Ms: 0 };
  }
  const { perSecond: runsPerSecond, p50Ms, p99Ms } = await measure(idealWith(writer), workload, asked, { directory });
  return { runsPerSecond, p50Ms, p99Ms };
}

/** Monitors this process from inside (timer delay) and from outside (a client process) while the load runs. */
async function watchLoop({ warmupMs, measureMs }: Load): Promise<Partial<WriterSample>> {
  const server = http.createServer((request, response) => request.pipe(response));
  await once(server.listen(0, "127.0.0.1"), "listening");
  await sleep(warmupMs);
  const monitor = monitorEventLoopDelay({ resolution: 1 });
  monitor.enable();
  const { port } = server.address() as AddressInfo;
  const client = path.join(import.meta.dirname, "echo-client.ts");
  // The client must not be slowed down itself: its environment has no fsync shim.
  const ran = await promisify(execFile)(process.execPath, [client, String(port), String(measureMs - 500)], { env: {} });
  monitor.disable();
  server.close();
  const echo = JSON.parse(ran.stdout) as { p50Ms: number; p99Ms: number };
  const beyondInterval = (ns: number) => Math.max(0, ns / 1e6 - 1);
  return {
    loopP99Ms: beyondInterval(monitor.percentile(99)),
    loopMaxMs: beyondInterval(monitor.max),
    echoP50Ms: echo.p50Ms,
    echoP99Ms: echo.p99Ms,
  };
}
