/*
 * Child process of M-03-P: loads the Postgres adapter with one seeded bug in it and races until a seed finds it. Writes one line of
 * JSON. `node --conditions=@procedo/source proof/mutations/run-race-mutation.ts NAME DATABASE_URL MOST_SEEDS FIRST_SEED`
 */
import { loadMutated } from "./load-mutated.ts";
import { postgresMutations } from "./postgres-mutations.ts";

const [name, url = "", mostSeeds, firstSeed] = process.argv.slice(2);
const number = postgresMutations.findIndex((known) => known.name === name);
const mutation = postgresMutations[number];
if (mutation === undefined) throw new Error(`There is no mutation "${name}".`);
const isApplied = loadMutated(mutation);

// Loaded after the hook, so that everything below comes with the bug in it.
const { openRaceTrack } = await import("../postgres-races/race-track.ts");
if (!isApplied()) throw new Error(`"${name}" was not applied in full.`);

const track = await openRaceTrack(url, `mutation_${number}`);
const first = Number(firstSeed);
let found: { readonly seed: number; readonly text: string } | undefined;
for (let seed = first; seed < first + Number(mostSeeds) && found === undefined; seed++) {
  const [text] = (await track.race(seed)).violations;
  if (text !== undefined) found = { seed, text };
}
process.stdout.write(`${JSON.stringify({ name, found })}\n`);
process.exit(0);
