import { setTimeout as pause } from "node:timers/promises";
import { forTier, type ProofGroup, type ProofOptions } from "../proof-group.ts";
import { countWhatHappened } from "./count-what-happened.ts";
import type { RunShape } from "./crash-procedure.ts";
import { drive } from "./drive.ts";
import { createJudge } from "./judge.ts";
import { expectKilled, finish } from "./kill-at.ts";
import { inLanes, tally, type Tally } from "./lanes.ts";
import { quantile } from "./quantile.ts";
import { seeded, type Seeded } from "./seeded.ts";
import { createWorld, type World } from "./world.ts";

const killsOf = { commit: 60, nightly: 5_000, release: 20_000 };

/** Runs that are open at any time, over all lanes. */
const openRuns = 200;

/** A database is left for a new one after so many kills: a history of any length is read by the checks again and again. */
const killsPerWorld = 50;

const longestLifeMs = 900;

/** D-02: dies at any moment under load. */
export const randomKills: ProofGroup = {
  id: "D-02",
  title: "SIGKILL at any moment, with 200 runs under way",
  lowered: { commit: "60 kills instead of 100: everything that CI runs has to end within 20 minutes" },
  run: async (options) => {
    const total = tally();
    const progress: number[] = [];
    const kills = options.seeds ?? forTier(options.tier, killsOf);
    const worlds = Array.from({ length: Math.ceil(kills / killsPerWorld) }, (_, number) => {
      return { number, kills: Math.min(killsPerWorld, kills - number * killsPerWorld) };
    });
    await inLanes(worlds, 2, async (lane) => {
      for (const world of lane) await killOften(options, world, total, progress);
    });
    options.report(`from the start of a process to its first durable row: p95 ${quantile(progress, 0.95)} ms`);
    return total.result({
      restartToProgressP50Ms: quantile(progress, 0.5),
      restartToProgressP95Ms: quantile(progress, 0.95),
    });
  },
};

async function killOften(
  options: ProofOptions,
  { number, kills }: { readonly number: number; readonly kills: number },
  total: Tally,
  progress: number[],
): Promise<void> {
  const random = seeded(options.seed * 1_000 + number);
  const world = await createWorld({ name: "d02", random });
  const what = `D-02 seed ${options.seed}, database ${number}`;
  try {
    const judge = createJudge(world);
    const lives = random.fork();
    for (let kill = 0; kill < kills; kill++) {
      const node = world.boot();
      const driven = drive(world, node, { feed: feeder(world, random) });
      await node.ready;
      await pause(lives.below(longestLifeMs));
      if (!node.alive) throw new Error(`A node died by itself: ${node.end}.`);
      const { faults } = await judge.check("under way");
      await node.kill();
      await driven;
      expectKilled(node);
      const progressMs = await node.progressMs;
      if (progressMs !== undefined) progress.push(Math.round(progressMs));
      if (faults.length > 0) throw new Error(`before kill ${kill + 1}: ${faults.join(" ")}`);
      total.add("kills");
      if (kill % 10 === 9) options.report(`database ${number}: ${kill + 1} kills, ${world.starts.length} runs started`);
    }
    countWhatHappened(total, await finish(world, judge, world.boot()));
  } catch (error) {
    total.fail(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await world.close();
  }
}

/** Keeps this lane's share of runs open. */
function feeder(
  world: World,
  random: Seeded,
): (look: { readonly running: number; readonly reviews: readonly unknown[] }) => true {
  return ({ running, reviews }) => {
    const unanswered = world.starts.filter(({ runId }) => runId === undefined).length;
    for (let open = running + reviews.length + unanswered; open < openRuns / 2; open++) world.plan(shapeOf(random));
    return true;
  };
}

/** A fifth asks a person, a fifth sleeps, a few are cancelled or ask somebody who never answers. */
function shapeOf(random: Seeded): RunShape {
  const drawn = random.below(100);
  if (drawn < 20) return "review";
  if (drawn < 40) return "sleep";
  if (drawn < 43) return "expire";
  return drawn < 48 ? "cancel" : "plain";
}
