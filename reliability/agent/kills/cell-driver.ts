import type { SeededRandom } from "@procedo-testing/faults";
import type { Tally } from "../../crash/tally.ts";
import type { LoopProcess } from "./start-loop-process.ts";
import type { LoopEvidence } from "./loop-evidence.ts";
import { shapesFor, type LoopPoint } from "./loop-points.ts";
import type { LoopWorld } from "./loop-world.ts";
import type { CellSetup } from "./process-protocol.ts";

/** Maximum number of loads until a point has been passed as often as required. */
const maxLoads = 6;
/** The number of calls that may have been given up before the kill. */
const maxMisses = 10;

/** Drives one database from kill to kill. */
export interface CellDriver {
  /** The setup of the next process; `undefined` if no work is left. */
  boot(): CellSetup | undefined;
  /** Lets the process finish the work of an earlier one, unless the next kill happens during that. */
  settle(loopProcess: LoopProcess): Promise<void>;
  /** Lets the process work until the cell is held at its next point (`held`); `done` if there is none. */
  live(loopProcess: LoopProcess): Promise<"held" | "done">;
  /** Called after the kill of the process, whether the cell was held or not. */
  died(): Promise<void>;
}

/** `deaths`: the points of the kills, in order. */
export function createCellDriver(
  world: LoopWorld,
  given: {
    readonly cell: number;
    readonly deaths: readonly LoopPoint[];
    readonly total: Tally;
    readonly random: SeededRandom;
  },
): CellDriver {
  const { cell, total, random } = given;
  const left = [...given.deaths];
  /** The point at which it is held, or was held at the kill. */
  let heldAt: LoopPoint | undefined;
  let armedAtBoot: LoopPoint | undefined;
  let hasWork = true;
  let misses = 0;

  const expect = (evidence: LoopEvidence, moment: "idle" | "under way"): void => {
    const [fault, ...more] = world.judge(evidence, moment);
    if (fault !== undefined) throw new Error(`${where(heldAt)}: ${[fault, ...more.slice(0, 5)].join(" ")}`);
  };
  const finish = (): void => {
    const evidence = world.look();
    expect(evidence, "idle");
    heldAt = undefined;
    if (left.length > 0) return;
    hasWork = false;
    countRuns(total, evidence);
  };

  return {
    boot: () => {
      if (!hasWork) return undefined;
      const [next] = left;
      armedAtBoot = next?.name === "run.takeover" && heldAt !== undefined ? next : undefined;
      return world.setup(cell, armedAtBoot);
    },
    settle: async (loopProcess) => {
      const wanted = armedAtBoot === undefined ? "idle" : "reached";
      if ((await loopProcess.next(cell)) !== wanted) throw new Error(`${where(armedAtBoot)} was never reached.`);
      if (armedAtBoot === undefined) finish();
      else heldAt = armedAtBoot;
    },
    live: async (loopProcess) => {
      if (armedAtBoot !== undefined) return "held";
      const [point] = left;
      if (point === undefined) return "done";
      world.arm(point, () => loopProcess.note(cell));
      for (let load = 0; load < maxLoads; load++) {
        loopProcess.send({ cell, starts: world.plan(shapesFor(point.name, random)), ...(load === 0 && { point }) });
        if ((await loopProcess.next(cell)) === "reached") {
          heldAt = point;
          return "held";
        }
      }
      throw new Error(`${where(point)} was never reached.`);
    },
    died: async () => {
      const evidence = await world.autopsy();
      expect(evidence, "under way");
      if (heldAt === undefined) return;
      // The call may have been given up while others reached their points.
      const isOver = heldAt.name === "call.made" && !isCalling(evidence);
      if (isOver && ++misses > maxMisses) throw new Error(`${where(heldAt)}: the process was not killed in time.`);
      total.add(isOver ? "killsTooLate" : "kills");
      if (!isOver) left.shift();
    },
  };
}

function isCalling({ runs }: LoopEvidence): boolean {
  return runs.some(({ state }) => state?.cursor.at === "calling");
}

function where(point: LoopPoint | undefined): string {
  return point === undefined ? "Before the first kill" : `${point.name} ${point.side}, passed ${point.passes} times`;
}

/** Counts the losses and uncertainties in a world: a proof without any of them would prove nothing. */
function countRuns(total: Tally, { runs, asks, effects }: LoopEvidence): void {
  total.add("runs", runs.length);
  total.add("modelRequests", asks.length);
  const isAnswer = ({ entry }: LoopEvidence["runs"][number]["entries"][number]): boolean =>
    entry.type === "replied" && entry.result.status === "ok";
  total.add(
    "answersOnRecord",
    runs.reduce((sum, { entries }) => sum + entries.filter(isAnswer).length, 0),
  );
  total.add(
    "effects",
    effects.reduce((sum, { executions }) => sum + executions, 0),
  );
  for (const { entries } of runs) {
    for (const { entry } of entries) {
      if (entry.type === "recovered") total.add("takeovers");
      if (entry.type === "review_opened")
        total.add(entry.review.kind === "outcome_unknown" ? "unknownOutcomes" : "reviews");
    }
  }
}
