/** One measurement in this fresh process: takes a {@link Measurement} as JSON in its first argument, prints its sample as JSON. */
import process from "node:process";
import type { Load } from "./closed-loop.ts";
import { withFreshFolder } from "./fresh-process.ts";
import { loadSystem } from "./systems.ts";
import { measure, type Workload } from "./workloads.ts";

/** What the parent asks of a child. */
export interface Measurement extends Load {
  readonly system: string;
  readonly workload: Workload;
  /** A new, empty database of Postgres, for systems that keep their rows there. */
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
