import { setTimeout as pause } from "node:timers/promises";
import { seededRandom, type SeededRandom } from "@procedo-testing/faults";
import { countWhatHappened } from "../crash/count-what-happened.ts";
import { concurrently } from "../crash/concurrently.ts";
import { tally, type Tally } from "../crash/tally.ts";
import { startPostgres, type PostgresServer } from "@procedo-testing/postgres";
import { forTier, type ProofGroup, type ProofOptions, type ProofResult } from "../proof-group.ts";
import { feeder } from "./load.ts";
import type { Member } from "./member.ts";
import { until } from "./until.ts";
import { createPostgresWorld, finishTogether, versionOf, type PostgresWorld, type ProvenOn } from "./postgres-world.ts";

const roundsOf = { commit: 6, nightly: 500, release: 2_000 };
const lanes = 2;
const leaseMs = 700;
const ledgerMs = 300;
const openRuns = 6;
const told = "Another worker took a run over.";

/** pg-paused-nodes: a node is paused past its lease, and resumes when other nodes own its runs. */
export const zombies: ProofGroup = {
  id: "pg-paused-nodes",
  title: "SIGSTOP of a node past its lease, then SIGCONT: all its commits are refused",
  lowered: { commit: "6 times of 20: the time of a commit" },
  run: (options) => proveZombies(options),
};

/** The same with modules that are loaded before the product. */
export async function proveZombies(
  { tier, seed, seeds, report }: ProofOptions,
  preload: readonly string[] = [],
): Promise<ProofResult> {
  const total = tally();
  const rounds = Array.from({ length: seeds ?? forTier(tier, roundsOf) }, (_, round) => round);
  const server = await startPostgres();
  let on: ProvenOn = {};
  try {
    on = await versionOf(server);
    await concurrently(rounds, lanes, async (lane, number) => {
      const random = seededRandom(seed * 1_000 + 300 + number);
      await sleepInTurn({ lane, random, server, preload, total, report }).catch((error: unknown) => {
        total.fail(
          `pg-paused-nodes seed ${seed}, lane ${number}: ${error instanceof Error ? error.message : String(error)}`,
        );
      });
    });
  } finally {
    await server.close();
  }
  const result = { ...total.result({ leaseMs }), on };
  if ((result.counts["refusedCommits"] ?? 0) > 0 || result.failures.length > 0) return result;
  return { ...result, failures: [`pg-paused-nodes seed ${seed}: no commit was refused, so the group proves nothing.`] };
}

interface Lane {
  readonly lane: readonly number[];
  readonly random: SeededRandom;
  readonly server: PostgresServer;
  readonly preload: readonly string[];
  readonly total: Tally;
  readonly report: (line: string) => void;
}

async function sleepInTurn({ lane, random, server, preload, total, report }: Lane): Promise<void> {
  const postgres = await createPostgresWorld({ name: "zombies", random, server, leaseMs, preload });
  try {
    await postgres.boot(2);
    await postgres.world.ledger.answerLate(ledgerMs);
    for (const round of lane) {
      let asleep = false;
      const feed = feeder(postgres.world, random.fork(`load-${round}`), {
        allowed: () => (asleep ? 0 : Infinity),
        open: openRuns,
        more: () => !asleep,
      });
      const driven = postgres.drive({ feed });
      // Awaited below, where its error is reported.
      driven.catch(() => {});
      const zombie = random.pick(postgres.living());
      const held = await stopAtWork(postgres, zombie, random);
      asleep = true;
      // Every second pause meets runs that have ended; the others race the new owner.
      await until(
        () => areElsewhere(postgres, zombie, held, round % 2 === 0 ? "ended" : "taken over"),
        "the runs of a paused node are taken over",
      );
      const logged = zombie.log.length;
      zombie.resume();
      const refusals = await refusalsOf(zombie, logged, held);
      total.add("sleeps");
      total.add("runsHeldAsleep", held.length);
      total.add("refusedCommits", refusals);
      await driven;
      if (lane.indexOf(round) % 10 === 9)
        report(`pg-paused-nodes: paused ${lane.indexOf(round) + 1} times of ${lane.length}`);
    }
    countWhatHappened(total, await finishTogether(postgres));
  } finally {
    await postgres.close();
  }
}

/** Pauses a node in the middle of its work; returns the runs that it owns. */
async function stopAtWork(postgres: PostgresWorld, member: Member, random: SeededRandom): Promise<readonly string[]> {
  const heldBy = async (): Promise<readonly string[]> => {
    const rows = await postgres.query<{ run_id: string }>(
      "SELECT run_id FROM procedo.runs WHERE worker_id = $1 AND ended_at_ms IS NULL",
      [member.workerId],
    );
    return rows.map(({ run_id }) => run_id);
  };
  for (let attempt = 0; attempt < 40; attempt++) {
    await until(async () => (await heldBy()).length > 0, "a node owns runs");
    const before = await heldBy();
    // A claim whose answer was unread at the pause may be given up after it: the node never owned those runs.
    await pause(50 + random.below(ledgerMs));
    member.pause();
    // Rows that it had sent are stored by then, even on a busy machine; such a row would park its run.
    await pause(300);
    const held = (await heldBy()).filter((runId) => before.includes(runId));
    if (held.length > 0) return held;
    member.resume();
  }
  throw new Error("No pause met a node that owned a run.");
}

async function areElsewhere(
  postgres: PostgresWorld,
  zombie: Member,
  held: readonly string[],
  how: "taken over" | "ended",
): Promise<boolean> {
  const away = how === "ended" ? "ended_at_ms IS NOT NULL" : "worker_id IS DISTINCT FROM $2";
  const rows = await postgres.query<{ run_id: string }>(
    `SELECT run_id FROM procedo.runs WHERE run_id = ANY($1) AND (${away}) AND $2::text IS NOT NULL`,
    [held, zombie.workerId],
  );
  return rows.length === held.length;
}

/**
 * Waits until the node has given up every run, and counts its log lines: one for each run.
 *
 * @throws Error if it logged a run twice, or never
 */
async function refusalsOf(zombie: Member, from: number, held: readonly string[]): Promise<number> {
  const toldOf = (): readonly string[] =>
    zombie.log.slice(from).flatMap(({ message, runId }) => (message === told && runId !== undefined ? [runId] : []));
  await until(() => Promise.resolve(held.every((runId) => toldOf().includes(runId))), "a node gives up its lost runs");
  const refused = toldOf().filter((runId) => held.includes(runId));
  if (refused.length !== new Set(refused).size) throw new Error("A node logged twice that it lost a run.");
  return refused.length;
}
