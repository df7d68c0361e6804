import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { manualClock, type ManualClock, seededRandom, type SeededRandom } from "@procedo-testing/faults";
import type { Engine } from "@procedo/engine";
import { SqliteStorage } from "@procedo/storage-sqlite";
import { forTier, type ProofGroup } from "../proof-group.ts";
import { approveAndPay, builder, procedureId, simpleEngine, type Payments } from "../races/simple-engine.ts";

const dayMs = 86_400_000;
const stepMs = 600_000;
const runsPerStep = 3;
/** The share of runs without a decision; they expire after a day. */
const forgotten = 0.2;
/**
 * The permitted growth after the first day, when every cache is warm. It is a tenth, because the size of a small heap
 * fluctuates.
 */
const mostGrowth = 1.1;
/** The adapter checkpoints every 4,000 pages of 4 KiB. A checkpoint that a reader delays may find as many again. */
const mostWalBytes = 2 * 4_000 * 4_120;

/** sim-days: days of manually advanced time on one engine and one SQLite file. */
export const simulatedDays: ProofGroup = {
  id: "sim-days",
  title:
    "Days of simulated time: every run ends, memory and open files do not grow after the first day, and the log is bounded",
  lowered: { commit: "2 days as a check of the group itself; growth is judged over the 30 days of the nightly tier" },
  run: async ({ tier, seed, seeds, report }) => {
    const days = seeds ?? forTier(tier, { commit: 2, nightly: 30, release: 30 });
    const folder = await mkdtemp(join(tmpdir(), "procedo-month-"));
    const clock = manualClock();
    const payments: Payments = new Map();
    const path = join(folder, "procedo.sqlite");
    const storage = await SqliteStorage.open({ path, now: clock.now, pollMs: 0 });
    const engine = simpleEngine(storage, clock, seed, payments);
    const failures: string[] = [];
    const counts = { days, runs: 0, paid: 0, expired: 0, mostWalKiB: 0, heapKiBAfterDay1: 0, heapKiBAtTheEnd: 0 };
    try {
      await engine.procedures.publish({
        document: approveAndPay(1, "P1D"),
        version: "v1",
        defaultIn: ["live"],
        by: builder,
      });
      await engine.start();
      const random = seededRandom(seed, "month");
      const keys = seededRandom(seed);
      let after: Footprint | undefined;
      for (let day = 1; day <= days; day++) {
        counts.runs += await liveDay(engine, clock, random, keys);
        counts.mostWalKiB = Math.max(counts.mostWalKiB, Math.round((await stat(`${path}-wal`)).size / 1024));
        after ??= await footprint();
        if (day % 5 === 0)
          report(
            `sim-days: ${day} days, ${counts.runs} runs, heap ${Math.round((await footprint()).heapBytes / 2 ** 20)} MiB`,
          );
      }
      const end = await footprint();
      counts.heapKiBAfterDay1 = Math.round((after?.heapBytes ?? 0) / 1024);
      counts.heapKiBAtTheEnd = Math.round(end.heapBytes / 1024);
      if (after !== undefined && end.heapBytes > after.heapBytes * mostGrowth) {
        failures.push(
          `The heap grew from ${counts.heapKiBAfterDay1} to ${counts.heapKiBAtTheEnd} KiB in ${days - 1} days.`,
        );
      }
      if (after !== undefined && end.openFiles > after.openFiles) {
        failures.push(`${end.openFiles} files are open, and ${after.openFiles} were after the first day.`);
      }
      if (counts.mostWalKiB * 1024 > mostWalBytes) failures.push(`The log grew to ${counts.mostWalKiB} KiB.`);
      // Runs without a decision expire.
      await clock.advance(dayMs + stepMs);
      for (const status of ["running", "awaiting_review"] as const) {
        const { items } = await engine.runs.list({ environment: "live", status, limit: 10 });
        for (const { runId } of items) failures.push(`Run ${runId} is ${status} a day after the last start.`);
      }
      const twice = [...payments.values()].filter((times) => times !== 1).length;
      if (twice > 0) failures.push(`${twice} payments were made more than once.`);
      counts.paid = payments.size;
      counts.expired = counts.runs - payments.size;
    } finally {
      await engine.stop({ drainMs: 0 });
      await storage.close();
      await rm(folder, { recursive: true, force: true });
    }
    return { counts, failures };
  },
};

/** Starts some runs every ten minutes and decides on most of them; returns the number of started runs. */
async function liveDay(engine: Engine, clock: ManualClock, random: SeededRandom, keys: SeededRandom): Promise<number> {
  let started = 0;
  for (let passedMs = 0; passedMs < dayMs; passedMs += stepMs) {
    for (let n = 0; n < runsPerStep; n++) {
      const data = { amount: random.between(1, 1_000) };
      const { runId } = await engine.runs.start({ procedureId, environment: "live", data, by: { person: "alice" } });
      started += 1;
      const decide = random.chance(1 - forgotten);
      await clock.advance(1_000);
      if (!decide) continue;
      const idempotencyKey = keys.uuid();
      await engine.reviews.decide({
        environment: "live",
        runId,
        approved: true,
        idempotencyKey,
        by: { person: "bob" },
      });
    }
    await clock.advance(stepMs - runsPerStep * 1_000);
  }
  return started;
}

interface Footprint {
  readonly heapBytes: number;
  readonly openFiles: number;
}

setFlagsFromString("--expose_gc");
const collectGarbage = runInNewContext("gc") as () => void;

async function footprint(): Promise<Footprint> {
  collectGarbage();
  await new Promise((resolve) => void setImmediate(resolve));
  collectGarbage();
  const files = await readdir("/proc/self/fd").catch(() => []);
  return { heapBytes: process.memoryUsage().heapUsed, openFiles: files.length };
}
