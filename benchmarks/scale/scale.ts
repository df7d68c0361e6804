/**
 * Throughput and latency with more nodes, larger databases, and more steps. These figures have no floor: the expected
 * result is a figure that does not change.
 */
import path from "node:path";
import process from "node:process";
import type { Figures } from "../figures.ts";
import { inFreshProcess, withFreshFolder } from "../fresh-process.ts";
import type { BenchOrder, BenchResult } from "../measure-rounds.ts";
import type { Rows } from "../table.ts";
import {
  FULL_DATABASE_HEADINGS,
  type FullDatabasePlan,
  type FullDatabasePoint,
  fullDatabaseRows,
  measureFullDatabase,
} from "./full-database.ts";
import { measureNodes, nodesRows } from "./nodes.ts";
import type { StepsFigures, StepsOrder } from "./steps-child.ts";

/** The dimensions that grow. */
export const SCALES = ["nodes", "history", "waiting", "steps"] as const;

const FULL = {
  rounds: 3,
  nodes: [1, 2, 4],
  ended: [10_000, 100_000, 1_000_000],
  waiting: [10_000, 100_000],
  load: { warmupMs: 1500, measureMs: 4000, reads: 200 },
  steps: { steps: 200, runs: 20 },
};
const QUICK: typeof FULL = {
  rounds: 1,
  nodes: [1, 2],
  ended: [1000],
  waiting: [1000],
  load: { warmupMs: 500, measureMs: 800, reads: 20 },
  steps: { steps: 200, runs: 2 },
};
const CONCURRENCY = 100;

type DatabaseName = "sqlite" | "postgres";

export async function measureScale(order: BenchOrder): Promise<BenchResult> {
  const plan = order.quick ? QUICK : FULL;
  const databases = (["sqlite", "postgres"] as const).filter((name) => order.databases.includes(name));
  const tables: Rows[] = [];
  const report: Record<string, unknown> = { plan };

  if (order.only.includes("nodes") && order.postgres !== undefined) {
    const samples = new Map<number, Figures[]>(plan.nodes.map((nodes) => [nodes, []]));
    for (let round = 1; round <= plan.rounds; round++) {
      for (const [nodes, figures] of samples) {
        process.stderr.write(`round ${round}/${plan.rounds}  ${nodes} node(s)\n`);
        const nodesPlan = { ...plan.load, concurrency: CONCURRENCY, built: order.built };
        figures.push(await measureNodes(nodes, nodesPlan, order.postgres));
      }
    }
    tables.push(nodesRows(CONCURRENCY, samples));
    report["nodes"] = Object.fromEntries(samples);
  }
  for (const [scale, what, sizes] of [
    ["history", "ended", plan.ended],
    ["waiting", "waiting", plan.waiting],
  ] as const) {
    if (!order.only.includes(scale)) continue;
    const full: FullDatabasePlan = { ...plan.load, what, sizes, built: order.built };
    const points: [DatabaseName, readonly FullDatabasePoint[]][] = [];
    for (const on of databases) points.push([on, await measureFullDatabase(on, full, order.postgres)]);
    tables.push([FULL_DATABASE_HEADINGS, ...points.flatMap(([on, all]) => fullDatabaseRows(on, what, all))]);
    report[scale] = Object.fromEntries(points);
  }
  if (order.only.includes("steps")) {
    const figures: [DatabaseName, StepsFigures][] = [];
    for (const on of databases) figures.push([on, await measureSteps(on, plan.steps, order)]);
    tables.push(stepsRows(plan.steps.steps, figures));
    report["steps"] = Object.fromEntries(figures);
  }
  return { rounds: plan.rounds, tables, notes: [], report };
}

async function measureSteps(
  on: DatabaseName,
  plan: Pick<StepsOrder, "steps" | "runs">,
  { built, postgres }: BenchOrder,
): Promise<StepsFigures> {
  process.stderr.write(`${on}: ${plan.runs} runs of ${plan.steps} steps\n`);
  return withFreshFolder(async (directory) => {
    const measure = async (place: { readonly databaseUrl?: string }): Promise<StepsFigures> => {
      const order: StepsOrder = { ...plan, ...place, directory };
      return JSON.parse(await inFreshProcess(path.join("scale", "steps-child.ts"), order, { built })) as StepsFigures;
    };
    if (on === "sqlite" || postgres === undefined) return measure({});
    return postgres.withDatabase((databaseUrl) => measure({ databaseUrl }));
  });
}

function stepsRows(steps: number, figures: readonly (readonly [string, StepsFigures])[]): Rows {
  return [
    ["steps", "on", "first tenth, ms a step", "last tenth, ms a step", "last of first", "run ms"],
    ...figures.map(([on, { firstMs, lastMs, runMs }]) => [
      String(steps),
      on,
      firstMs.toFixed(3),
      lastMs.toFixed(3),
      (lastMs / firstMs).toFixed(2),
      runMs.toFixed(0),
    ]),
  ];
}
