/** The floors and goals of the service's cases: shares of the first system in the same round. */
import type { ServiceWorkload } from "./service-workloads.ts";

/** One case of the service, with its ceiling measured in the same run. */
export interface ServiceCase {
  readonly workload: ServiceWorkload;
  readonly name: string;
  /** @defaultValue "sqlite" */
  readonly database?: "sqlite" | "postgres";
  /** The measured systems, the ceiling first. */
  readonly systems: readonly string[];
  /** The systems with a floor and a goal; the others are for comparison. */
  readonly held: readonly string[];
  readonly floor: number;
  readonly goal: number;
}

/** Processes that accept runs, which other processes execute. */
const accepting = ["procedo-accept", "procedo-server-accept"];
/** Processes that also execute runs: docs/performance/runs.md#targets-of-accepting-and-resuming. */
const executing = ["procedo-http", "procedo-server"];

/** Processes that store events, whose runs other processes start. */
const receiving = ["procedo-inbound", "procedo-server-inbound"];

const async = { workload: "W4", floor: 0.35, goal: 0.5 } as const;
const sync = { workload: "W4", floor: 0.4, goal: 0.6 } as const;
const deliveries = {
  workload: "W5",
  systems: ["hono-echo", "1 receiver", "50 receivers"],
  held: ["50 receivers"],
} as const;
const oneHangs = { workload: "W5", systems: ["50 answer", "1 of 50 hangs"], held: ["1 of 50 hangs"] } as const;

export const SERVICE_CASES: readonly ServiceCase[] = [
  {
    ...async,
    name: "W4 async c64",
    systems: ["durable-trigger", "node-echo", "hono-echo", ...accepting, ...executing],
    held: accepting,
  },
  {
    ...async,
    name: "W4 inbound c64",
    systems: ["durable-trigger", ...receiving],
    held: receiving,
  },
  {
    ...sync,
    name: "W4 sync c64",
    systems: ["in process", ...executing],
    held: executing,
  },
  { ...deliveries, name: "W5", floor: 0.12, goal: 0.25 },
  { ...oneHangs, name: "W5 to 50", floor: 0.9, goal: 0.98 },
  {
    ...async,
    name: "W4 async c64 Postgres",
    database: "postgres",
    systems: ["durable-trigger", ...accepting, ...executing],
    held: accepting,
  },
  {
    ...async,
    name: "W4 inbound c64 Postgres",
    database: "postgres",
    systems: ["durable-trigger", ...receiving],
    held: receiving,
  },
  {
    ...sync,
    name: "W4 sync c64 Postgres",
    database: "postgres",
    systems: ["in process", ...executing],
    held: executing,
  },
  { ...deliveries, name: "W5 Postgres", database: "postgres", floor: 0.1, goal: 0.25 },
  { ...oneHangs, name: "W5 to 50 Postgres", database: "postgres", floor: 0.9, goal: 0.98 },
  {
    workload: "verifier",
    name: "verifier 2 kB",
    systems: ["createHmac + JSON.parse", "verifyWebhook"],
    held: ["verifyWebhook"],
    floor: 0.8,
    goal: 0.95,
  },
];
