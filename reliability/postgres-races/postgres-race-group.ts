/**
 * Statements of several nodes on one real Postgres, one at a time in an order that a seed decides:
 *
 * - `statement-scheduler.ts` chooses the next statement, `scheduled-pool.ts` makes the statements of a pool wait for it
 * - `race-actors.ts` the actors and their calls, `play-race.ts` one race, `race-track.ts` the server and the nodes
 * - `recorder.ts` the recorded answers, `run-model.ts` the port's promises, `linearize.ts` the search for an order that fits both
 */
import { concurrently } from "../crash/concurrently.ts";
import { forTier, type ProofGroup } from "../proof-group.ts";
import { openRaceTrack, startRaceServer, type RaceTrack } from "./race-track.ts";

const reportEvery = 250;
const mostFailures = 5;
const shownStatements = 60;

const lanes = 2;
const seedsOf = { commit: 400, nightly: 50_000, release: 500_000 };

/** race-postgres: the port's promises hold in every order of the nodes' statements. */
export const postgresRaces: ProofGroup = {
  id: "race-postgres",
  title: "Races on Postgres: the statements of three nodes in seeded orders; all answers fit one order of the calls",
  lowered: { commit: "400 seeds instead of the 1,000 of race-models: each takes 40 to 70 ms on a real server." },
  run: async ({ tier, seed, seeds, report }) => {
    const count = seeds ?? forTier(tier, seedsOf);
    const counts = { seeds: 0, statements: 0, waitsForLocks: 0, answers: 0 };
    const failures: string[] = [];
    let version = "unknown";

    const race = async (track: RaceTrack, at: number): Promise<void> => {
      const { calls, violations, trace } = await track.race(at);
      counts.seeds += 1;
      counts.statements += trace.length;
      counts.waitsForLocks += trace.filter((line) => line.startsWith("…")).length;
      counts.answers += calls;
      for (const violation of violations) {
        const statements = trace.slice(0, shownStatements).join(" | ");
        failures.push(
          `Seed ${at} (prove --only race-postgres --seed ${at} --seeds 1): ${violation} Statements: ${statements}`,
        );
      }
      if (counts.seeds % reportEvery === 0)
        report(`race-postgres: ${counts.seeds} of ${count} seeds, ${failures.length} failures`);
    };

    const server = await startRaceServer();
    try {
      const url = await server.createDatabase();
      const all = Array.from({ length: count }, (_, index) => seed + index);
      await concurrently(all, lanes, async (own, lane) => {
        const track = await openRaceTrack(url, `races_${lane}`);
        try {
          version = track.version;
          for (const at of own) if (failures.length < mostFailures) await race(track, at);
        } finally {
          await track.close();
        }
      });
      return { counts, failures, on: { Postgres: version } };
    } finally {
      await server.close();
    }
  },
};
