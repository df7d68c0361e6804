/** The floors and goals that each case is held to, as ratios to the ceiling of the same run and as absolute bounds. */
import type { ServiceWorkload } from "./service/service-workloads.ts";
import type { Sample, Workload } from "./workloads.ts";

/** One line of the table: a workload at a concurrency, on the disk as it is or with time added to every fsync. */
export interface Case {
  readonly workload: Workload;
  readonly concurrency: number;
  readonly slowDisk: boolean;
  /** Of what the case's throughput is a share: the ideal loop in the same run, or what the tools' own latency allows. */
  readonly of: "ideal" | "latency";
  /** Share of `of` below which the case is broken, and the one where we are going. None: the case is only reported. */
  readonly floor?: number;
  readonly goal?: number;
}

/** An absolute bound on a figure of one case; less is better. */
export interface Bound {
  readonly name: string;
  readonly workload: Workload;
  readonly concurrency: number;
  readonly floor: number;
  readonly goal: number;
  readonly unit: string;
  of(sample: Sample): number;
}

export const CASES: readonly Case[] = [
  { workload: "W1", concurrency: 1, slowDisk: false, of: "ideal", floor: 0.6, goal: 1 },
  { workload: "W1", concurrency: 100, slowDisk: false, of: "ideal", floor: 0.35, goal: 0.7 },
  { workload: "jitter", concurrency: 200, slowDisk: false, of: "latency", floor: 0.6, goal: 0.85 },
  { workload: "W2", concurrency: 1, slowDisk: false, of: "ideal" },
  { workload: "W2", concurrency: 50, slowDisk: false, of: "ideal", floor: 0.3, goal: 0.5 },
  { workload: "W1", concurrency: 1, slowDisk: true, of: "ideal" },
  { workload: "W1", concurrency: 100, slowDisk: true, of: "ideal", floor: 0.5, goal: 0.7 },
  { workload: "jitter", concurrency: 200, slowDisk: true, of: "latency" },
  { workload: "W2", concurrency: 1, slowDisk: true, of: "ideal" },
  { workload: "W2", concurrency: 50, slowDisk: true, of: "ideal" },
];

/** One case of the service: what it is held to is measured in the same run. */
export interface ServiceCase {
  readonly workload: ServiceWorkload;
  readonly name: string;
  /** What is measured, the ceiling first. */
  readonly systems: readonly string[];
  /** Which of them are held to floor and goal; the others stand beside them to be compared. */
  readonly held: readonly string[];
  readonly floor: number;
  readonly goal: number;
}

export const SERVICE_CASES: readonly ServiceCase[] = [
  {
    workload: "W4",
    name: "W4 async c64",
    systems: ["durable-trigger", "node-echo", "hono-echo", "procedo-accept", "procedo-http", "procedo-server"],
    held: ["procedo-accept", "procedo-http", "procedo-server"],
    floor: 0.35,
    goal: 0.5,
  },
  {
    workload: "W4",
    name: "W4 sync c64",
    systems: ["in process", "procedo-http", "procedo-server"],
    held: ["procedo-http", "procedo-server"],
    floor: 0.4,
    goal: 0.6,
  },
  { workload: "W5", name: "W5", systems: ["hono-echo", "1 receiver"], held: ["1 receiver"], floor: 0.3, goal: 0.5 },
  {
    workload: "W5",
    name: "W5 to 50",
    systems: ["50 answer", "1 of 50 hangs"],
    held: ["1 of 50 hangs"],
    floor: 0.9,
    goal: 0.98,
  },
  {
    workload: "verifier",
    name: "verifier 2 kB",
    systems: ["createHmac + JSON.parse", "verifyWebhook"],
    held: ["verifyWebhook"],
    floor: 0.8,
    goal: 0.95,
  },
];

/** Bounds on the disk as it is. */
export const BOUNDS: readonly Bound[] = [
  {
    name: "W2 resume p50 at 1",
    workload: "W2",
    concurrency: 1,
    floor: 1,
    goal: 0.7,
    unit: "ms",
    of: (sample) => sample.p50Ms,
  },
  {
    name: "W2 resume p50 at 50",
    workload: "W2",
    concurrency: 50,
    floor: 8,
    goal: 4,
    unit: "ms",
    of: (sample) => sample.p50Ms,
  },
  {
    name: "Disk per W1 run",
    workload: "W1",
    concurrency: 100,
    floor: 4000,
    goal: 2500,
    unit: "bytes",
    of: (sample) => sample.diskBytesEach,
  },
  {
    name: "Peak RSS of W1 at 100",
    workload: "W1",
    concurrency: 100,
    floor: 150,
    goal: 120,
    unit: "MB",
    of: (sample) => sample.peakRssMb,
  },
];

/** How a figure stands to its target. */
export type Verdict = "goal" | "floor" | "BELOW";

/** `ratio` must reach the floor; the goal is where we are going. */
export function judgeRatio(ratio: number, target: { readonly floor: number; readonly goal: number }): Verdict {
  if (ratio >= target.goal) return "goal";
  return ratio >= target.floor ? "floor" : "BELOW";
}

/** `value` must stay at or under the floor; the goal is where we are going. */
export function judgeBound(value: number, target: { readonly floor: number; readonly goal: number }): Verdict {
  if (value <= target.goal) return "goal";
  return value <= target.floor ? "floor" : "BELOW";
}
