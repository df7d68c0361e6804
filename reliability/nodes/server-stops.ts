import { setTimeout as pause } from "node:timers/promises";
import { seededRandom } from "@procedo-testing/faults";
import { askedInVain, callsUnderWay, mostTold, type CallUnderWay } from "../crash/calls-under-way.ts";
import { countWhatHappened } from "../crash/count-what-happened.ts";
import type { TracedRun } from "../crash/evidence.ts";
import { tally, type Tally } from "../crash/tally.ts";
import { paymentRequests, untilPaying } from "../crash/until-paying.ts";
import { forTier, type ProofGroup, type ProofOptions, type ProofResult } from "../proof-group.ts";
import { feeder } from "./load.ts";
import { finishTogether, withWorld } from "./postgres-world.ts";

const runsOf = { commit: 80, nightly: 5_000, release: 20_000 };
const runsPerStop = 40;
/** The shortest time between two stops; the longest is twice as long. */
const workingMsOf = { commit: 900, nightly: 5_000, release: 5_000 };
const shortestDownMs = { short: 0, long: 2_500 };
const longestDownMs = { short: 2_000, long: 5_000 };
const leaseMs = 2_000;
/** The ledger's delay, so that a stop meets payments under way. */
const ledgerMs = 200;
/** The ledger's delay before a long outage, so that answers arrive while the server is down. */
const lateMs = 3_000;
/** Longer than two consecutive outages: a run that was taken over waits this long for the worker that made its call. */
const paymentTimeoutMs = 20_000;
/** The time within which a worker stores an answer once the database is back; it retries at least every 5 s. */
const storedWithinMs = 6_000;

/** pg-server-stops: the database server is stopped and restarted repeatedly. */
export const serverStops: ProofGroup = {
  id: "pg-server-stops",
  title:
    "Postgres stopped without warning every few seconds under two nodes at work, every other time past their lease",
  lowered: {
    commit: "80 runs of 200, and a stop every 0.9 to 1.8 s rather than 5 to 10 s: the time of a commit",
    nightly: "5,000 runs of all kinds rather than 5,000 runs of each of three kinds",
  },
  run: (options) => proveServerStops(options),
};

/** The same with modules that are loaded before the product. */
export async function proveServerStops(
  { tier, seed, seeds, report }: ProofOptions,
  preload: readonly string[] = [],
): Promise<ProofResult> {
  const total = tally();
  const random = seededRandom(seed * 1_000 + 1);
  const runs = seeds ?? forTier(tier, runsOf);
  const stops = Math.ceil(runs / runsPerStop);
  const working = forTier(tier, workingMsOf);
  const options = { name: "server-stops", random, leaseMs, paymentTimeoutMs, preload };
  const on = await withWorld(options, async (postgres, server) => {
    const { world, hardships } = postgres;
    await postgres.boot(2);
    await world.ledger.answerLate(ledgerMs);
    let stopped = 0;
    const outages: Outage[] = [];
    let period = { fromMs: performance.now(), lengthMs: working };
    const share = (): number => Math.min(1, (performance.now() - period.fromMs) / period.lengthMs);
    const load = feeder(world, random.fork("load"), {
      allowed: () => Math.min(runs, Math.ceil((stopped + share()) * runsPerStop)),
      open: 60,
      more: () => stopped < stops,
    });
    const driven = postgres.drive({ feed: load, limitMs: limitOf(stops) });
    const died = driven.then(() => undefined);
    const times = random.fork("outages");
    while (stopped < stops) {
      period = { fromMs: performance.now(), lengthMs: working + times.below(working) };
      const length = stopped % 2 === 0 ? "long" : "short";
      await world.ledger.answerLate(length === "long" ? lateMs : ledgerMs);
      const paid = await paymentRequests(world);
      // A failed drive ends the wait.
      await Promise.race([pause(period.lengthMs), died]);
      await Promise.race([untilPaying(world, paid), died]);
      const fromMs = Date.now();
      await server.stop("immediate");
      await pause(shortestDownMs[length] + times.below(longestDownMs[length] - shortestDownMs[length]));
      await server.start();
      outages.push({ length, fromMs, toMs: Date.now() });
      await world.ledger.answerLate(ledgerMs);
      stopped += 1;
      total.add("stops");
      report(`pg-server-stops: ${stopped} of ${stops} stops, ${world.starts.length} runs started`);
    }
    await driven;
    const evidence = await finishTogether(postgres);
    countWhatHappened(total, evidence);
    total.add("refusedForNow", hardships.refused);
    const vain = judgeOutages(total, outages, evidence.runs);
    if (vain.length > 0) throw new Error(vain.slice(0, mostTold).join(" "));
  }).catch((error: unknown) => {
    total.fail(`pg-server-stops seed ${seed}: ${error instanceof Error ? error.message : String(error)}`);
    return {};
  });
  return { ...total.result(), on };
}

interface Outage {
  readonly length: "short" | "long";
  readonly fromMs: number;
  readonly toMs: number;
}

/** Whether the run's next owner opened a review before the worker could store the answer that it had received. */
function isTooSoon({ reason, atMs }: NonNullable<CallUnderWay["question"]>, outages: readonly Outage[]): boolean {
  const before = outages.filter(({ fromMs }) => fromMs < atMs);
  return ownersReason.test(reason) && before.some(({ toMs }) => atMs < toMs + storedWithinMs);
}

/** The reason that an owner gives for a call of another worker. */
const ownersReason = /^The worker that made the call stopped /;

/**
 * No process dies here, so every answer is received. A review is permitted only if the database was not back long
 * enough for the answer to be stored within its call's time. Returns the unnecessary questions.
 */
function judgeOutages(total: Tally, outages: readonly Outage[], runs: readonly TracedRun[]): readonly string[] {
  return outages.flatMap(({ length, fromMs }) => {
    const calls = callsUnderWay(runs, { atMs: fromMs });
    const name = length === "long" ? "longOutages" : "shortOutages";
    total.add(name);
    total.add(`${name}.inFlight`, calls.length);
    total.add(`${name}.askedAbout`, calls.filter(({ question }) => question !== undefined).length);
    return askedInVain(calls.filter(({ question }) => question !== undefined && !isTooSoon(question, outages)));
  });
}

/** The time limit; it covers a review, a lease and two stops. */
function limitOf(stops: number): number {
  return stops * 15_000 + 120_000;
}
