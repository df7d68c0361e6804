import { startPostgres, type PostgresServer, type PostgresStandby } from "@procedo-testing/postgres";
import { setTimeout as pause } from "node:timers/promises";
import { seededRandom } from "@procedo-testing/faults";
import { countWhatHappened } from "../crash/count-what-happened.ts";
import { tally, type Tally } from "../crash/tally.ts";
import { quantile } from "../crash/quantile.ts";
import type { Start } from "../crash/world.ts";
import { forTier, type ProofGroup } from "../proof-group.ts";
import { feeder } from "./load.ts";
import {
  createPostgresWorld,
  finishTogether,
  queryOnce,
  versionOf,
  type PostgresWorld,
  type ProvenOn,
} from "./postgres-world.ts";
import { readPostgres } from "./read-postgres.ts";
import { startProxy, type TcpProxy } from "./tcp-proxy.ts";
import { until } from "./until.ts";

const failoversOf = { commit: 1, nightly: 30, release: 100 };
const leaseMs = 2_000;
const runsPerSecond = 10;
/** The time for which the old primary stays up read-only, with the nodes' connections. */
const readOnlyMs = 1_500;
const workingMs = 1_000;
const resumedWithinMs = 30_000;
/** Number of starts that are acknowledged while the standby receives nothing. */
const unheard = 20;

/** pg-failover: the primary is taken out of service, its standby is promoted, and the address then leads to it. */
export const failovers: ProofGroup = {
  id: "pg-failover",
  title: "Failover to a streaming standby, while the old primary stays up read-only",
  lowered: { commit: "1 failover of 3: the time of a commit" },
  run: async ({ tier, seed, seeds, report }) => {
    const total = tally();
    const count = seeds ?? forTier(tier, failoversOf);
    const resumed: number[] = [];
    const failed = (what: string) => (error: unknown) =>
      total.fail(`pg-failover seed ${seed}, ${what}: ${error instanceof Error ? error.message : String(error)}`);
    const servers: PostgresServer[] = [];
    let on: ProvenOn = {};
    try {
      servers.push(await startPostgres());
      on = await versionOf(lastOf(servers));
      await withSynchronousStandbys(seed, count, servers, { total, resumed, report }).catch(failed("synchronous"));
      await showWindow(seed, servers, { total, report }).catch(failed("asynchronous"));
    } finally {
      await Promise.all(servers.map((server) => server.close()));
    }
    for (const ms of resumed) {
      if (ms > resumedWithinMs) total.fail(`pg-failover seed ${seed}: writes resumed only after ${ms} ms.`);
    }
    return {
      ...total.result({
        leaseMs,
        writesWentOnP50Ms: quantile(resumed, 0.5),
        writesWentOnSlowestMs: Math.max(0, ...resumed),
      }),
      on,
    };
  },
};

interface Failing {
  readonly total: Tally;
  readonly resumed: number[];
  readonly report: (line: string) => void;
}

/** Consecutive failovers, each to a standby of the current primary. */
async function withSynchronousStandbys(
  seed: number,
  count: number,
  servers: PostgresServer[],
  { total, resumed, report }: Failing,
): Promise<void> {
  const random = seededRandom(seed * 1_000 + 6);
  let primary = lastOf(servers);
  const proxy = await startProxy(primary.port);
  const postgres = await createPostgresWorld({ name: "failovers", random, server: primary, leaseMs });
  try {
    await postgres.bootThrough(proxy);
    await postgres.bootThrough(proxy);
    let isRunning = true;
    const beganAtMs = performance.now();
    const allowed = (): number => (isRunning ? ((performance.now() - beganAtMs) / 1_000) * runsPerSecond : 0);
    const feed = feeder(postgres.world, random.fork("load"), { allowed, open: 100, more: () => isRunning });
    const driven = postgres.drive({ feed, limitMs: count * 60_000 + 120_000 });
    // Awaited below, where its error is reported.
    driven.catch(() => {});
    for (let failover = 0; failover < count; failover++) {
      const standby = await primary.standby();
      servers.push(standby);
      await holdBackFor(primary);
      await pause(workingMs);
      // A load that ends early has failed; without this race the wait would never end.
      const early = driven.then(() => Promise.reject(new Error("The load ended early.")));
      const ms = await Promise.race([failOver(postgres, proxy, primary, standby), early]);
      resumed.push(ms);
      total.add("failovers");
      report(`pg-failover: failover ${failover + 1} of ${count}: writes resumed after ${ms} ms`);
      await pause(readOnlyMs);
      await primary.close();
      primary = standby;
    }
    isRunning = false;
    await driven;
    const { starts, decisions } = postgres.world;
    countWhatHappened(total, await finishTogether(postgres));
    total.add("acknowledged", starts.length + decisions.filter(({ acknowledged }) => acknowledged).length);
    // Lost data would have failed the checks.
    total.add("acknowledgedLost", 0);
    total.add("refusedAsReadOnly", proxy.errors.get("25006") ?? 0);
    if ((proxy.errors.get("25006") ?? 0) === 0) throw new Error("no connection met the read-only old primary");
  } finally {
    await postgres.close();
    await proxy.close();
  }
}

/** From now on writes are acknowledged only after the standby has them. */
async function holdBackFor(primary: PostgresServer): Promise<void> {
  await queryOnce(primary.url, "ALTER SYSTEM SET synchronous_standby_names = '*'");
  await queryOnce(primary.url, "SELECT pg_reload_conf()");
  await until(async () => {
    const states = await queryOnce<{ sync_state: string }>(primary.url, "SELECT sync_state FROM pg_stat_replication");
    return states.some(({ sync_state }) => sync_state === "sync");
  }, "the standby is synchronous");
}

/** Returns the milliseconds from the primary's last write to the next acknowledged start. */
async function failOver(
  postgres: PostgresWorld,
  proxy: TcpProxy,
  primary: PostgresServer,
  standby: PostgresStandby,
): Promise<number> {
  const beganAtMs = performance.now();
  await queryOnce(primary.url, "ALTER SYSTEM SET default_transaction_read_only = on");
  await queryOnce(primary.url, "SELECT pg_reload_conf()");
  await standby.promote();
  proxy.switchTo(standby.port);
  postgres.lookAt(atPort(postgres.databaseUrl, standby.port));
  const probe: Start = postgres.world.plan("plain");
  await until(() => Promise.resolve(probe.runId !== undefined), "a start is acknowledged again", 120_000);
  return Math.round(performance.now() - beganAtMs);
}

/**
 * Without a synchronous standby, writes that it has not received are lost. This shows that the proof detects losses.
 */
async function showWindow(
  seed: number,
  servers: PostgresServer[],
  { total, report }: Pick<Failing, "total" | "report">,
): Promise<void> {
  const random = seededRandom(seed * 1_000 + 60);
  const primary = lastOf(servers);
  const postgres = await createPostgresWorld({ name: "failovers-async", random, server: primary, leaseMs });
  try {
    await postgres.boot();
    const standby = await primary.standby();
    servers.push(standby);
    await until(async () => {
      const rows = await queryOnce(primary.url, "SELECT FROM pg_stat_replication WHERE state = 'streaming'");
      return rows.length > 0;
    }, "the standby streams");
    await queryOnce(standby.url, "ALTER SYSTEM SET primary_conninfo = ''");
    await queryOnce(standby.url, "SELECT pg_reload_conf()");
    await until(async () => {
      return (await queryOnce(primary.url, "SELECT FROM pg_stat_replication")).length === 0;
    }, "the standby receives nothing");
    for (let start = 0; start < unheard; start++) postgres.world.plan("plain");
    await postgres.drive();
    await standby.promote();
    const { runs } = await readPostgres(atPort(postgres.databaseUrl, standby.port));
    const known = new Set(runs.map(({ runId }) => runId));
    const lost = postgres.world.starts.filter(({ runId }) => runId !== undefined && !known.has(runId)).length;
    total.add("acknowledgedLostWithoutSynchronousStandby", lost);
    report(
      `pg-failover: of ${unheard} starts that an asynchronous standby had not received, ${lost} were lost with the primary`,
    );
    if (lost !== unheard) throw new Error(`${lost} of ${unheard} starts were lost, and none can have survived`);
  } finally {
    await postgres.close();
  }
}

/** The current primary. */
function lastOf(servers: readonly PostgresServer[]): PostgresServer {
  const last = servers.at(-1);
  if (last === undefined) throw new Error("There is no server.");
  return last;
}

function atPort(databaseUrl: string, port: number): string {
  const url = new URL(databaseUrl);
  url.port = String(port);
  return url.href;
}
