/*
 * Child process of seeded-bugs-postgres: loads the Postgres adapter with one seeded bug in it and races until a seed finds it. Writes one line of
 * JSON. `node --conditions=@procedo/source reliability/mutations/run-race-mutation.ts NAME DATABASE_URL MOST_SEEDS FIRST_SEED [SEED…]`: those
 * at the end are tried first
 */
import { loadMutated } from "./load-mutated.ts";
import { postgresMutations } from "./postgres-mutations.ts";

/** How often the seeds that are tried first are tried. */
const passes = 5;

const [name, url = "", mostSeeds, firstSeed, ...early] = process.argv.slice(2);
const number = postgresMutations.findIndex((known) => known.name === name);
const mutation = postgresMutations[number];
if (mutation === undefined) throw new Error(`There is no mutation "${name}".`);
const isApplied = loadMutated(mutation);

// Loaded after the hook, so that everything below comes with the bug in it.
const { openRaceTrack } = await import("../postgres-races/race-track.ts");
if (!isApplied()) throw new Error(`"${name}" was not applied in full.`);

const first = Number(firstSeed);
const inOrder = Array.from({ length: Number(mostSeeds) }, (_, index) => first + index);
// The server's own timers make another order of the same seed now and then, so those that found bugs before are tried again.
const rounds = [...Array.from({ length: early.length === 0 ? 0 : passes }, () => early.map(Number)), inOrder];
let tries = 0;
let found: { readonly seed: number; readonly tries: number; readonly text: string } | undefined;
for (const [round, seeds] of rounds.entries()) {
  const track = await openRaceTrack(url, round === 0 ? `mutation_${number}` : `mutation_${number}_${round}`);
  for (const seed of seeds) {
    tries += 1;
    const [text] = (await track.race(seed)).violations;
    if (text === undefined) continue;
    found = { seed, tries, text };
    break;
  }
  await track.close();
  if (found !== undefined) break;
}
process.stdout.write(`${JSON.stringify({ name, found })}\n`);
process.exit(0);
