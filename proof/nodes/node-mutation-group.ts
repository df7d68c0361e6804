import { inLanes } from "../crash/lanes.ts";
import type { ProofGroup, ProofOptions, ProofResult } from "../proof-group.ts";
import { proveCutConnections } from "./cut-connections.ts";
import { proveDecisionStorms } from "./decision-storms.ts";
import { proveLostCommits } from "./lost-commits.ts";
import { nodeMutations, preloadOf, type NodeMutation } from "./node-mutations.ts";
import { proveZombies } from "./zombies.ts";

const proofs: {
  readonly [group in NodeMutation["group"]]: (
    options: ProofOptions,
    preload: readonly string[],
  ) => Promise<ProofResult>;
} = {
  "N-03": proveZombies,
  "N-04": proveCutConnections,
  "N-05": proveLostCommits,
  "R-01P": proveDecisionStorms,
};

const lanes = 2;

/** M-03-N: what these groups would miss, nobody would hear of. */
export const nodeMutationGroup: ProofGroup = {
  id: "M-03-N",
  title: "Seeded bugs in the Postgres adapter: the proofs with several nodes find each",
  run: async ({ tier, seed, report }) => {
    const failures: string[] = [];
    let found = 0;
    await inLanes(nodeMutations, lanes, async (lane) => {
      for (const mutation of lane) {
        const { name, group, count } = mutation;
        const options = { tier, seed, seeds: count, report: () => {} };
        const [first] = (await proofs[group](options, preloadOf(mutation))).failures;
        if (first === undefined) failures.push(`${group} does not find "${name}".`);
        else found += 1;
        report(`M-03-N: ${name}: ${first === undefined ? "NOT FOUND" : `found by ${first.slice(0, 160)}`}`);
      }
    });
    return { counts: { bugs: nodeMutations.length, found }, failures };
  },
};
