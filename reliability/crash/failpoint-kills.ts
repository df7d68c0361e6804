import { seededRandom } from "@procedo-testing/faults";
import { countWhatHappened } from "./count-what-happened.ts";
import { forTier, type ProofGroup, type ProofOptions } from "../proof-group.ts";
import type { RunShape } from "./crash-procedure.ts";
import {
  failpointNames,
  failpointsElsewhere,
  triggerFailpointNames,
  type Failpoint,
  type FailpointName,
  type Phase,
} from "./failpoints.ts";
import { createJudge } from "./judge.ts";
import { expectKilled, finish, killAt, reachedAtStart } from "./kill-at.ts";
import { concurrently } from "./concurrently.ts";
import { tally, type Tally } from "./tally.ts";
import type { CrashNode } from "./node.ts";
import { createWorld } from "./world.ts";

const timesOf = { commit: 1, nightly: 100, release: 1_000 };

const lanes = 6;

/** Number of kills per database. The checks read its whole history after each kill. */
const killsPerWorld = 50;

const shapes: readonly RunShape[] = ["plain", "review", "sleep", "expire", "cancel"];

/** crash-failpoints: kills before and after each point, and restarts. */
export const failpointKills: ProofGroup = {
  id: "crash-failpoints",
  title: "SIGKILL before and after each durable write and each call",
  lowered: { commit: "1 kill at each point of 5: the time of a commit" },
  run: async (options) => {
    const kills = failpointNames
      .flatMap((name) => (["before", "after"] as const).map((phase) => ({ name, phase })))
      .flatMap((kill) =>
        Array.from({ length: options.seeds ?? forTier(options.tier, timesOf) }, (_, time) => ({ ...kill, time })),
      );
    options.report(`${kills.length} kills`);
    options.report(`covered by other groups: ${[...failpointsElsewhere, ...triggerFailpointNames].join(", ")}`);
    const total = tally();
    await concurrently(kills, lanes, async (dealt, lane) => {
      for (let first = 0; first < dealt.length; first += killsPerWorld) {
        const part = dealt.slice(first, first + killsPerWorld);
        await killInTurn(part, options.seed * 1_000 + lane * 100 + first, options, total);
      }
    });
    return total.result({
      points: 2 * failpointNames.length,
      pointsElsewhere: 2 * (failpointsElsewhere.length + triggerFailpointNames.length),
    });
  },
};

interface PlannedKill {
  readonly name: FailpointName;
  readonly phase: Phase;
  readonly time: number;
}

/** Kills one node after another on one database; a migration has its own database. */
async function killInTurn(
  kills: readonly PlannedKill[],
  worldSeed: number,
  { report }: ProofOptions,
  total: Tally,
): Promise<void> {
  const world = await createWorld({ name: "failpoint-kills", random: seededRandom(worldSeed) });
  const judge = createJudge(world);
  let node: CrashNode | undefined;
  try {
    for (const [index, { name, phase, time }] of kills.entries()) {
      const failpoint: Failpoint = { name, phase, passes: reachedAtStart.has(name) ? 0 : time % 3 };
      if (name === "migrate.step") {
        await killMigration(failpoint, worldSeed + index);
      } else {
        node ??= world.boot();
        node = await killAt(world, judge, node, { failpoint, shapes }).catch((error: unknown) => {
          throw new Error(`at ${name} ${phase}, time ${time}: ${messageOf(error)}`);
        });
      }
      total.add("kills");
      if (time === 0) report(`${name} ${phase}`);
    }
    if (node !== undefined) countWhatHappened(total, (await judge.check("idle")).evidence);
  } catch (error) {
    total.fail(`crash-failpoints, world seed ${worldSeed}, ${messageOf(error)}`);
  } finally {
    await world.close();
  }
}

async function killMigration(failpoint: Failpoint, worldSeed: number): Promise<void> {
  const world = await createWorld({ name: "migration-kills", random: seededRandom(worldSeed) });
  try {
    const victim = world.boot(failpoint);
    await victim.exited;
    expectKilled(victim);
    for (const shape of shapes) world.plan(shape);
    await finish(world, createJudge(world), world.boot());
  } finally {
    await world.close();
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
