import { startPostgres, type PostgresServer } from "@procedo-testing/postgres";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { seededRandom, type SeededRandom } from "@procedo-testing/faults";
import { countWhatHappened } from "../crash/count-what-happened.ts";
import { concurrently } from "../crash/concurrently.ts";
import { tally, type Tally } from "../crash/tally.ts";
import { forTier, type ProofGroup } from "../proof-group.ts";
import { createProbe, type Probe } from "./door-probe.ts";
import { feeder } from "./load.ts";
import { createPostgresWorld, finishTogether, versionOf, type ProvenOn } from "./postgres-world.ts";
import { startProxy, type TcpProxy } from "./tcp-proxy.ts";

const roundsOf = { commit: 2, nightly: 100, release: 300 };
const shortestMs = 5_000;
const longestMsOf = { commit: 6_000, nightly: 30_000, release: 120_000 };
const lanes = 2;
const leaseMs = 2_000;
const poolSize = 5;
const runsPerSecond = 6;
const slowMs = { from: 0, to: 400 };
const answeredWithinMs = 5_000;

const kinds = ["partition", "exhausted pool", "half-open", "latency"] as const;

type Kind = (typeof kinds)[number];

/** pg-partitions: one node cannot reach the database, or only slowly; the others can. */
export const partitions: ProofGroup = {
  id: "pg-partitions",
  title: "A node cut off from Postgres, slowed down, or out of connections: no run has two owners, and 503 within 5 s",
  lowered: {
    commit: "2 times of 20, a partition and an exhausted pool of 5 to 6 s each: the time of a commit",
    nightly: "100 times of 300, of 5 to 30 s each: the time of a night",
  },
  run: async ({ tier, seed, seeds, report }) => {
    const total = tally();
    const rounds = Array.from({ length: seeds ?? forTier(tier, roundsOf) }, (_, round) => round);
    const longestMs = forTier(tier, longestMsOf);
    let slowest = 0;
    const server = await startPostgres();
    let on: ProvenOn = {};
    try {
      on = await versionOf(server);
      await concurrently(rounds, lanes, async (lane, number) => {
        const random = seededRandom(seed * 1_000 + 700 + number);
        const done = (ms: number, line: string): void => {
          slowest = Math.max(slowest, ms);
          report(line);
        };
        await cutOffInTurn({ lane, random, server, longestMs, total, done }).catch((error: unknown) => {
          total.fail(
            `pg-partitions seed ${seed}, lane ${number}: ${error instanceof Error ? error.message : String(error)}`,
          );
        });
      });
    } finally {
      await server.close();
    }
    return { ...total.result({ leaseMs, slowestAnswerMs: slowest }), on };
  },
};

interface Lane {
  readonly lane: readonly number[];
  readonly random: SeededRandom;
  readonly server: PostgresServer;
  readonly longestMs: number;
  readonly total: Tally;
  readonly done: (slowestMs: number, line: string) => void;
}

async function cutOffInTurn({ lane, random, server, longestMs, total, done }: Lane): Promise<void> {
  const postgres = await createPostgresWorld({ name: "partitions", random, server, leaseMs, poolSize, serves: true });
  const proxy = await startProxy(server.port);
  try {
    const affected = await postgres.bootThrough(proxy);
    await postgres.boot();
    const door = await affected.ask("door", {});
    if (door.status !== "answered") throw new Error("A node does not serve.");
    let isRunning = true;
    const beganAtMs = performance.now();
    const allowed = (): number => (isRunning ? ((performance.now() - beganAtMs) / 1_000) * runsPerSecond : 0);
    const feed = feeder(postgres.world, random.fork("load"), { allowed, open: 100, more: () => isRunning });
    const driven = postgres.drive({ feed, limitMs: lane.length * (longestMs + 20_000) + 120_000 });
    // Awaited below, where its error is reported.
    driven.catch(() => {});
    for (const round of lane) {
      const kind = kinds[round % kinds.length] ?? "partition";
      const lengthMs = shortestMs + random.below(longestMs - shortestMs);
      const probe = createProbe(door.value, postgres.world, random.fork(`probe-${round}`));
      await during(kind, { proxy, databaseUrl: postgres.databaseUrl, random, lengthMs });
      const probed = await probe.end();
      judgeProbe(kind, probed, total);
      done(probed.slowestMs, `pg-partitions: ${kind} of ${lengthMs} ms: slowest answer after ${probed.slowestMs} ms`);
    }
    isRunning = false;
    await driven;
    countWhatHappened(total, await finishTogether(postgres));
  } finally {
    await postgres.close();
    await proxy.close();
  }
}

function judgeProbe(
  kind: Kind,
  { answers, slowestMs, latestMs, wrong }: Awaited<ReturnType<Probe["end"]>>,
  total: Tally,
): void {
  total.add("times");
  total.add(
    "requests",
    [...answers.values()].reduce((sum, count) => sum + count, 0),
  );
  total.add("refusedWith503", answers.get(503) ?? 0);
  for (const text of wrong) total.fail(`pg-partitions, ${kind}: ${text}`);
  const unavailable = (answers.get(503) ?? 0) > 0;
  if (kind !== "latency" && !unavailable)
    total.fail(`pg-partitions, ${kind}: no request was refused, so the group proves nothing.`);
  // A busy machine excuses a late answer; a node that hangs does not.
  if (latestMs > answeredWithinMs) total.fail(`pg-partitions, ${kind}: /healthz was answered after ${latestMs} ms.`);
  // On a slow network that loses nothing, a good answer may take longer.
  if (kind !== "latency" && slowestMs > answeredWithinMs + latestMs) {
    const late = `${latestMs} ms at most where no storage was needed`;
    total.fail(`pg-partitions, ${kind}: a request was answered after ${slowestMs} ms, and after ${late}.`);
  }
}

interface Length {
  readonly proxy: TcpProxy;
  readonly databaseUrl: string;
  readonly random: SeededRandom;
  readonly lengthMs: number;
}

async function during(kind: Kind, { proxy, databaseUrl, random, lengthMs }: Length): Promise<void> {
  switch (kind) {
    case "partition":
      proxy.partition();
      await pause(lengthMs);
      return proxy.heal();
    case "half-open":
      // New connections are dropped as well.
      proxy.halfOpen();
      proxy.partition();
      await pause(lengthMs);
      return proxy.heal();
    case "latency":
      proxy.slow(() => slowMs.from + random.below(slowMs.to - slowMs.from));
      await pause(lengthMs);
      return proxy.heal();
    case "exhausted pool":
      return holdTables(databaseUrl, lengthMs);
  }
}

/** Makes all statements wait, so that every connection of the pool is soon taken. */
async function holdTables(databaseUrl: string, lengthMs: number): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: "proof" });
  await client.connect();
  try {
    await client.query("BEGIN");
    await client.query("LOCK TABLE procedo.runs, procedo.workers, procedo.records IN ACCESS EXCLUSIVE MODE");
    await pause(lengthMs);
    await client.query("ROLLBACK");
  } finally {
    await client.end();
  }
}
