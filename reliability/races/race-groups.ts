import fc from "fast-check";
import { forTier, type ProofGroup } from "../proof-group.ts";
import { decisionRace } from "./decision-race.ts";
import { groupCommitRace } from "./group-commit-race.ts";
import { idempotencyRace } from "./idempotency-race.ts";
import { inboxRace } from "./inbox-race.ts";
import { leaseRace } from "./lease-race.ts";
import type { Race } from "./race.ts";
import { sqliteStorms } from "./sqlite-storms.ts";

const races: readonly Race[] = [leaseRace, groupCommitRace, inboxRace, idempotencyRace];

function groupOf(id: string, title: string, chosen: readonly Race[]): ProofGroup {
  return {
    id,
    title,
    run: async ({ tier, seed, seeds, report }) => {
      const numRuns = seeds ?? forTier(tier, { commit: 1_000, nightly: 50_000, release: 500_000 });
      const failures: string[] = [];
      let orders = 0;
      for (const { name, property } of chosen) {
        const details = await fc.check(property, { numRuns, seed });
        orders += details.numRuns;
        report(`${id}: ${name}: ${details.numRuns} orders`);
        if (details.failed) failures.push(`${name}: ${failureText(details)}`);
      }
      return { counts: { models: chosen.length, orders }, failures };
    },
  };
}

/** The values that repeat the smallest counterexample; the whole order of events would fill pages. */
function failureText({ errorInstance, seed, counterexamplePath }: fc.RunDetails<[unknown]>): string {
  return `${errorInstance instanceof Error ? errorInstance.message : String(errorInstance)} (fast-check seed ${seed}, path "${counterexamplePath ?? ""}")`;
}

export const raceGroups: readonly ProofGroup[] = [
  groupOf(
    "race-models",
    "Small models of races: lease, group commit, inbox, idempotency, in orders that fast-check chooses",
    races,
  ),
];

export const reviewRaceGroups: readonly ProofGroup[] = [
  groupOf("decision-races", "A decision against an expiry, a cancellation and other decisions at the same instant", [
    decisionRace,
  ]),
  sqliteStorms,
];
