/** Throughput and latency with a full database: runs that have ended, and runs that wait for people. */
import { inFreshProcess, withFreshFolder } from "../fresh-process.ts";
import path from "node:path";
import type { Database } from "../database.ts";
import type { BenchPostgres } from "../postgres-server.ts";
import type { Rows } from "../table.ts";
import { fill } from "./fill.ts";
import type { FullDatabaseFigures, FullDatabaseOrder } from "./full-database-child.ts";

/** The consecutive sizes of one growing database. */
export interface FullDatabasePlan {
  readonly what: "ended" | "waiting";
  readonly sizes: readonly number[];
  readonly warmupMs: number;
  readonly measureMs: number;
  readonly reads: number;
  readonly built: boolean;
}

export interface FullDatabasePoint extends FullDatabaseFigures {
  readonly size: number;
}

/** Loads and reads at each size, the empty database first. */
export async function measureFullDatabase(
  on: "sqlite" | "postgres",
  plan: FullDatabasePlan,
  postgres: BenchPostgres | undefined,
): Promise<readonly FullDatabasePoint[]> {
  return withFreshFolder(async (directory) => {
    if (on === "sqlite") {
      return measureSizes({ directory }, { kind: "sqlite", file: path.join(directory, "procedo.sqlite") }, plan);
    }
    if (postgres === undefined)
      throw new Error(
        "The measurement needs Postgres, and none is running. Leave out --on postgres, or start it first.",
      );
    return postgres.withDatabase((url) =>
      measureSizes({ directory, databaseUrl: url }, { kind: "postgres", url }, plan),
    );
  });
}

async function measureSizes(
  place: { readonly directory: string; readonly databaseUrl?: string },
  database: Database,
  { what, sizes, built, ...load }: FullDatabasePlan,
): Promise<readonly FullDatabasePoint[]> {
  const loads: FullDatabaseOrder["loads"] = [
    { workload: "W1", concurrency: 1 },
    { workload: "W1", concurrency: 100 },
    { workload: "W2", concurrency: 50 },
  ];
  const points: FullDatabasePoint[] = [];
  let filled = 0;
  for (const size of [0, ...sizes]) {
    const last = points.at(-1);
    if (last !== undefined) {
      process.stderr.write(`${database.kind}: filling to ${size} ${what} runs\n`);
      await fill(database, { runId: last[what], from: filled, count: size - filled });
      filled = size;
    }
    process.stderr.write(`${database.kind}: measuring with ${size} ${what} runs\n`);
    const order: FullDatabaseOrder = { ...place, ...load, loads };
    const script = path.join("scale", "full-database-child.ts");
    points.push({ size, ...(JSON.parse(await inFreshProcess(script, order, { built })) as FullDatabaseFigures) });
  }
  return points;
}

/** One row for each size, with its throughput as a share of the empty database's. */
export function fullDatabaseRows(on: string, what: string, points: readonly FullDatabasePoint[]): Rows {
  const [empty] = points;
  return points.map(({ size, loads, startMs, listMs, listFailedMs, listReviewsMs, claimMs }) => [
    `${size} ${what}`,
    on,
    ...loads.flatMap(({ perSecond, p50Ms }, index) => [
      perSecond.toFixed(0),
      (perSecond / (empty?.loads[index]?.perSecond ?? NaN)).toFixed(2),
      p50Ms.toFixed(2),
    ]),
    ...[listMs, listFailedMs, listReviewsMs, claimMs].map((ms) => ms.toFixed(2)),
    startMs.toFixed(0),
  ]);
}

export const FULL_DATABASE_HEADINGS: readonly string[] = [
  "in the database",
  "on",
  ...["W1 c1", "W1 c100", "W2 c50"].flatMap((load) => [`${load} per s`, "of empty", "p50 ms"]),
  "list ms",
  "failed ms",
  "reviews ms",
  "claim ms",
  "start ms",
];
