/** The workloads of the service around the engine: its interface, its deliveries, and what receivers check them with. */
import { inFreshProcess } from "../fresh-process.ts";
import type { Figures } from "../figures.ts";
import type { Measurement } from "../child.ts";
import type { Sample } from "../workloads.ts";
import { measureDeliveries } from "./measure-deliveries.ts";
import { measureService } from "./measure-service.ts";
import { measureVerifier } from "./measure-verifier.ts";

export const SERVICE_WORKLOADS = ["W4", "W5", "verifier"] as const;
export type ServiceWorkload = (typeof SERVICE_WORKLOADS)[number];

/** How long each measurement is. */
export interface ServicePlan {
  /** Of W1 in process. */
  readonly warmupMs: number;
  readonly warmRequests: number;
  readonly measureMs: number;
  /** Deliveries of W5, those of its warm-up included. */
  readonly deliveries: number;
  readonly built: boolean;
}

type Measure = (plan: ServicePlan) => Promise<Figures>;

const CONNECTIONS = 64;

const load = ({ warmRequests, measureMs, built }: ServicePlan) => ({
  warmRequests,
  measureMs,
  built,
  connections: CONNECTIONS,
});

const accepts =
  (subject: string): Measure =>
  (plan) =>
    measureService({ ...load(plan), subject, mode: "async", body: "run" });

const completes =
  (subject: string): Measure =>
  (plan) =>
    measureService({ ...load(plan), subject, mode: "sync", body: "sync run" });

const takesDeliveries: Measure = (plan) =>
  measureService({ ...load(plan), subject: "hono-echo", mode: "async", body: "delivery" });

const inProcess: Measure = async ({ warmupMs, measureMs, built }) => {
  const asked: Measurement = {
    system: "procedo-sqlite",
    workload: "W1",
    concurrency: CONNECTIONS,
    warmupMs,
    measureMs,
  };
  return JSON.parse(await inFreshProcess("child.ts", asked, { built })) as Sample;
};

const sends =
  (answering: number, hanging: number): Measure =>
  ({ deliveries, built }) =>
    measureDeliveries({ answering, hanging, deliveries, built });

/** One round of a case: the figures of its systems, the ceiling first. */
type Round = (plan: ServicePlan) => AsyncIterable<readonly [system: string, figures: Figures]>;

const inTurn = (measures: Readonly<Record<string, Measure>>): Round =>
  async function* (plan) {
    for (const [system, measure] of Object.entries(measures)) yield [system, await measure(plan)];
  };

/** By the case's name in `targets.ts`. */
const ROUNDS: Readonly<Record<string, Round>> = {
  "W4 async c64": inTurn({
    "durable-trigger": accepts("durable-trigger"),
    "node-echo": accepts("node-echo"),
    "hono-echo": accepts("hono-echo"),
    "procedo-accept": accepts("procedo-accept"),
    "procedo-http": accepts("procedo-http"),
    "procedo-server": accepts("procedo-server"),
  }),
  "W4 sync c64": inTurn({
    "in process": inProcess,
    "procedo-http": completes("procedo-http"),
    "procedo-server": completes("procedo-server"),
  }),
  W5: inTurn({ "hono-echo": takesDeliveries, "1 receiver": sends(1, 0) }),
  "W5 to 50": inTurn({ "50 answer": sends(50, 0), "1 of 50 hangs": sends(49, 1) }),
  // One process measures both in short turns: between two processes there is more noise than there is difference.
  "verifier 2 kB": async function* ({ built }) {
    const { ceiling, own } = await measureVerifier(built);
    yield ["createHmac + JSON.parse", { perSecond: ceiling }];
    yield ["verifyWebhook", { perSecond: own }];
  },
};

/** @throws Error when there is no such case. */
export function measureServiceRound(name: string, plan: ServicePlan): ReturnType<Round> {
  const round = ROUNDS[name];
  if (round === undefined) throw new Error(`No case is named "${name}"; there are ${Object.keys(ROUNDS).join(", ")}.`);
  return round(plan);
}
