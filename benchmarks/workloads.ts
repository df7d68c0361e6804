import { performance } from "node:perf_hooks";
import process from "node:process";
import { closedLoop, type Load, quantile } from "./closed-loop.ts";
import { startMeter } from "./database.ts";
import type { Figures } from "./figures.ts";
import { instantTools, jitterTools, paymentInput, type ToolOutput } from "./payment.ts";
import type { Session, System, SystemOptions } from "./system.ts";

/** The workloads that run on every system, in its process. */
export const WORKLOADS = ["W1", "jitter", "W2"] as const;
export type Workload = (typeof WORKLOADS)[number];

/** The figures of one measurement: one workload on one system in a fresh process with a fresh database. */
export interface Sample extends Figures {
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly peakRssMb: number;
  readonly diskBytesEach: number;
  readonly cpuUsEach: number;
  /** Runs in the database at the end. */
  readonly runs: number;
  /** The rate that the tools' own latency allows at this concurrency, if durability cost nothing; jitter only. */
  readonly allowedPerSecond?: number;
}

/** The fresh database of a measurement. */
export type Place = Omit<SystemOptions, "tools" | "concurrency">;

/** Runs a workload on a fresh database. */
export async function measure(system: System, workload: Workload, load: Load, place: Place): Promise<Sample> {
  const jitter = jitterTools();
  const tools = workload === "jitter" ? jitter : instantTools;
  const session = await system.open({ ...place, tools, concurrency: load.concurrency });
  const meter = await startMeter(session.database);
  const cpuBefore = process.cpuUsage();
  const loop = await closedLoop(load, operationOf(workload, session));
  const cpu = process.cpuUsage(cpuBefore);
  const peakRssMb = process.resourceUsage().maxRSS / 1024 + ((await session.serverRssMb?.()) ?? 0);
  const { commits, diskBytes, walBytes } = await meter.usedBy(() => session.close());
  return {
    perSecond: loop.ended / loop.seconds,
    p50Ms: quantile(loop.latenciesMs, 0.5),
    p99Ms: quantile(loop.latenciesMs, 0.99),
    peakRssMb,
    diskBytesEach: diskBytes / loop.total,
    ...(commits !== undefined && { commitsEach: commits / loop.total }),
    ...(walBytes !== undefined && { walBytesEach: walBytes / loop.total }),
    cpuUsEach: (cpu.user + cpu.system) / loop.total,
    runs: loop.total,
    ...(workload === "jitter" && {
      allowedPerSecond: (load.concurrency * 1000) / (jitter.drawnMs() / loop.total),
    }),
  };
}

/** One operation of a workload's closed loop: returns its latency, in milliseconds. */
export function operationOf(workload: Workload, session: Session): (n: number) => Promise<number> {
  return workload === "W2" ? resumeOnce(session) : runOnce(session);
}

function runOnce(session: Session) {
  return async (n: number): Promise<number> => {
    const input = paymentInput(n);
    const begin = performance.now();
    const output = await session.run(input);
    const latency = performance.now() - begin;
    expectOutput(output, `c-${input.vendorId}`);
    return latency;
  };
}

function resumeOnce(session: Session) {
  return async (n: number): Promise<number> => {
    const input = paymentInput(n);
    const paused = await session.pause(input);
    const begin = performance.now();
    const output = await session.resume(paused);
    const latency = performance.now() - begin;
    expectOutput(output, `b-${input.vendorId}`);
    return latency;
  };
}

/** A system that did not complete the workload must not be measured as a fast one. */
function expectOutput(output: ToolOutput, id: string): void {
  if (output.id !== id) throw new Error(`The run ended with output "${output.id}" instead of "${id}".`);
}
