import { concurrently } from "../crash/concurrently.ts";
import { forTier, type ProofGroup } from "../proof-group.ts";
import { runNamedTests, type NamedTests } from "../suites/run-suite.ts";
import { accessMutations, mutationVariable, type AccessMutation, type TestName } from "./access-mutations.ts";

const lanes = 2;
const bugsOf = { commit: 1, nightly: accessMutations.length, release: accessMutations.length };
const config = "reliability/mutations/mutated-tests.config.ts";

/** seeded-bugs-access: each seeded bug must be found by the test that the bug names. */
export const accessMutationGroup: ProofGroup = {
  id: "seeded-bugs-access",
  title: "Seeded bugs in the access of people, sessions and keys: a test finds each",
  lowered: { commit: `1 bug of ${accessMutations.length}: the time of a commit` },
  isSeeded: false,
  run: async ({ tier, report }) => {
    const mutations = accessMutations.slice(0, forTier(tier, bugsOf));
    const failures: string[] = [];
    const isSound = memoized(passes);
    let found = 0;
    await concurrently(mutations, lanes, async (lane) => {
      for (const mutation of lane) {
        const problem = await problemOf(mutation, isSound);
        if (problem === undefined) found += 1;
        else failures.push(`"${mutation.name}": ${problem}`);
        report(`seeded-bugs-access: ${mutation.name}: ${problem ?? "found"}`);
      }
    });
    return { counts: { bugs: mutations.length, found }, failures };
  },
};

/** The reason why a bug counts as not found. Its test has to pass without the bug, and to fail with it. */
async function problemOf({ name, finder }: AccessMutation, isSound: typeof passes): Promise<string | undefined> {
  const { file, test } = finder;
  if (!(await isSound(finder))) return `the test "${test}" of ${file} does not pass without the bug`;
  const { failed } = await runNamedTests({ ...namedTests(finder), env: { [mutationVariable]: name } });
  return failed > 0 ? undefined : `NOT FOUND by the test "${test}" of ${file}`;
}

async function passes(finder: TestName): Promise<boolean> {
  const { passed, failed } = await runNamedTests(namedTests(finder));
  return passed > 0 && failed === 0;
}

function namedTests({ project, file, test }: TestName): NamedTests {
  return { project, file: `packages/${file}`, test, config };
}

/** Asks once for each test: several bugs are found by the same one. */
function memoized(ask: typeof passes): typeof passes {
  const answers = new Map<string, Promise<boolean>>();
  return (finder) => {
    const key = JSON.stringify(finder);
    const answer = answers.get(key) ?? ask(finder);
    answers.set(key, answer);
    return answer;
  };
}
