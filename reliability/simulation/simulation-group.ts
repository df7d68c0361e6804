import { forTier, type ProofGroup } from "../proof-group.ts";
import { keepSeed, readKnownSeeds } from "./known-seeds.ts";
import { optionsOf, type SimulationOptions } from "./options.ts";
import { simulate, type SimulationResult } from "./simulate.ts";

/** The number of seeds in a hundred that are simulated twice, and must leave the same trace. */
const repeatEvery = 100;
const reportEvery = 500;
const mostFailures = 20;
/** Maximum number of reported failures; many seeds find the same fault. */
const mostKept = 5;

/** sim-faults: the real engine under many seeds, beginning with those that once found a fault. */
export const simulationGroup: ProofGroup = {
  id: "sim-faults",
  title: "Simulation: random procedures, several workers, all faults; all invariants hold, and every run ends",
  lowered: { commit: "200 seeds of 2,000: the time of a commit" },
  run: async ({ tier, seed, seeds, report }) => {
    const count = seeds ?? forTier(tier, { commit: 200, nightly: 200_000, release: 2_000_000 });
    const totals = { seeds: 0, repeated: 0, runs: 0, calls: 0, events: 0, simulatedHours: 0 };
    const failures: string[] = [];
    let simulatedMs = 0;

    const prove = async (options: SimulationOptions, twice: boolean): Promise<void> => {
      const result = await simulate(options);
      totals.seeds += 1;
      totals.runs += result.runs;
      totals.calls += result.calls;
      totals.events += result.events;
      simulatedMs += result.simulatedMs;
      if (result.violations.length > 0) {
        failures.push(failureText(result));
        if (failures.length <= mostKept) keepSeed(options.seed, result.violations[0]?.text ?? "");
      }
      if (!twice) return;
      totals.repeated += 1;
      const again = await simulate(options);
      if (again.traceHash !== result.traceHash) failures.push(`Seed ${options.seed} left two different traces.`);
    };

    for (const { options } of readKnownSeeds()) await prove(options, false);
    for (let at = seed; at < seed + count && failures.length < mostFailures; at++) {
      await prove(optionsOf(at), at % repeatEvery === 0);
      if ((at - seed + 1) % reportEvery === 0)
        report(`sim-faults: ${at - seed + 1} of ${count} seeds, ${failures.length} failures`);
    }
    totals.simulatedHours = Math.round(simulatedMs / 3_600_000);
    return { counts: totals, failures };
  },
};

function failureText({ seed, violations }: SimulationResult): string {
  const texts = violations.slice(0, 3).map(({ invariant, text }) => `${invariant}: ${text}`);
  return `Seed ${seed} (prove --only sim-faults --seed ${seed} --seeds 1): ${texts.join(" | ")}`;
}
