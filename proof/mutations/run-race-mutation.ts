/*
 * Child process of M-03-P: loads the Postgres adapter with one seeded bug in it and races until a seed finds it. Writes one line of
 * JSON. `node --conditions=@procedo/source proof/mutations/run-race-mutation.ts NAME DATABASE_URL MOST_SEEDS FIRST_SEED [SEED…]`: those
 * at the end are tried first
 */
import { loadMutated } from "./load-mutated.ts";
import { postgresMutations } from "./postgres-mutations.ts";

const [name, url = "", mostSeeds, firstSeed, ...early] = process.argv.slice(2);
const number = postgresMutations.findIndex((known) => known.name === name);
const mutation = postgresMutations[number];
if (mutation === undefined) throw new Error(`There is no mutation "${name}".`);
const isApplied = loadMutated(mutation);

// Loaded after the hook, so that everything below comes with the bug in it.
const { openRaceTrack } = await import("../postgres-races/race-track.ts");
if (!isApplied()) throw new Error(`"${name}" was not applied in full.`);

const track = await openRaceTrack(url, `mutation_${number}`);
const first = Number(firstSeed);
const inOrder = Array.from({ length: Number(mostSeeds) }, (_, index) => first + index);
const seeds = new Set([...early.map(Number), ...inOrder]);
let found: { readonly seed: number; readonly tries: number; readonly text: string } | undefined;
for (const [index, seed] of [...seeds].entries()) {
  const [text] = (await track.race(seed)).violations;
  if (text !== undefined) {
    found = { seed, tries: index + 1, text };
    break;
  }
}
process.stdout.write(`${JSON.stringify({ name, found })}\n`);
process.exit(0);
