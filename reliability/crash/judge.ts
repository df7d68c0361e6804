import { acknowledged } from "./checks/acknowledged.ts";
import type { Check } from "./checks/check.ts";
import { deliveries } from "./checks/deliveries.ts";
import { effects } from "./checks/effects.ts";
import { ends } from "./checks/ends.ts";
import { createFinalRuns } from "./checks/final-runs.ts";
import { journals } from "./checks/journals.ts";
import { reviews } from "./checks/reviews.ts";
import { secrets } from "./checks/secrets.ts";
import { gather, type Evidence } from "./evidence.ts";
import type { World } from "./world.ts";

/** The invariants that hold at every moment. */
const always: readonly Check[] = [acknowledged, journals, effects, reviews, deliveries, secrets];

/** Checks one world repeatedly, and keeps the state that must not change. */
export interface Judge {
  /** `idle`: no work is left, so every run must have ended. */
  check(moment: "idle" | "under way"): Promise<Verdict>;
}

export interface Verdict {
  readonly faults: readonly string[];
  readonly evidence: Evidence;
}

/** @defaultValue `look` collects the evidence of a world on SQLite */
export function createJudge(world: World, look: () => Promise<Evidence> = () => gather(world)): Judge {
  const finalRuns = createFinalRuns();
  return {
    check: async (moment) => {
      const evidence = await look();
      const checks = moment === "idle" ? [...always, ends] : always;
      const faults = checks.flatMap((check) => check(evidence));
      return { evidence, faults: [...faults, ...finalRuns.check(evidence.runs)] };
    },
  };
}
