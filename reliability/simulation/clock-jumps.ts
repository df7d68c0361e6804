import { seededRandom } from "@procedo-testing/faults";
import { forTier, type ProofGroup } from "../proof-group.ts";
import { optionsOf, type SimulationOptions } from "./options.ts";
import { simulate } from "./simulate.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * An hour, as when summer time begins or ends; a leap day; a weekend without the service, after which the ledger has
 * forgotten its idempotency keys; and longer than the keys of starts and reviews are kept.
 */
const jumpsMs = [-hourMs, hourMs, -dayMs, dayMs, 2 * dayMs, 400 * dayMs];

/** The time after which a backward jump is corrected, so that the lost days need not be simulated. */
const correctedWithinMs = 20_000;

/**
 * sim-clock-jumps: the simulator with wall clocks that jump every few seconds. The last jump is an hour back and is not
 * corrected: a run that waited for another hour would not end within the simulator's time limit.
 */
export const clockJumps: ProofGroup = {
  id: "sim-clock-jumps",
  title:
    "Wall clocks jump by an hour, a day, two days and 400 days, back and ahead: no timer is lost, and no effect is repeated",
  run: async ({ tier, seed, seeds, report }) => {
    const count = seeds ?? forTier(tier, { commit: 50, nightly: 500, release: 5_000 });
    const counts = { seeds: 0, runs: 0, calls: 0, jumps: 0 };
    const failures: string[] = [];
    for (let at = seed; at < seed + count; at++) {
      const result = await simulate(withJumps(at));
      counts.seeds += 1;
      counts.runs += result.runs;
      counts.calls += result.calls;
      counts.jumps += result.history.wallJumpsMs.length;
      for (const { invariant, text } of result.violations.slice(0, 1)) {
        failures.push(`Seed ${at} (prove --only sim-clock-jumps --seed ${at} --seeds 1): ${invariant}: ${text}`);
      }
    }
    report(`sim-clock-jumps: ${counts.seeds} seeds, ${counts.jumps} jumps`);
    return { counts, failures };
  },
};

function withJumps(seed: number): SimulationOptions {
  const options = optionsOf(seed);
  const everyMs = seededRandom(seed, "jumps").between(500, 4_000);
  return {
    ...options,
    chaos: { ...options.chaos, wallJumpEveryMs: everyMs, wallJumpsMs: jumpsMs, correctedWithinMs, lastJumpMs: -hourMs },
  };
}
