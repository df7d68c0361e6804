/**
 * The service's side in a separate process, with its client in another one; makes calls in a closed loop, prints a
 * {@link CallsSample}.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import process from "node:process";
import { closedLoop, quantile, type Load } from "../closed-loop.ts";
import { listenIdeal } from "./ideal-service.ts";
import { listenPolled } from "./polled-service.ts";
import { listenProcedo } from "./procedo-service.ts";

export interface CallsMeasurement {
  /** `polled`: retoolrpc, whose client polls every second. */
  readonly subject: "procedo" | "ideal" | "polled";
  /** Whether the function may be called without an acknowledgement; irrelevant for the polling peer. */
  readonly idempotent: boolean;
  /** Consecutive calls of a Procedo run; for a run without calls, the run itself is measured. */
  readonly callsInRun: number;
  readonly load: Load;
  /** The maximum number of concurrent calls of the client; for the ideal, the number of its held polls. */
  readonly slots: number;
  /**
   * Calls before the load, as many at once as there are slots, so that compiled code is measured on a slow machine as
   * well.
   */
  readonly warmCalls: number;
  readonly directory: string;
}

export interface CallsSample {
  readonly perSecond: number;
  /** Per call; for a run with several calls, its share of the run. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of the service's process per call, in microseconds. */
  readonly cpuUsEach: number;
  /** The same for the client's process. */
  readonly clientCpuUsEach: number;
  /** Committed transactions per call; none if nothing is stored. */
  readonly commitsEach: number;
}

/** The options of the client's process. */
export interface ClientSetup {
  readonly subject: CallsMeasurement["subject"];
  readonly idempotent: boolean;
  readonly slots: number;
  readonly url: string;
  readonly token: string;
}

/** A service to which the client connects. */
export interface CallsService {
  readonly url: string;
  readonly token: string;
  /** Resolves once the client is connected. */
  prepare(): Promise<void>;
  /** One round trip, or a run with its number of round trips. */
  call(n: number): Promise<void>;
  /** Transactions committed so far. */
  commits(): Promise<number>;
  close(): Promise<void>;
}

const asked = JSON.parse(process.argv[2] ?? "") as CallsMeasurement;
const { subject, idempotent, callsInRun, load, slots, warmCalls, directory } = asked;
const countedInRun = Math.max(1, callsInRun);
const listen = { procedo: () => listenProcedo(directory, callsInRun), ideal: listenIdeal, polled: listenPolled };
const service = await listen[subject]();
const { url, token } = service;
const setup: ClientSetup = { subject, idempotent, slots, url, token };
const client = fork(path.join(import.meta.dirname, "client-child.ts"), [JSON.stringify(setup)]);
try {
  await once(client, "message");
  await service.prepare();
  for (let warm = 0; warm < warmCalls;) {
    const { total } = await closedLoop({ concurrency: slots, warmupMs: 0, measureMs: 200 }, timed);
    warm += total * countedInRun;
  }
  const before = await used();
  const { ended, seconds, latenciesMs, total } = await closedLoop(load, timed);
  const after = await used();
  const calls = total * countedInRun;
  const sample: CallsSample = {
    perSecond: (ended * countedInRun) / seconds,
    p50Ms: quantile(latenciesMs, 0.5) / countedInRun,
    p99Ms: quantile(latenciesMs, 0.99) / countedInRun,
    cpuUsEach: (after.cpuUs - before.cpuUs) / calls,
    clientCpuUsEach: (after.clientCpuUs - before.clientCpuUs) / calls,
    commitsEach: (after.commits - before.commits) / calls,
  };
  process.stdout.write(JSON.stringify(sample));
} finally {
  const gone = once(client, "close");
  client.kill("SIGKILL");
  await gone;
  await service.close();
}

async function timed(n: number): Promise<number> {
  const began = performance.now();
  await service.call(n);
  return performance.now() - began;
}

/** The usage of both processes and the database so far. */
async function used(): Promise<{ readonly cpuUs: number; readonly clientCpuUs: number; readonly commits: number }> {
  const { user, system } = process.cpuUsage();
  const answered = once(client, "message");
  client.send("cpu");
  const [clientCpuUs] = (await answered) as [number];
  return { cpuUs: user + system, clientCpuUs, commits: await service.commits() };
}
