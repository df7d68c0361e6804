import { seededRandom } from "@procedo-testing/faults";
import { forTier, type ProofGroup } from "../proof-group.ts";
import { optionsOf, type SimulationOptions } from "./options.ts";
import { simulate } from "./simulate.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
/** An hour, as when summer time begins or ends, a few minutes, and a weekend. */
const jumpsMs = [-hourMs, -2 * minuteMs, 2 * minuteMs, hourMs, 60 * hourMs];
const correctedWithinMs = 30_000;
/** The faults of machines come this many times less often: the simulation takes minutes. */
const calmer = 8;

/** sim-triggers: the simulator with schedules and events. */
export const triggerSimulation: ProofGroup = {
  id: "sim-triggers",
  title: "Simulation with schedules and events, several workers and all faults: every occurrence is accounted for once",
  lowered: { commit: "20 seeds: the time of a commit" },
  run: async ({ tier, seed, seeds, report }) => {
    const count = seeds ?? forTier(tier, { commit: 20, nightly: 5_000, release: 50_000 });
    const counts = { seeds: 0, runs: 0, events: 0, jumps: 0 };
    const failures: string[] = [];
    for (let at = seed; at < seed + count; at++) {
      const { violations, history, runs } = await simulate(withTriggers(at));
      counts.seeds += 1;
      counts.runs += runs;
      counts.jumps += history.wallJumpsMs.length;
      for (const trigger of history.triggers) {
        if (trigger.kind === "events") counts.events += trigger.sent.size;
      }
      for (const { invariant, text } of violations.slice(0, 1)) {
        failures.push(`Seed ${at} (prove --only sim-triggers --seed ${at} --seeds 1): ${invariant}: ${text}`);
      }
    }
    report(
      `sim-triggers: ${counts.seeds} seeds, ${counts.events} events, ${counts.runs} runs, ${failures.length} failures`,
    );
    return { counts, failures };
  },
};

/** The options of a seed with triggers. Its other choices are those of {@link optionsOf}, over a longer time. */
export function withTriggers(seed: number): SimulationOptions {
  const options = optionsOf(seed);
  const { worker, chaos } = options;
  const random = seededRandom(seed, "triggers");
  const jumps = random.chance(0.25) ? { wallJumpEveryMs: 60_000 } : { wallJumpEveryMs: 0 };
  return {
    ...options,
    faultsForMs: random.between(3, 6) * minuteMs + random.below(minuteMs),
    starts: random.between(0, 2),
    nodes: random.pick([4, 4, 8]),
    machines: random.between(1, 3),
    worker: { ...worker, leaseMs: worker.leaseMs * 2, pollMs: worker.pollMs * 4 },
    chaos: {
      ...chaos,
      ...jumps,
      wallJumpsMs: jumpsMs,
      correctedWithinMs,
      crashEveryMs: chaos.crashEveryMs * calmer,
      pauseEveryMs: chaos.pauseEveryMs * calmer,
      stopEveryMs: chaos.stopEveryMs * calmer,
      managedEveryMs: chaos.managedEveryMs * calmer,
      // All machines may be down, or stand still, for longer than a schedule waits.
      restartMs: random.pick([chaos.restartMs, 2.5 * minuteMs]),
      pauseMs: random.pick([chaos.pauseMs, 2 * minuteMs]),
      damage: 0,
    },
    triggers: { events: random.between(0, 12), copies: random.pick([0, 0.3, 0.8]), schedules: random.between(0, 3) },
  };
}
