/*
 * Child process of seeded-bugs-postgres: loads the Postgres adapter with one seeded bug, and races until a seed finds
 * it. Writes one line of JSON. `node --conditions=@procedo/source reliability/mutations/run-race-mutation.ts NAME
 * DATABASE_URL MOST_SEEDS FIRST_SEED [SEED…]`; the seeds at the end are tried first
 */
import { loadMutated } from "./load-mutated.ts";
import { postgresMutations } from "./postgres-mutations.ts";

/** The number of tries of each seed that is tried first. */
const passes = 5;

const [name, url = "", mostSeeds, firstSeed, ...early] = process.argv.slice(2);
const number = postgresMutations.findIndex((known) => known.name === name);
const mutation = postgresMutations[number];
if (mutation === undefined) throw new Error(`There is no mutation "${name}".`);
const isApplied = loadMutated(mutation);

// Loaded after the hook, so that the bug is applied to all modules below.
const { openRaceTrack } = await import("../postgres-races/race-track.ts");
if (!isApplied()) throw new Error(`"${name}" was not applied in full.`);

const first = Number(firstSeed);
const inOrder = Array.from({ length: Number(mostSeeds) }, (_, index) => first + index);
// The server's timers sometimes change the order of a seed, so seeds that found bugs before are tried several times.
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
