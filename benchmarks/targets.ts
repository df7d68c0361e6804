/**
 * The floors and goals of each case: shares of the ceiling of the same run, multiples of peers, and absolute bounds.
 */
import type { Sample, Workload } from "./workloads.ts";

/** One line of the table: a workload at a concurrency, on the unchanged disk or with time added to every fsync. */
export interface Case {
  readonly workload: Workload;
  readonly concurrency: number;
  readonly database: "sqlite" | "postgres";
  /** SQLite only, because Postgres syncs in another process. */
  readonly slowDisk: boolean;
  /** The reference of the case's share: the ideal loop in the same run, or the rate that the tools' latency allows. */
  readonly of: "ideal" | "latency";
  /** The share of `of` below which the case fails, and the intended share. Without them the case is only reported. */
  readonly floor?: number;
  readonly goal?: number;
}

/** The fields that identify a case. */
export type CaseKey = Pick<Case, "workload" | "concurrency" | "database" | "slowDisk">;

/** A bound on a figure of one case; less is better. Without a floor there is only an intended value. */
export interface Bound extends CaseKey {
  readonly name: string;
  readonly floor?: number;
  readonly goal: number;
  readonly unit: string;
  /** `ideal`: the ceiling's sample of the same round. */
  of(sample: Sample, ideal: Sample): number | undefined;
}

/** The required multiple of the throughput of the best peer in a case. */
export interface Multiple extends CaseKey {
  readonly of: string;
  readonly peers: readonly string[];
  readonly goal: number;
}

const sqlite = { database: "sqlite", slowDisk: false } as const;
const slowSqlite = { database: "sqlite", slowDisk: true } as const;
const postgres = { database: "postgres", slowDisk: false } as const;

export const CASES: readonly Case[] = [
  { ...sqlite, workload: "W1", concurrency: 1, of: "ideal", floor: 0.6, goal: 1 },
  { ...sqlite, workload: "W1", concurrency: 100, of: "ideal", floor: 0.35, goal: 0.7 },
  { ...sqlite, workload: "jitter", concurrency: 200, of: "latency", floor: 0.6, goal: 0.85 },
  { ...sqlite, workload: "W2", concurrency: 1, of: "ideal" },
  { ...sqlite, workload: "W2", concurrency: 50, of: "ideal", floor: 0.3, goal: 0.5 },
  { ...slowSqlite, workload: "W1", concurrency: 1, of: "ideal" },
  { ...slowSqlite, workload: "W1", concurrency: 100, of: "ideal", floor: 0.5, goal: 0.7 },
  { ...slowSqlite, workload: "jitter", concurrency: 200, of: "latency" },
  { ...slowSqlite, workload: "W2", concurrency: 1, of: "ideal" },
  { ...slowSqlite, workload: "W2", concurrency: 50, of: "ideal" },
  { ...postgres, workload: "W1", concurrency: 1, of: "ideal", floor: 0.6, goal: 1 },
  { ...postgres, workload: "W1", concurrency: 100, of: "ideal", floor: 0.3, goal: 0.6 },
  { ...postgres, workload: "jitter", concurrency: 200, of: "latency" },
  { ...postgres, workload: "W2", concurrency: 1, of: "ideal" },
  { ...postgres, workload: "W2", concurrency: 50, of: "ideal", floor: 0.3, goal: 0.5 },
];

const atFull = ["langgraph-sqlite", "mastra-libsql", "openworkflow-sqlite"];

export const MULTIPLES: readonly Multiple[] = [
  { ...sqlite, workload: "W1", concurrency: 100, of: "the best embedded peer at FULL", peers: atFull, goal: 20 },
  {
    ...sqlite,
    workload: "W1",
    concurrency: 100,
    of: "the best embedded peer at any setting",
    peers: [...atFull, "langgraph-sqlite-normal"],
    goal: 15,
  },
  { ...slowSqlite, workload: "W1", concurrency: 100, of: "the best embedded peer at FULL", peers: atFull, goal: 50 },
  { ...postgres, workload: "W1", concurrency: 1, of: "Mastra", peers: ["mastra-postgres"], goal: 1.5 },
  { ...postgres, workload: "W1", concurrency: 1, of: "DBOS", peers: ["dbos-postgres"], goal: 2.5 },
  {
    ...postgres,
    workload: "W1",
    concurrency: 100,
    of: "the best Postgres library",
    peers: ["langgraph-postgres", "mastra-postgres", "dbos-postgres", "openworkflow-postgres"],
    goal: 6,
  },
  { ...postgres, workload: "W1", concurrency: 100, of: "Restate", peers: ["restate"], goal: 4 },
];

/**
 * The bounds of a resume, as multiples of the ideal's at the time of writing: 0.44 ms for 1 in progress and 1.3 ms for
 * 50, on SQLite.
 */
const resumes = [
  { concurrency: 1, ms: { floor: 1, goal: 0.7 }, ofIdeal: { floor: 2.3, goal: 1.6 } },
  { concurrency: 50, ms: { floor: 8, goal: 4 }, ofIdeal: { floor: 6.2, goal: 3.1 } },
];

/** Bounds on the unchanged disk. */
export const BOUNDS: readonly Bound[] = [
  // docs/performance/runs.md#targets-of-accepting-and-resuming gives the reason for multiples on Postgres.
  ...resumes.flatMap(({ concurrency, ms, ofIdeal }): Bound[] => {
    const resume = { workload: "W2", concurrency } as const;
    const inMs = { name: "resume p50", unit: "ms", of: (sample: Sample) => sample.p50Ms };
    const times = (sample: Sample, ideal: Sample): number => sample.p50Ms / ideal.p50Ms;
    return [
      { ...sqlite, ...resume, ...inMs, ...ms },
      { ...postgres, ...resume, ...inMs, goal: ms.goal },
      { ...postgres, ...resume, name: "resume p50, of the ideal's", unit: "times", of: times, ...ofIdeal },
    ];
  }),
  ...[sqlite, postgres].flatMap((on): Bound[] => [
    {
      ...on,
      workload: "W1",
      concurrency: 100,
      name: "disk per run",
      floor: 4000,
      goal: 2500,
      unit: "bytes",
      of: (sample) => sample.diskBytesEach,
    },
    {
      ...on,
      workload: "W1",
      concurrency: 100,
      name: "peak RSS",
      floor: 150,
      goal: 120,
      unit: "MB",
      of: (sample) => sample.peakRssMb,
    },
  ]),
  {
    ...postgres,
    workload: "W1",
    concurrency: 100,
    name: "commits per run",
    goal: 0.5,
    unit: "",
    of: (sample) => sample.commitsEach,
  },
  {
    ...postgres,
    workload: "W1",
    concurrency: 100,
    name: "WAL per run",
    goal: 9000,
    unit: "bytes",
    of: (sample) => sample.walBytesEach,
  },
];

/** The relation of a figure to its target; `short` of a goal without a floor. */
export type Verdict = "goal" | "floor" | "short" | "BELOW";

interface Target {
  readonly floor?: number | undefined;
  readonly goal: number;
}

/** `ratio` must reach the floor; the goal is the intended value. */
export function judgeRatio(ratio: number, { floor, goal }: Target): Verdict {
  if (ratio >= goal) return "goal";
  if (floor === undefined) return "short";
  return ratio >= floor ? "floor" : "BELOW";
}

/** `value` must not exceed the floor; the goal is the intended value. */
export function judgeBound(value: number, { floor, goal }: Target): Verdict {
  if (value <= goal) return "goal";
  if (floor === undefined) return "short";
  return value <= floor ? "floor" : "BELOW";
}

/** Whether both identify the same case. */
export function isSameCase(one: CaseKey, other: CaseKey): boolean {
  return (
    one.workload === other.workload &&
    one.concurrency === other.concurrency &&
    one.database === other.database &&
    one.slowDisk === other.slowDisk
  );
}
