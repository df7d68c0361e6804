import { setTimeout as pause } from "node:timers/promises";
import { seededRandom } from "@procedo-testing/faults";
import { countWhatHappened } from "../crash/count-what-happened.ts";
import { tally } from "../crash/tally.ts";
import { forTier, type ProofGroup, type ProofOptions, type ProofResult } from "../proof-group.ts";
import { feeder } from "./load.ts";
import { finishTogether, withWorld } from "./postgres-world.ts";

const secondsOf = { commit: 5, nightly: 1_200, release: 3_600 };
const everyMs = 200;
const runsPerSecond = 10;
const leaseMs = 2_000;

/** pg-terminated-connections: connections break one after another, at any moment of their work. */
export const cutConnections: ProofGroup = {
  id: "pg-terminated-connections",
  title: "pg_terminate_backend on one of the nodes' connections every 200 ms",
  lowered: { commit: "5 s of 60 s: the time of a commit" },
  run: (options) => proveCutConnections(options),
};

/** The same with modules that are loaded before the product. */
export async function proveCutConnections(
  { tier, seed, seeds, report }: ProofOptions,
  preload: readonly string[] = [],
): Promise<ProofResult> {
  const total = tally();
  const random = seededRandom(seed * 1_000 + 4);
  const seconds = seeds ?? forTier(tier, secondsOf);
  const on = await withWorld({ name: "cut-connections", random, leaseMs, preload }, async (postgres) => {
    const { world, hardships } = postgres;
    await postgres.boot(2);
    const beganAtMs = performance.now();
    const passed = (): number => (performance.now() - beganAtMs) / 1_000;
    const feed = feeder(world, random.fork("load"), {
      allowed: () => Math.ceil(Math.min(seconds, passed()) * runsPerSecond),
      open: 200,
      more: () => passed() < seconds,
    });
    const driven = postgres.drive({ feed, limitMs: seconds * 1_000 + 120_000 });
    const died = driven.then(() => undefined);
    const choice = random.fork("cuts");
    while (passed() < seconds) {
      await Promise.race([pause(everyMs), died]);
      const connections = await postgres.query<{ pid: number }>(
        "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'member' ORDER BY pid",
      );
      if (connections.length === 0) continue;
      await postgres.query("SELECT pg_terminate_backend($1)", [choice.pick(connections).pid]);
      total.add("connectionsCut");
    }
    await driven;
    countWhatHappened(total, await finishTogether(postgres));
    total.add("refusedForNow", hardships.refused);
    report(
      `pg-terminated-connections: ${hardships.refused} requests were refused temporarily, and answered when repeated`,
    );
  }).catch((error: unknown) => {
    total.fail(`pg-terminated-connections seed ${seed}: ${error instanceof Error ? error.message : String(error)}`);
    return {};
  });
  return { ...total.result(), on };
}
