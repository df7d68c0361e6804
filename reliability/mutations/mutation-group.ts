import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { ProofGroup, ProofOptions, ProofResult } from "../proof-group.ts";
import { simulate } from "../simulation/simulate.ts";
import type { Mutation } from "./mutation.ts";
import { mutations } from "./mutations.ts";
import { scenarios, type ScenarioName } from "./scenarios.ts";
import { triggerMutations } from "./trigger-mutations.ts";

const lanes = 2;
/** A bug shows that the proof can fail. All of them show how good it is, which changes with it only. */
const bugsPerCommit = 4;
const program = fileURLToPath(new URL("run-mutation.ts", import.meta.url));

interface Outcome {
  readonly name: string;
  /** The number of seeds that it took; `undefined` if none found it. */
  readonly seeds: number | undefined;
  readonly text: string;
}

/** Bugs that a simulation has to find. */
interface SeededBugs {
  readonly id: string;
  readonly title: string;
  readonly scenario: ScenarioName;
  readonly mutations: readonly Mutation[];
  readonly mostSeeds: number;
}

/** seeded-bugs-core: every seeded bug has to be found. A missed bug is a reason to improve the simulator. */
export const mutationGroup = seededBugs({
  id: "seeded-bugs-core",
  title: "Seeded bugs: the simulator finds each within 4,000 seeds",
  scenario: "faults",
  mutations,
  mostSeeds: 4_000,
});

/** seeded-bugs-triggers: the same for schedules, events and firings. */
export const triggerMutationGroup = seededBugs({
  id: "seeded-bugs-triggers",
  title: "Seeded bugs in schedules, events and firings: the simulator with triggers finds each within 400 seeds",
  scenario: "triggers",
  mutations: triggerMutations,
  mostSeeds: 400,
});

function seededBugs(bugs: SeededBugs): ProofGroup {
  const { id, title, mutations: all } = bugs;
  const lowered = { commit: `${bugsPerCommit} bugs of ${all.length}: the time of a commit` };
  return { id, title, lowered, run: (options) => findAll(bugs, options) };
}

async function findAll(
  { id, scenario, mutations: all, mostSeeds }: SeededBugs,
  { tier, seed, seeds, report }: ProofOptions,
): Promise<ProofResult> {
  const bugs = tier === "commit" ? all.slice(0, bugsPerCommit) : all;
  const waiting = bugs.map(({ name }) => name);
  const outcomes: Outcome[] = [];
  const lane = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      const outcome = await find(scenario, name, seed, seeds ?? mostSeeds);
      outcomes.push(outcome);
      report(
        `${id}: ${outcome.name}: ${outcome.seeds === undefined ? "NOT FOUND" : `${outcome.seeds} seeds`} ${outcome.text}`,
      );
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  const found = outcomes.flatMap((outcome) => (outcome.seeds === undefined ? [] : [outcome.seeds]));
  return {
    counts: { bugs: bugs.length, found: found.length, mostSeedsNeeded: Math.max(0, ...found) },
    failures: outcomes
      .filter((outcome) => outcome.seeds === undefined)
      .map(({ name, text }) => `The simulator does not find "${name}". ${text}`),
  };
}

async function find(scenario: ScenarioName, name: string, first: number, most: number): Promise<Outcome> {
  for (let from = first; from < first + most;) {
    const found = await runChild(scenario, name, from, first + most - from);
    if (found === undefined) break;
    // A seed that also fails without the bug has not found it.
    if ((await simulate(scenarios[scenario](found.seed))).violations.length === 0) {
      return { name, seeds: found.seed - first + 1, text: `${found.invariant}: ${found.text}` };
    }
    from = found.seed + 1;
  }
  return { name, seeds: undefined, text: "" };
}

interface Found {
  readonly seed: number;
  readonly invariant: string;
  readonly text: string;
}

async function runChild(scenario: ScenarioName, name: string, first: number, most: number): Promise<Found | undefined> {
  const arguments_ = ["--conditions=@procedo/source", program, scenario, name, String(most), String(first)];
  const { stdout } = await promisify(execFile)(process.execPath, arguments_, { maxBuffer: 16 * 1024 * 1024 });
  return (JSON.parse(stdout) as { readonly found?: Found }).found;
}
