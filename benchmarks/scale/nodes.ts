/**
 * W1 on several nodes that share one Postgres, with the same total number of runs in progress for any number of nodes.
 */
import { median } from "../closed-loop.ts";
import { startMeter } from "../database.ts";
import type { Figures } from "../figures.ts";
import type { BenchPostgres } from "../postgres-server.ts";
import { type MeasuredProcess, startChild } from "../service/child-process.ts";
import type { Rows } from "../table.ts";
import type { NodeOrder, NodeSeen } from "./node-child.ts";

export interface NodesPlan {
  /** The total, shared evenly. */
  readonly concurrency: number;
  readonly warmupMs: number;
  readonly measureMs: number;
  readonly built: boolean;
}

export async function measureNodes(nodes: number, plan: NodesPlan, postgres: BenchPostgres): Promise<Figures> {
  return postgres.withDatabase(async (databaseUrl) => {
    const order: NodeOrder = { ...plan, concurrency: Math.round(plan.concurrency / nodes), databaseUrl };
    const children: MeasuredProcess[] = [];
    const endAll = async (): Promise<void> => {
      await Promise.all(children.splice(0).map((child) => child.end()));
    };
    try {
      for (let n = 0; n < nodes; n++) {
        const child = startChild("../scale/node-child.ts", order, plan.built);
        children.push(child);
        // One after another, because the first one migrates and publishes.
        await child.begun;
      }
      const meter = await startMeter({ kind: "postgres", url: databaseUrl });
      const seen = (await Promise.all(children.map((child) => child.ask("run")))) as NodeSeen[];
      const { commits = 0, walBytes = 0, diskBytes } = await meter.usedBy(endAll);
      const sum = (figure: (one: NodeSeen) => number): number => seen.reduce((total, one) => total + figure(one), 0);
      const total = sum((one) => one.total);
      return {
        perSecond: sum((one) => one.perSecond),
        p50Ms: median(seen.map((one) => one.p50Ms)),
        p99Ms: Math.max(...seen.map((one) => one.p99Ms)),
        cpuUsEach: sum((one) => one.cpuUs) / total,
        commitsEach: commits / total,
        walBytesEach: walBytes / total,
        diskBytesEach: diskBytes / total,
      };
    } finally {
      await endAll();
    }
  });
}

/** One row for each number of nodes: medians of the rounds, throughput as a multiple of one node's. */
export function nodesRows(concurrency: number, measured: ReadonlyMap<number, readonly Figures[]>): Rows {
  const [one = []] = measured.values();
  const headings = [
    "nodes",
    "load",
    "per s",
    "of one node",
    "p50 ms",
    "p99 ms",
    "commits each",
    "WAL each",
    "CPU us each",
  ];
  const rows = [...measured].map(([nodes, samples]) => {
    const middle = (figure: (sample: Figures) => number | undefined, digits: number): string =>
      median(samples.map((sample) => figure(sample) ?? NaN)).toFixed(digits);
    const shares = samples.map(({ perSecond }, round) => perSecond / (one[round]?.perSecond ?? NaN));
    return [
      String(nodes),
      `W1, ${concurrency} in all`,
      middle((each) => each.perSecond, 0),
      median(shares).toFixed(2),
      middle((each) => each.p50Ms, 2),
      middle((each) => each.p99Ms, 2),
      middle((each) => each.commitsEach, 2),
      middle((each) => each.walBytesEach, 0),
      middle((each) => each.cpuUsEach, 0),
    ];
  });
  return [headings, ...rows];
}
