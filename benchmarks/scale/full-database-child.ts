/**
 * The cost of a full database, in this fresh process: reads a {@link FullDatabaseOrder} as JSON from its first argument
 * and prints {@link FullDatabaseFigures} as JSON.
 */
import { performance } from "node:perf_hooks";
import process from "node:process";
import { closedLoop, quantile } from "../closed-loop.ts";
import { instantTools, paymentInput } from "../payment.ts";
import { openStorage } from "../procedo-storage.ts";
import { sessionOver } from "../procedo.ts";
import { operationOf, type Place, type Workload } from "../workloads.ts";

/** The parent's request. */
export interface FullDatabaseOrder extends Place {
  readonly loads: readonly { readonly workload: Workload; readonly concurrency: number }[];
  readonly warmupMs: number;
  readonly measureMs: number;
  /** Number of repetitions of each read. */
  readonly reads: number;
}

export interface FullDatabaseFigures {
  /** From opening the storage to a started engine. */
  readonly startMs: number;
  readonly loads: readonly { readonly perSecond: number; readonly p50Ms: number; readonly p99Ms: number }[];
  /**
   * Medians: the newest 50 runs, the newest 50 failed ones, the oldest 50 open reviews, and a claim that finds no run.
   */
  readonly listMs: number;
  readonly listFailedMs: number;
  readonly listReviewsMs: number;
  readonly claimMs: number;
  /** A run that ended, and one that waits: the parent copies them. */
  readonly ended: string;
  readonly waiting: string;
}

const scope = { workspace: "default", environment: "sandbox" } as const;
const order = JSON.parse(process.argv[2] ?? "null") as FullDatabaseOrder;
const begin = performance.now();
const opened = await openStorage(order);
const session = await sessionOver(opened, instantTools);
const startMs = performance.now() - begin;
const { runs, reviews } = opened.storage;

await session.run(paymentInput(0));
const waiting = await session.pause(paymentInput(0));
const ended = (await runs.list({ scope, statuses: ["completed"], limit: 1 })).items[0]?.runId ?? "";

const loads = [];
for (const { workload, concurrency } of order.loads) {
  const { warmupMs, measureMs } = order;
  const loop = await closedLoop({ concurrency, warmupMs, measureMs }, operationOf(workload, session));
  const { latenciesMs } = loop;
  const [p50Ms, p99Ms] = [quantile(latenciesMs, 0.5), quantile(latenciesMs, 0.99)];
  loads.push({ perSecond: loop.ended / loop.seconds, p50Ms, p99Ms });
}
const figures: FullDatabaseFigures = {
  startMs,
  loads,
  listMs: await timeOf(() => runs.list({ scope, limit: 50 })),
  listFailedMs: await timeOf(() => runs.list({ scope, statuses: ["failed"], limit: 50 })),
  listReviewsMs: await timeOf(() => reviews.list({ scope, status: "open", limit: 50 })),
  claimMs: await timeOf(() => runs.claim({ workspace: scope.workspace, workerId: "bench", limit: 10 })),
  ended,
  waiting,
};
await session.close();
process.stdout.write(JSON.stringify(figures));

async function timeOf(read: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < order.reads; n++) {
    const from = performance.now();
    await read();
    times.push(performance.now() - from);
  }
  return quantile(times, 0.5);
}
