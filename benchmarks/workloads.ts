import { open, stat } from "node:fs/promises";
import { performance } from "node:perf_hooks";
import process from "node:process";
import { closedLoop, type Load, quantile } from "./closed-loop.ts";
import type { Figures } from "./figures.ts";
import { instantTools, jitterTools, paymentInput, type ToolOutput } from "./payment.ts";
import type { Session, System } from "./system.ts";

/** The workloads that run on every system, in its process. */
export const WORKLOADS = ["W1", "jitter", "W2"] as const;
export type Workload = (typeof WORKLOADS)[number];

/** The figures of one measurement: one workload on one system in a fresh process with a fresh database. */
export interface Sample extends Required<Figures> {
  /** Runs in the database at the end. */
  readonly runs: number;
  /** What the tools' own latency would allow at this concurrency, if durability cost nothing; jitter only. */
  readonly allowedPerSecond?: number;
}

/** Runs a workload on a fresh database in `directory`. */
export async function measure(system: System, workload: Workload, load: Load, directory: string): Promise<Sample> {
  const jitter = jitterTools();
  const session = await system.open({ directory, tools: workload === "jitter" ? jitter : instantTools });
  const commitsBefore = await committedTransactions(session.file);
  const cpuBefore = process.cpuUsage();
  const loop = await closedLoop(load, operationOf(workload, session));
  const cpu = process.cpuUsage(cpuBefore);
  const commits = (await committedTransactions(session.file)) - commitsBefore;
  const peakRssMb = process.resourceUsage().maxRSS / 1024;
  await session.close();
  const { size } = await stat(session.file);
  return {
    perSecond: loop.ended / loop.seconds,
    p50Ms: quantile(loop.latenciesMs, 0.5),
    p99Ms: quantile(loop.latenciesMs, 0.99),
    peakRssMb,
    diskBytesEach: size / loop.total,
    commitsEach: commits / loop.total,
    cpuUsEach: (cpu.user + cpu.system) / loop.total,
    runs: loop.total,
    ...(workload === "jitter" && {
      allowedPerSecond: (load.concurrency * 1000) / (jitter.drawnMs() / loop.total),
    }),
  };
}

/** One operation of a workload's closed loop: answers its latency, in milliseconds. */
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

/** A system that did not run the workload to its end must not be measured as a fast one. */
function expectOutput(output: ToolOutput, id: string): void {
  if (output.id !== id) throw new Error(`The run ended with output "${output.id}" instead of "${id}".`);
}

/**
 * How many write transactions were committed to an open SQLite database in WAL mode, whoever made them: `iChange` of the WAL index,
 * which SQLite adds one to with each commit (https://www.sqlite.org/walformat.html, "The WAL-Index File Format", bytes 8 to 11).
 */
export async function committedTransactions(databaseFile: string): Promise<number> {
  const file = await open(`${databaseFile}-shm`);
  try {
    const { buffer } = await file.read(Buffer.alloc(12), 0, 12, 0);
    return buffer.readUInt32LE(8);
  } finally {
    await file.close();
  }
}
