import { setTimeout as pause } from "node:timers/promises";
import { countWhatHappened } from "../crash/count-what-happened.ts";
import { tally } from "../crash/lanes.ts";
import { seeded } from "../crash/seeded.ts";
import { forTier, type ProofGroup } from "../proof-group.ts";
import { feeder } from "./load.ts";
import { finishTogether, withWorld } from "./postgres-world.ts";

const runsOf = { commit: 80, nightly: 5_000, release: 20_000 };
const runsPerStop = 40;
/** The shortest time between two stops; the longest is twice as long. */
const workingMsOf = { commit: 900, nightly: 5_000, release: 5_000 };
const longestDownMs = 2_000;
/** So that a server which stops meets runs under way. */
const ledgerMs = 200;

/** N-01: the database itself dies and comes back, again and again. */
export const serverStops: ProofGroup = {
  id: "N-01",
  title: "Postgres stopped without warning every few seconds under two nodes at work",
  lowered: {
    commit: "80 runs of 200, and a stop every 0.9 to 1.8 s rather than 5 to 10 s: the time of a commit",
    nightly: "5,000 runs of every kind rather than three times 5,000 of one kind each",
  },
  run: async ({ tier, seed, seeds, report }) => {
    const total = tally();
    const random = seeded(seed * 1_000 + 1);
    const runs = seeds ?? forTier(tier, runsOf);
    const stops = Math.ceil(runs / runsPerStop);
    const working = forTier(tier, workingMsOf);
    const on = await withWorld({ name: "n01", random, leaseMs: 2_000 }, async (postgres, server) => {
      const { world, hardships } = postgres;
      await postgres.boot(2);
      await world.ledger.answerLate(ledgerMs);
      let stopped = 0;
      let period = { fromMs: performance.now(), lengthMs: working };
      const share = (): number => Math.min(1, (performance.now() - period.fromMs) / period.lengthMs);
      const load = feeder(world, random.fork(), {
        allowed: () => Math.min(runs, Math.ceil((stopped + share()) * runsPerStop)),
        open: 60,
        more: () => stopped < stops,
      });
      const driven = postgres.drive({ feed: load, limitMs: limitOf(stops) });
      const died = driven.then(() => undefined);
      const times = random.fork();
      while (stopped < stops) {
        period = { fromMs: performance.now(), lengthMs: working + times.below(working) };
        // A drive that fails is not waited for.
        await Promise.race([pause(period.lengthMs), died]);
        await server.stop("immediate");
        await pause(times.below(longestDownMs));
        await server.start();
        stopped += 1;
        total.add("stops");
        report(`N-01: ${stopped} of ${stops} stops, ${world.starts.length} runs started`);
      }
      await driven;
      countWhatHappened(total, await finishTogether(postgres));
      total.add("refusedForNow", hardships.refused);
    }).catch((error: unknown) => {
      total.fail(`N-01 seed ${seed}: ${error instanceof Error ? error.message : String(error)}`);
      return {};
    });
    return { ...total.result(), on };
  },
};

/** A run that waits for a person, a lease and a stop or two still ends in time. */
function limitOf(stops: number): number {
  return stops * 15_000 + 120_000;
}
