import { seededRandom } from "@procedo-testing/faults";
import { countWhatHappened } from "./count-what-happened.ts";
import { forTier, type ProofGroup, type ProofOptions } from "../proof-group.ts";
import type { Failpoint } from "./failpoints.ts";
import { createJudge } from "./judge.ts";
import { killAt } from "./kill-at.ts";
import { concurrently } from "./concurrently.ts";
import { tally, type Tally } from "./tally.ts";
import { createWorld } from "./world.ts";

const timesOf = { commit: 20, nightly: 200, release: 2_000 };

/** The decision is durable, and the run has not resumed. */
const between: readonly Pick<Failpoint, "name" | "phase">[] = [
  { name: "review.decide", phase: "after" },
  { name: "review.resume", phase: "before" },
];

/**
 * crash-after-decision: a decision is neither lost nor applied twice if the process is killed before its run resumes.
 */
export const decisionKills: ProofGroup = {
  id: "crash-after-decision",
  title: "SIGKILL between the commit of a decision and the resumption of its run",
  run: async (options) => {
    const total = tally();
    const times = Array.from({ length: options.seeds ?? forTier(options.tier, timesOf) }, (_, time) => time);
    await concurrently(times, 4, (dealt, lane) => killInTurn(dealt, lane, options, total));
    return total.result();
  },
};

async function killInTurn(times: readonly number[], lane: number, { seed }: ProofOptions, total: Tally): Promise<void> {
  const world = await createWorld({ name: "decisions", random: seededRandom(seed * 1_000 + lane) });
  try {
    const judge = createJudge(world);
    let node = world.boot();
    for (const time of times) {
      const point = between[Math.floor(time / 2) % between.length];
      if (point === undefined) continue;
      const failpoint = { ...point, passes: time % 3 };
      node = await killAt(world, judge, node, { failpoint, shapes: ["review", "review", "review"] });
      total.add("kills");
    }
    countWhatHappened(total, (await judge.check("idle")).evidence);
  } catch (error) {
    total.fail(
      `crash-after-decision seed ${seed}, lane ${lane}: ${error instanceof Error ? error.message : String(error)}`,
    );
  } finally {
    await world.close();
  }
}
