import { setTimeout as pause } from "node:timers/promises";
import { seededRandom } from "@procedo-testing/faults";
import { ProcedoError } from "@procedo/contract";
import { PostgresStorage } from "@procedo/storage-postgres";
import { countWhatHappened } from "../crash/count-what-happened.ts";
import { tally } from "../crash/tally.ts";
import { forTier, type ProofGroup } from "../proof-group.ts";
import { feeder } from "./load.ts";
import { nextVersion, preloadOf } from "./node-mutations.ts";
import { finishTogether, type ProvenOn, withWorld } from "./postgres-world.ts";

const timesOf = { commit: 1, nightly: 2, release: 10 };
/** The time with nodes of both versions at work. */
const mixedSecondsOf = { commit: 2, nightly: 120, release: 600 };
const leaseMs = 2_000;
const runsPerSecond = 10;

/**
 * pg-rolling-upgrade: a node of the next version joins and migrates the schema while the others continue, and then each
 * is replaced. Only one version exists so far: the next one is this version with another migration.
 */
export const rollingUpgrade: ProofGroup = {
  id: "pg-rolling-upgrade",
  title: "A rolling upgrade under load: nodes of two versions on a schema that one of them has migrated",
  lowered: {
    commit: "2 s with both versions: the time of a commit",
    nightly: "2 minutes of 10 with both versions: the time of a night",
  },
  run: async ({ tier, seed, seeds, report }) => {
    const total = tally();
    let on: ProvenOn = {};
    const times = seeds ?? forTier(tier, timesOf);
    const mixedSeconds = forTier(tier, mixedSecondsOf);
    for (let time = 0; time < times; time++) {
      const random = seededRandom(seed * 1_000 + 900 + time);
      on = await withWorld({ name: "rolling-upgrade", random, leaseMs }, async (postgres) => {
        await postgres.boot(2);
        let isRunning = true;
        const beganAtMs = performance.now();
        const feed = feeder(postgres.world, random.fork("load"), {
          allowed: () => (isRunning ? ((performance.now() - beganAtMs) / 1_000) * runsPerSecond : 0),
          open: 100,
          more: () => isRunning,
        });
        const driven = postgres.drive({ feed, limitMs: mixedSeconds * 1_000 + 180_000 });
        // Awaited below, where its error is reported.
        driven.catch(() => {});
        const old = postgres.living();
        await postgres.bootNext(preloadOf(nextVersion));
        await pause(mixedSeconds * 1_000);
        await expectRefused(postgres.databaseUrl);
        for (const member of old) {
          await member.kill();
          await postgres.bootNext(preloadOf(nextVersion));
        }
        isRunning = false;
        await driven;
        countWhatHappened(total, await finishTogether(postgres));
        total.add("upgrades");
        report(`pg-rolling-upgrade: ${time + 1} of ${times} upgrades`);
      }).catch((error: unknown) => {
        total.fail(`pg-rolling-upgrade seed ${seed}: ${error instanceof Error ? error.message : String(error)}`);
        return {};
      });
    }
    return { ...total.result({ leaseMs }), on };
  },
};

/** A node of this version must not start now, because it does not know the newer schema. */
async function expectRefused(databaseUrl: string): Promise<void> {
  const opened = await PostgresStorage.connect(databaseUrl).catch((error: unknown) => error);
  if (opened instanceof PostgresStorage) {
    await opened.close();
    throw new Error("a node of the previous version was started on a newer schema");
  }
  if (!ProcedoError.isError(opened) || opened.code !== "invalid_configuration") throw opened;
}
