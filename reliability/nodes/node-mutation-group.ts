import { concurrently } from "../crash/concurrently.ts";
import { forTier, type ProofGroup, type ProofOptions, type ProofResult } from "../proof-group.ts";
import { proveCutConnections } from "./cut-connections.ts";
import { proveDecisionStorms } from "./decision-storms.ts";
import { proveLostCommits } from "./lost-commits.ts";
import { proveMemberKills } from "./member-kills.ts";
import { neverWorked } from "./postgres-world.ts";
import { nodeMutations, preloadOf, type NodeMutation } from "./node-mutations.ts";
import { proveServerStops } from "./server-stops.ts";
import { proveZombies } from "./zombies.ts";

const proofs: {
  readonly [group in NodeMutation["group"]]: (
    options: ProofOptions,
    preload: readonly string[],
  ) => Promise<ProofResult>;
} = {
  "pg-server-stops": proveServerStops,
  "pg-node-kills": proveMemberKills,
  "pg-paused-nodes": proveZombies,
  "pg-terminated-connections": proveCutConnections,
  "pg-lost-commits": proveLostCommits,
  "pg-decision-storms": proveDecisionStorms,
};

const lanes = 2;
const bugsOf = { commit: 1, nightly: nodeMutations.length, release: nodeMutations.length };

/** seeded-bugs-nodes: each seeded bug must be found by the groups with several nodes. */
export const nodeMutationGroup: ProofGroup = {
  id: "seeded-bugs-nodes",
  title:
    "Seeded bugs in the Postgres adapter and in the handling of calls under way: the proofs with several nodes find each",
  lowered: { commit: "1 bug of 6: the time of a commit" },
  run: async ({ tier, seed, report }) => {
    const failures: string[] = [];
    let found = 0;
    const mutations = nodeMutations.slice(0, forTier(tier, bugsOf));
    await concurrently(mutations, lanes, async (lane) => {
      for (const mutation of lane) {
        const { name, group, count } = mutation;
        const options = { tier, seed, seeds: count, report: () => {} };
        const [first = ""] = (await proofs[group](options, preloadOf(mutation))).failures;
        // A process that does not start shows that the edit is wrong, not that the proof found it.
        const isFound = first !== "" && !first.includes(neverWorked);
        if (isFound) found += 1;
        else failures.push(`${group} does not find "${name}". ${first}`);
        report(
          `seeded-bugs-nodes: ${name}: ${isFound ? "found by" : "NOT FOUND"} ${first.split("\n")[0]?.slice(0, 160) ?? ""}`,
        );
      }
    });
    return { counts: { bugs: mutations.length, found }, failures };
  },
};
