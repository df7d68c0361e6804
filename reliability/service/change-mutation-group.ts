import { forTier, type ProofGroup } from "../proof-group.ts";
import { changeMutations, preloadOf } from "./change-mutations.ts";
import { proveFollowedChanges } from "./followed-changes.ts";

const bugsOf = { commit: 1, nightly: changeMutations.length, release: changeMutations.length };
/** Rounds with cuts under load, kills and quiet cuts. The first fault ends them: a run may be named twice. */
const rounds = 10;

/** seeded-bugs-changes: each seeded bug of live changes must be found by service-changes. */
export const changeMutationGroup: ProofGroup = {
  id: "seeded-bugs-changes",
  title: "Seeded bugs in live changes: service-changes finds each",
  lowered: { commit: "1 bug of 5: the time of a commit" },
  run: async ({ tier, seed, report }) => {
    const failures: string[] = [];
    let found = 0;
    const mutations = changeMutations.slice(0, forTier(tier, bugsOf));
    for (const mutation of mutations) {
      const options = { tier, seed, seeds: rounds, report: () => {} };
      const [first = ""] = (await proveFollowedChanges(options, preloadOf(mutation))).failures;
      // A process that does not start shows that the edit is wrong, not that the proof found it.
      const isFound = /shown wrongly|was told of/.test(first);
      if (isFound) found += 1;
      else failures.push(`service-changes does not find "${mutation.name}". ${first}`);
      report(`seeded-bugs-changes: ${mutation.name}: ${isFound ? "found by" : "NOT FOUND"} ${first.slice(0, 160)}`);
    }
    return { counts: { bugs: mutations.length, found }, failures };
  },
};
