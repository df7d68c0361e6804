/** The workloads of the service around the engine: its interface, its deliveries, and the receivers' verifier. */
import { inFreshProcess } from "../fresh-process.ts";
import type { Figures } from "../figures.ts";
import type { Measurement } from "../child.ts";
import type { BenchPostgres } from "../postgres-server.ts";
import type { Sample } from "../workloads.ts";
import { measureDeliveries } from "./measure-deliveries.ts";
import { measureService } from "./measure-service.ts";
import { measureVerifier } from "./measure-verifier.ts";
import type { ServiceCase } from "./service-targets.ts";

export const SERVICE_WORKLOADS = ["W4", "W5", "verifier"] as const;
export type ServiceWorkload = (typeof SERVICE_WORKLOADS)[number];

/** The duration of each measurement. */
export interface ServicePlan {
  /** W1 in process. */
  readonly warmupMs: number;
  /** Requests of W4, deliveries of W5. */
  readonly warmRequests: number;
  readonly measureMs: number;
  /** Deliveries of W5, after those of its warm-up. */
  readonly deliveries: number;
  readonly built: boolean;
}

/** Measures on a new database of Postgres, if one is given, else on a new file. */
type Measure = (plan: ServicePlan, place: { readonly databaseUrl?: string }) => Promise<Figures>;

const CONNECTIONS = 64;

const load = ({ warmRequests, measureMs, built }: ServicePlan) => ({
  warmRequests,
  measureMs,
  built,
  connections: CONNECTIONS,
});

const accepts =
  (subject: string): Measure =>
  (plan, place) =>
    measureService({ ...load(plan), ...place, subject, mode: "async", body: "run" });

const completes =
  (subject: string): Measure =>
  (plan, place) =>
    measureService({ ...load(plan), ...place, subject, mode: "sync", body: "sync run" });

const takesDeliveries: Measure = (plan) =>
  measureService({ ...load(plan), subject: "hono-echo", mode: "async", body: "delivery" });

const inProcess: Measure = async ({ warmupMs, measureMs, built }, place) => {
  const asked: Measurement = {
    ...place,
    system: place.databaseUrl === undefined ? "procedo-sqlite" : "procedo-postgres",
    workload: "W1",
    concurrency: CONNECTIONS,
    warmupMs,
    measureMs,
  };
  return JSON.parse(await inFreshProcess("child.ts", asked, { built })) as Sample;
};

const sends =
  (answering: number, hanging: number): Measure =>
  ({ warmRequests, deliveries, built }, place) =>
    measureDeliveries({ ...place, answering, hanging, warmDeliveries: warmRequests, deliveries, built });

/** One round of a case: the figures of its systems, the ceiling first. */
type Round = (plan: ServicePlan, withPlace: WithPlace) => AsyncIterable<readonly [system: string, figures: Figures]>;
type WithPlace = <T>(use: (place: { readonly databaseUrl?: string }) => Promise<T>) => Promise<T>;

const inTurn = (measures: Readonly<Record<string, Measure>>): Round =>
  async function* (plan, withPlace) {
    for (const [system, measure] of Object.entries(measures)) {
      yield [system, await withPlace((place) => measure(plan, place))];
    }
  };

const accepting: Round = inTurn({
  "durable-trigger": accepts("durable-trigger"),
  "procedo-accept": accepts("procedo-accept"),
  "procedo-server-accept": accepts("procedo-server-accept"),
  "procedo-http": accepts("procedo-http"),
  "procedo-server": accepts("procedo-server"),
});
const receiving: Round = inTurn({
  "durable-trigger": accepts("durable-trigger"),
  "procedo-inbound": accepts("procedo-inbound"),
  "procedo-server-inbound": accepts("procedo-server-inbound"),
});
const completing: Round = inTurn({
  "in process": inProcess,
  "procedo-http": completes("procedo-http"),
  "procedo-server": completes("procedo-server"),
});
const delivering: Round = inTurn({
  "hono-echo": takesDeliveries,
  "1 receiver": sends(1, 0),
  "50 receivers": sends(50, 0),
});
const deliveringToMany: Round = inTurn({ "50 answer": sends(50, 0), "1 of 50 hangs": sends(49, 1) });

/** By the case's name in `service-targets.ts`. */
const ROUNDS: Readonly<Record<string, Round>> = {
  "W4 async c64": inTurn({
    "durable-trigger": accepts("durable-trigger"),
    "node-echo": accepts("node-echo"),
    "hono-echo": accepts("hono-echo"),
    "procedo-accept": accepts("procedo-accept"),
    "procedo-server-accept": accepts("procedo-server-accept"),
    "procedo-http": accepts("procedo-http"),
    "procedo-server": accepts("procedo-server"),
  }),
  "W4 async c64 Postgres": accepting,
  "W4 inbound c64": receiving,
  "W4 inbound c64 Postgres": receiving,
  "W4 sync c64": completing,
  "W4 sync c64 Postgres": completing,
  W5: delivering,
  "W5 Postgres": delivering,
  "W5 to 50": deliveringToMany,
  "W5 to 50 Postgres": deliveringToMany,
  // One process measures both in short turns, because the noise between two processes exceeds the difference.
  "verifier 2 kB": async function* ({ built }) {
    const { ceiling, own } = await measureVerifier(built);
    yield ["createHmac + JSON.parse", { perSecond: ceiling }];
    yield ["verifyWebhook", { perSecond: own }];
  },
};

/**
 * Measures every system of a case once, each on a separate database.
 *
 * @throws Error if there is no such case, or if it needs Postgres and there is none
 */
export function measureServiceRound(
  { name, database }: Pick<ServiceCase, "name" | "database">,
  plan: ServicePlan,
  postgres: Pick<BenchPostgres, "withDatabase"> | undefined,
): ReturnType<Round> {
  const round = ROUNDS[name];
  if (round === undefined) throw new Error(`No case is named "${name}"; there are ${Object.keys(ROUNDS).join(", ")}.`);
  if (database !== "postgres") return round(plan, (use) => use({}));
  if (postgres === undefined) throw new Error(`${name} needs Postgres, and none is running.`);
  return round(plan, (use) => postgres.withDatabase((databaseUrl) => use({ databaseUrl })));
}
