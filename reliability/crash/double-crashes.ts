import { setTimeout as pause } from "node:timers/promises";
import { seededRandom } from "@procedo-testing/faults";
import { countWhatHappened } from "./count-what-happened.ts";
import { forTier, type ProofGroup, type ProofOptions } from "../proof-group.ts";
import type { RunShape } from "./crash-procedure.ts";
import { drive } from "./drive.ts";
import { createJudge } from "./judge.ts";
import { expectKilled, finish } from "./kill-at.ts";
import { concurrently } from "./concurrently.ts";
import { tally, type Tally } from "./tally.ts";
import { createWorld } from "./world.ts";

const timesOf = { commit: 8, nightly: 500, release: 2_000 };
const crashesInARow = 5;
const longestLifeMs = 500;
const runsUnderWay = 40;
const shapes: readonly RunShape[] = ["plain", "review", "sleep", "plain", "expire", "cancel"];

/** crash-repeated: kills during recovery. */
export const doubleCrashes: ProofGroup = {
  id: "crash-repeated",
  title: "SIGKILL five times in a row, each within half a second of the restart",
  lowered: { commit: "8 times of 20: the time of a commit" },
  run: async (options) => {
    const total = tally();
    const times = Array.from({ length: options.seeds ?? forTier(options.tier, timesOf) }, (_, time) => time);
    await concurrently(times, 4, (lane, number) => crashInARow(lane.length, number, options, total));
    return total.result();
  },
};

async function crashInARow(times: number, lane: number, options: ProofOptions, total: Tally): Promise<void> {
  const random = seededRandom(options.seed * 1_000 + lane);
  const world = await createWorld({ name: "double-crashes", random });
  const what = `crash-repeated seed ${options.seed}, lane ${lane}`;
  try {
    const judge = createJudge(world);
    const lives = random.fork("lives");
    for (let time = 0; time < times; time++) {
      for (let run = 0; run < runsUnderWay; run++) world.plan(random.pick(shapes));
      for (let crash = 0; crash < crashesInARow; crash++) {
        const node = world.boot();
        const driven = drive(world, node);
        // Some kills hit the restart itself, others the resumed work.
        await (lives.chance(0.5) ? node.loaded : node.ready);
        await pause(lives.below(longestLifeMs));
        await node.kill();
        await driven;
        expectKilled(node);
        total.add("kills");
      }
      const survivor = world.boot();
      const evidence = await finish(world, judge, survivor);
      if (time === times - 1) countWhatHappened(total, evidence);
      await survivor.kill();
    }
    options.report(`lane ${lane}: ${times} times`);
  } catch (error) {
    total.fail(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await world.close();
  }
}
