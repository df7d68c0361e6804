/**
 * One measurement in this fresh process: reads a {@link Measurement} as JSON from its first argument, prints its sample
 * as JSON.
 */
import process from "node:process";
import type { Load } from "./closed-loop.ts";
import { withFreshFolder } from "./fresh-process.ts";
import { loadSystem } from "./systems.ts";
import { measure, type Workload } from "./workloads.ts";

/** The parent's request. */
export interface Measurement extends Load {
  readonly system: string;
  readonly workload: Workload;
  /** A new, empty database of Postgres, for systems that store their rows there. */
  readonly databaseUrl?: string;
}

const asked = JSON.parse(process.argv[2] ?? "null") as Measurement;
const system = await loadSystem(asked.system);
const sample = await withFreshFolder((directory) =>
  measure(system, asked.workload, asked, {
    directory,
    ...(asked.databaseUrl !== undefined && { databaseUrl: asked.databaseUrl }),
  }),
);
process.stdout.write(JSON.stringify(sample));
