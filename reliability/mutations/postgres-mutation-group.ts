import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { concurrently } from "../crash/concurrently.ts";
import { openRaceTrack, startRaceServer } from "../postgres-races/race-track.ts";
import { forTier, type ProofGroup } from "../proof-group.ts";
import { postgresMutations } from "./postgres-mutations.ts";

const mostSeeds = 2_000;
const bugsOf = { commit: 4, nightly: postgresMutations.length, release: postgresMutations.length };
/**
 * These seeds have found bugs before, and are tried first. Their meaning changes with the adapter; then other seeds
 * find the bugs.
 */
const fruitfulSeeds = [
  0, 2, 4, 20, 24, 35, 39, 40, 54, 56, 71, 73, 85, 94, 100, 171, 180, 200, 201, 246, 249, 376, 443, 468, 512, 561, 635,
  680, 736, 1248, 1548, 4053,
];
const lanes = 2;
const program = fileURLToPath(new URL("run-race-mutation.ts", import.meta.url));

/** seeded-bugs-postgres: the races must find every seeded bug of the Postgres adapter. */
export const postgresMutationGroup: ProofGroup = {
  id: "seeded-bugs-postgres",
  title: "Seeded bugs in the Postgres adapter: its races find each within 2,000 seeds",
  lowered: { commit: `4 bugs of ${postgresMutations.length}: the time of a commit` },
  run: async ({ tier, seed, seeds, report }) => {
    const bugs = postgresMutations.slice(0, forTier(tier, bugsOf));
    const hits = new Map<string, Found>();
    const failures: string[] = [];
    const server = await startRaceServer();
    try {
      const url = await server.createDatabase();
      await concurrently(bugs, lanes, async (mutations) => {
        for (const { name } of mutations) {
          const hit = await runChild(name, url, seeds ?? mostSeeds, seed).catch((error: unknown) => {
            failures.push(`"${name}" could not be tried: ${String(error)}`);
            return undefined;
          });
          if (hit !== undefined) hits.set(name, hit);
          report(
            `seeded-bugs-postgres: ${name}: ${hit === undefined ? "NOT FOUND" : `${hit.tries} tries, seed ${hit.seed}`} ${hit?.text ?? ""}`,
          );
        }
      });
      // A seed that also fails without the bug has not found it.
      const sound = await openRaceTrack(url, "sound");
      const unsound = new Set<number>();
      for (const at of new Set([...hits.values()].map((hit) => hit.seed))) {
        const [violation] = (await sound.race(at)).violations;
        if (violation === undefined) continue;
        unsound.add(at);
        failures.push(`Seed ${at} also fails without a bug: ${violation}`);
      }
      for (const [name, hit] of hits) if (unsound.has(hit.seed)) hits.delete(name);
      await sound.close();
      const needed = [...hits.values()].map(({ tries }) => tries);
      const missed = bugs.filter(({ name }) => !hits.has(name));
      return {
        counts: { bugs: bugs.length, found: hits.size, mostSeedsNeeded: Math.max(0, ...needed) },
        failures: [...failures, ...missed.map(({ name }) => `The races do not find "${name}".`)],
        on: { Postgres: sound.version },
      };
    } finally {
      await server.close();
    }
  },
};

interface Found {
  readonly seed: number;
  readonly tries: number;
  readonly text: string;
}

async function runChild(name: string, url: string, most: number, first: number): Promise<Found | undefined> {
  const arguments_ = [
    "--conditions=@procedo/source",
    program,
    name,
    url,
    String(most),
    String(first),
    ...fruitfulSeeds.map(String),
  ];
  const { stdout } = await promisify(execFile)(process.execPath, arguments_, { maxBuffer: 16 * 1024 * 1024 });
  return (JSON.parse(stdout) as { readonly found?: Found }).found;
}
