import { setTimeout as pause } from "node:timers/promises";
import { seededRandom } from "@procedo-testing/faults";
import { askedInVain, callsUnderWay, mostTold } from "../crash/calls-under-way.ts";
import { countWhatHappened } from "../crash/count-what-happened.ts";
import type { TracedRun } from "../crash/evidence.ts";
import { tally, type Tally } from "../crash/tally.ts";
import { quantile } from "../crash/quantile.ts";
import { forTier, type ProofGroup, type ProofOptions, type ProofResult } from "../proof-group.ts";
import { feeder } from "./load.ts";
import { finishTogether, withWorld } from "./postgres-world.ts";
import { takeOverTimes, type Death } from "./take-over.ts";

const secondsOf = { commit: 6, nightly: 1_800, release: 28_800 };
/** The longer tiers use the engine's default. */
const leaseMsOf = { commit: 2_000, nightly: 15_000, release: 15_000 };
const members = 3;
const runsPerSecondOf = { commit: 15, nightly: 6, release: 3 };
const betweenKillsMs = { from: 500, to: 3_000 };
/** Maximum multiple of the planned time, if no kill or drain met a node that owned a run. */
const longest = 5;
/** The ledger's delay, so that a killed process has calls under way. */
const ledgerMs = 1_000;
const paymentTimeoutMs = 4_000;
/** Longer than any payment takes. */
const drainMs = { drains: 10_000, shortDrains: 100 };
/** The time within which a claimed run is loaded. */
const loadedWithinMs = 200;
/** The number of runs that a drain should meet, and the longest search for such a node. */
const fewestRuns = 5;
const mostLooks = 25;
/** The ends, in turn. */
const ends = ["drains", "kills", "shortDrains", "kills"] as const;
const reportEveryKills = 20;

/** pg-node-kills: nodes are killed or drained one after another, and the others resume their runs. */
export const memberKills: ProofGroup = {
  id: "pg-node-kills",
  title: "SIGKILL or drain of one of three nodes every 0.5 to 3 s, and the time until another node resumes its runs",
  lowered: { commit: "6 s of 60 s, and a lease of 2 s rather than 15 s: the time of a commit" },
  run: (options) => proveMemberKills(options),
};

/** The same with modules that are loaded before the product. */
export async function proveMemberKills(
  { tier, seed, seeds, report }: ProofOptions,
  preload: readonly string[] = [],
): Promise<ProofResult> {
  const total = tally();
  const random = seededRandom(seed * 1_000 + 2);
  const seconds = seeds ?? forTier(tier, secondsOf);
  const leaseMs = forTier(tier, leaseMsOf);
  const runsPerSecond = forTier(tier, runsPerSecondOf);
  const times: number[] = [];
  const on = await withWorld({ name: "member-kills", random, leaseMs, paymentTimeoutMs, preload }, async (postgres) => {
    const { world } = postgres;
    await postgres.boot(members);
    await world.ledger.answerLate(ledgerMs);
    const beganAtMs = performance.now();
    const passed = (): number => (performance.now() - beganAtMs) / 1_000;
    const deaths: Death[] = [];
    const drains: Drain[] = [];
    // A few ends may all meet nodes without runs, which would prove nothing.
    const isShown = (): boolean =>
      [deaths, drains.filter(({ end }) => end === "drains")].every((ends) =>
        ends.some(({ runIds }) => runIds.length > 0),
      );
    const isRunning = (): boolean => passed() < seconds || (passed() < longest * seconds && !isShown());
    const feed = feeder(world, random.fork("load"), {
      allowed: () => (isRunning() ? Math.ceil(passed() * runsPerSecond) : 0),
      open: 900,
      more: isRunning,
    });
    const driven = postgres.drive({ feed, limitMs: longest * seconds * 1_000 + 10 * leaseMs + 120_000 });
    const died = driven.then(() => undefined);
    const lives = random.fork("lives");
    while (isRunning()) {
      const waitMs = betweenKillsMs.from + lives.below(betweenKillsMs.to - betweenKillsMs.from);
      await Promise.race([pause(waitMs), died]);
      const victim = lives.pick(postgres.living());
      const end = ends[(deaths.length + drains.length) % ends.length] ?? "kills";
      const heldByVictim = async (): Promise<readonly string[]> => {
        const rows = await postgres.query<{ run_id: string }>(
          "SELECT run_id FROM procedo.runs WHERE worker_id = $1 AND ended_at_ms IS NULL",
          [victim.workerId],
        );
        return rows.map(({ run_id }) => run_id);
      };
      total.add(end);
      if (end === "kills") {
        const atMs = Date.now();
        await victim.kill();
        deaths.push({ atMs, runIds: await heldByVictim() });
      } else {
        drains.push({ end, ...(await atWork(heldByVictim)) });
        await victim.drain(drainMs[end]);
      }
      if ((deaths.length + drains.length) % reportEveryKills === 0) {
        report(
          `pg-node-kills: ${Math.round(passed())} of ${seconds} s, ${deaths.length} kills, ${world.starts.length} runs`,
        );
      }
      await postgres.boot();
    }
    await driven;
    const evidence = await finishTogether(postgres);
    countWhatHappened(total, evidence);
    times.push(...takeOverTimes(deaths, evidence.runs));
    const vain = judgeDrains(total, drains, evidence.runs);
    if (vain.length > 0) throw new Error(vain.slice(0, mostTold).join(" "));
  }).catch((error: unknown) => {
    total.fail(`pg-node-kills seed ${seed}: ${error instanceof Error ? error.message : String(error)}`);
    return {};
  });
  const p95 = quantile(times, 0.95);
  const p99 = quantile(times, 0.99);
  report(
    `pg-node-kills: taken over after ${quantile(times, 0.5)} ms (p50), ${p95} ms (p95), ${p99} ms (p99); lease ${leaseMs} ms`,
  );
  if (times.length === 0) total.fail(`pg-node-kills seed ${seed}: no run was taken over, so the group proves nothing.`);
  // The commit tier shares its machine with other work, so it reports the time without judging it.
  if (tier !== "commit" && p95 > leaseMs + 5_000)
    total.fail(`pg-node-kills seed ${seed}: taken over after ${p95} ms (p95).`);
  if (tier !== "commit" && p99 > 2 * leaseMs)
    total.fail(`pg-node-kills seed ${seed}: taken over after ${p99} ms (p99).`);
  return {
    ...total.result({
      leaseMs,
      takenOver: times.length,
      takeOverP50Ms: quantile(times, 0.5),
      takeOverP95Ms: p95,
      takeOverP99Ms: p99,
    }),
    on,
  };
}

/**
 * Waits until a node has owned runs for longer than their loading takes, so that none of their calls is of the previous
 * owner.
 */
async function atWork(heldNow: () => Promise<readonly string[]>): Promise<Death> {
  for (let look = 1; ; look++) {
    const before = await heldNow();
    await pause(loadedWithinMs);
    const runIds = (await heldNow()).filter((runId) => before.includes(runId));
    if (runIds.length >= fewestRuns || look === mostLooks) return { atMs: Date.now(), runIds };
  }
}

/** The order to drain, and the runs that the process owned just before. */
interface Drain extends Death {
  readonly end: "drains" | "shortDrains";
}

/** Returns unnecessary questions: reviews of calls that took less time than the drain. */
function judgeDrains(total: Tally, drains: readonly Drain[], runs: readonly TracedRun[]): readonly string[] {
  return drains.flatMap(({ end, atMs, runIds }) => {
    const held = runs.filter(({ stored }) => runIds.includes(stored.runId));
    const calls = callsUnderWay(held, { atMs });
    total.add(`${end}.inFlight`, calls.length);
    total.add(`${end}.askedAbout`, calls.filter(({ question }) => question !== undefined).length);
    return end === "drains" ? askedInVain(calls) : [];
  });
}
