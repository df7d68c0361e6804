/** The service's side in a process of its own, with its client in another; calls in a closed loop, prints a {@link CallsSample}. */
import { fork } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import process from "node:process";
import { closedLoop, quantile, type Load } from "../closed-loop.ts";
import { listenIdeal } from "./ideal-service.ts";
import { listenPolled } from "./polled-service.ts";
import { listenProcedo } from "./procedo-service.ts";

export interface CallsMeasurement {
  /** `polled`: retoolrpc, whose client asks every second. */
  readonly subject: "procedo" | "ideal" | "polled";
  /** Whether the function may be called without an acknowledgement; all the same to the polling peer. */
  readonly idempotent: boolean;
  /** Calls of a run of ours, one after the other; of a run without any, the run is what counts. */
  readonly callsInRun: number;
  readonly load: Load;
  /** How many calls the client may make at the same time; of the ideal, how many polls it holds. */
  readonly slots: number;
  /** Calls before the load, at as many at once as there are slots: so that a slow machine measures compiled code as well. */
  readonly warmCalls: number;
  readonly directory: string;
}

export interface CallsSample {
  readonly perSecond: number;
  /** Of a call; where a run makes several, its share of the run's. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Processor time of the service's process by call, in microseconds. */
  readonly cpuUsEach: number;
  /** The same of the client's process. */
  readonly clientCpuUsEach: number;
  /** Committed transactions by call; none where nothing is kept. */
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
  /** Once the client is there. */
  prepare(): Promise<void>;
  /** One round trip, or a run with as many as it makes. */
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

/** What both processes and the database have used so far. */
async function used(): Promise<{ readonly cpuUs: number; readonly clientCpuUs: number; readonly commits: number }> {
  const { user, system } = process.cpuUsage();
  const answered = once(client, "message");
  client.send("cpu");
  const [clientCpuUs] = (await answered) as [number];
  return { cpuUs: user + system, clientCpuUs, commits: await service.commits() };
}
