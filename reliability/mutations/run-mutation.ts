/*
 * Child process of seeded-bugs-core and seeded-bugs-triggers: loads the product with one seeded bug, and simulates until
 * a seed finds it. Writes one line of JSON. `node --conditions=@procedo/source reliability/mutations/run-mutation.ts
 * faults|triggers NAME MOST_SEEDS [FIRST_SEED]`
 */
import { loadMutated } from "./load-mutated.ts";
import { mutations } from "./mutations.ts";
import type { ScenarioName } from "./scenarios.ts";
import { triggerMutations } from "./trigger-mutations.ts";

const [scenario, name, mostSeeds, firstSeed = "0"] = process.argv.slice(2);
const mutation = [...mutations, ...triggerMutations].find((known) => known.name === name);
if (mutation === undefined) throw new Error(`There is no mutation "${name}".`);

const isApplied = loadMutated(mutation);

// Loaded after the hook, so that the bug is applied to all modules below.
const { simulate } = await import("../simulation/simulate.ts");
const { scenarios } = await import("./scenarios.ts");
const optionsOf = scenarios[scenario as ScenarioName];
if (!isApplied()) throw new Error(`"${name}" was not applied in full.`);

const first = Number(firstSeed);
let found: { readonly seed: number; readonly invariant: string; readonly text: string } | undefined;
for (let seed = first; seed < first + Number(mostSeeds) && found === undefined; seed++) {
  const [violation] = (await simulate(optionsOf(seed))).violations;
  if (violation !== undefined) found = { seed, invariant: violation.invariant, text: violation.text };
}
process.stdout.write(`${JSON.stringify({ name, found })}\n`);
process.exit(0);
