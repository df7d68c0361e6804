/**
 * One of several nodes on one Postgres, in this fresh process: reads a {@link NodeOrder} as JSON from its first
 * argument; answers `run` with {@link NodeSeen}.
 */
import process from "node:process";
import { closedLoop, type Load, quantile } from "../closed-loop.ts";
import { instantTools } from "../payment.ts";
import { procedoPostgres } from "../procedo.ts";
import { answerParent } from "../service/child-process.ts";
import { operationOf } from "../workloads.ts";

/** The parent's request. */
export interface NodeOrder extends Load {
  readonly databaseUrl: string;
}

export interface NodeSeen {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly total: number;
  readonly cpuUs: number;
}

const order = JSON.parse(process.argv[2] ?? "null") as NodeOrder;
const session = await procedoPostgres.open({ directory: "", databaseUrl: order.databaseUrl, tools: instantTools });

answerParent(
  null,
  {
    run: async (): Promise<NodeSeen> => {
      const cpuBefore = process.cpuUsage();
      const loop = await closedLoop(order, operationOf("W1", session));
      const { user, system } = process.cpuUsage(cpuBefore);
      return {
        perSecond: loop.ended / loop.seconds,
        p50Ms: quantile(loop.latenciesMs, 0.5),
        p99Ms: quantile(loop.latenciesMs, 0.99),
        total: loop.total,
        cpuUs: user + system,
      };
    },
  },
  () => session.close(),
);
