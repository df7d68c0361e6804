/**
 * Sends requests from this fresh process with constant concurrency: reads a {@link LoadOrder} as JSON from its first
 * argument. On `warm`, it sends until the subject's code is compiled; on `measure`, it answers with {@link LoadSeen}.
 */
import { performance } from "node:perf_hooks";
import process from "node:process";
import { closedLoop, quantile } from "../closed-loop.ts";
import { answerParent } from "./child-process.ts";
import { type HttpConnection, openConnection } from "./http-connection.ts";
import { type BodyKind, createRequests } from "./requests.ts";
import type { Target } from "./subject.ts";

/** The concurrency and duration of the requests. */
export interface RequestLoad {
  readonly connections: number;
  /**
   * Requests before the measured window: counted, but not timed, so that compiled code is measured on a busy machine as
   * well.
   */
  readonly warmRequests: number;
  readonly measureMs: number;
}

/** The parent's request. */
export interface LoadOrder extends RequestLoad {
  readonly target: Target;
  readonly body: BodyKind;
}

export interface LoadSeen {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Requests of the measured window and its edges. */
  readonly total: number;
  /**
   * Processor time of this process per request, in microseconds: if it nears the duration of a request, this process is
   * the bottleneck.
   */
  readonly cpuUsEach: number;
}

const order = JSON.parse(process.argv[2] ?? "null") as LoadOrder;
const { target } = order;
const requestOf = createRequests(target, order.body);
const all = await Promise.all(Array.from({ length: order.connections }, () => openConnection(target.port)));
const free: HttpConnection[] = [...all];
let sent = 0;

async function request(): Promise<number> {
  const connection = free.pop();
  if (connection === undefined) throw new Error("There are fewer connections than operations.");
  const text = requestOf(sent++);
  const begin = performance.now();
  const { status, body } = await connection.send(text);
  const latencyMs = performance.now() - begin;
  if (status !== target.answer.status || !body.includes(target.answer.holds)) {
    throw new Error(`The answer was ${status} ${body.slice(0, 500)}`);
  }
  free.push(connection);
  return latencyMs;
}

const load = (measureMs: number) => closedLoop({ concurrency: order.connections, warmupMs: 0, measureMs }, request);

answerParent(
  null,
  {
    warm: async (): Promise<number> => {
      while (sent < order.warmRequests) await load(100);
      return sent;
    },
    measure: async (): Promise<LoadSeen> => {
      const cpuBefore = process.cpuUsage();
      const loop = await load(order.measureMs);
      const { user, system } = process.cpuUsage(cpuBefore);
      return {
        perSecond: loop.ended / loop.seconds,
        p50Ms: quantile(loop.latenciesMs, 0.5),
        p99Ms: quantile(loop.latenciesMs, 0.99),
        total: loop.total,
        cpuUsEach: (user + system) / loop.total,
      };
    },
  },
  async () => {
    for (const connection of all) connection.close();
  },
);
