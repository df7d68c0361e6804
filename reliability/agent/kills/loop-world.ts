import { copyFile, mkdir, mkdtemp, rm } from "node:fs/promises";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { SeededRandom } from "@procedo-testing/faults";
import { masterKeyFile } from "@procedo/engine";
import { createFinalRuns } from "../../crash/checks/final-runs.ts";
import { startBank } from "./bank-server.ts";
import { always, atTheEnd } from "./loop-checks.ts";
import { answeredTurns, gatherLoop, type Death, type LoopEvidence } from "./loop-evidence.ts";
import type { LoopPoint } from "./loop-points.ts";
import type { LoopShape } from "./loop-procedure.ts";
import { startModelServer } from "./model-server.ts";
import type { CellSetup, LoopStart } from "./process-protocol.ts";
import { createStops } from "./stops.ts";

/** One database, its bank and its model, which outlive the killed processes. */
export interface LoopWorld {
  /** The setup of a process on this database. */
  setup(cell: number, point?: LoopPoint): CellSetup;
  /** Plans runs of these shapes. */
  plan(shapes: readonly LoopShape[]): readonly LoopStart[];
  /** Holds the request that reaches the bank or the model at this point, and calls `held`. */
  arm(point: LoopPoint | undefined, held: () => void): void;
  /** The evidence after a kill, read from a copy, so that the next process finds the files unchanged. */
  autopsy(): Promise<LoopEvidence>;
  /** The evidence at the end of all work, while the process lives. */
  look(): LoopEvidence;
  /** @returns the violations; `idle`: no work is left */
  judge(evidence: LoopEvidence, moment: "idle" | "under way"): readonly string[];
  close(): Promise<void>;
}

/** Data are in the repository, because a temporary folder is often in memory, where writes need no durability. */
const dataFolder = join(import.meta.dirname, "../../../.procedo");

export async function createLoopWorld(name: string, random: SeededRandom, leaseMs: number): Promise<LoopWorld> {
  await mkdir(dataFolder, { recursive: true });
  const folder = await mkdtemp(join(dataFolder, `agent-${name}-`));
  const databasePath = join(folder, "procedo.sqlite");
  const keyPath = join(folder, "procedo.key");
  const masterKey = await masterKeyFile(keyPath);
  let held = (): void => {};
  const stops = createStops(() => held());
  const bank = await startBank(`token-${random.hex(16)}`, (side) => stops.reach("call.made", side));
  const model = await startModelServer((side) => stops.reach("model.asked", side));
  const planned: LoopStart[] = [];
  const deaths: Death[] = [];
  const finalRuns = createFinalRuns();

  const gather = (path: string): LoopEvidence =>
    gatherLoop(path, { masterKey, bank, asks: model.asks, planned, deaths });
  return {
    setup: (cell, point) => ({
      ...{ cell, database: databasePath, procedure: "loop", keyPath, leaseMs, starts: [...planned] },
      ...{ bankUrl: bank.url, bankToken: bank.token, modelUrl: model.url },
      ...(point !== undefined && { point }),
    }),
    plan: (shapes) =>
      shapes.map((shape) => {
        const n = planned.length + 1;
        const start = { key: `start-${n}`, input: { n, shape } };
        planned.push(start);
        return start;
      }),
    arm: (point, tell) => {
      held = tell;
      stops.arm(point);
    },
    autopsy: async () => {
      stops.arm(undefined);
      const copy = join(folder, "copy.sqlite");
      for (const suffix of ["", "-wal"]) {
        if (existsSync(databasePath + suffix)) await copyFile(databasePath + suffix, copy + suffix);
      }
      const evidence = gather(copy);
      deaths.push({ answered: answeredTurns(evidence), asks: model.asks.length });
      for (const suffix of ["", "-wal", "-shm"]) await rm(copy + suffix, { force: true });
      return evidence;
    },
    look: () => gather(databasePath),
    judge: (evidence, moment) => {
      const checks = moment === "idle" ? [...always, ...atTheEnd] : always;
      return [...checks.flatMap((check) => check(evidence)), ...finalRuns.check(evidence.runs)];
    },
    close: async () => {
      await Promise.all([bank.close(), model.close()]);
      await rm(folder, { recursive: true, force: true });
    },
  };
}
