import type { CrashGroup, CrashGroupOptions, Tier } from "./crash-group.ts";
import type { RunShape } from "./crash-procedure.ts";
import { drive } from "./drive.ts";
import { failpointNames, failpointsNotBuilt, type Failpoint, type FailpointName, type Phase } from "./failpoints.ts";
import { countWhatHappened } from "./count-what-happened.ts";
import { createJudge, type Judge } from "./judge.ts";
import type { CrashNode } from "./node.ts";
import { inLanes, tally, type Tally } from "./lanes.ts";
import { seeded } from "./seeded.ts";
import { createWorld, type World } from "./world.ts";

const timesOf: { readonly [tier in Tier]: number } = { commit: 5, nightly: 100, release: 1_000 };

/** Reached while a node starts, before it can be told anything. */
const atStart: ReadonlySet<FailpointName> = new Set(["lease.take", "run.takeover"]);

/** Points at which a payment is on its way; the ledger keeps its answer back so long that the kill comes first. */
const inFlight: ReadonlySet<FailpointName> = new Set(["tool.sent"]);
const lateAnswerMs = 120;

/** Loads that a point may need until it is reached as often as it was told. */
const maxLoads = 6;

const shapes: readonly RunShape[] = ["plain", "review", "sleep", "expire"];

/** D-01: dies at each point, on each side of it, and comes back. */
export const failpointKills: CrashGroup = {
  id: "D-01",
  title: "SIGKILL before and after each durable write and each call",
  run: async (options) => {
    const { tier, seed, report } = options;
    const kills = failpointNames
      .flatMap((name) => (["before", "after"] as const).map((phase) => ({ name, phase })))
      .flatMap((kill) => Array.from({ length: timesOf[tier] }, (_, time) => ({ ...kill, time })));
    report(`not built yet: ${failpointsNotBuilt.join(", ")}`);
    const total = tally();
    await inLanes(kills, 3, (lane, number) => killInTurn(lane, number, options, total));
    return total.result({ seed, points: failpointNames.length * 2, pointsNotBuilt: failpointsNotBuilt.length });
  },
};

interface PlannedKill {
  readonly name: FailpointName;
  readonly phase: Phase;
  readonly time: number;
}

/** Kills one node after the other on one database; a migration has a database of its own. */
async function killInTurn(
  kills: readonly PlannedKill[],
  lane: number,
  { seed, report }: CrashGroupOptions,
  total: Tally,
): Promise<void> {
  const random = seeded(seed + lane);
  const world = await createWorld({ name: "d01", random });
  try {
    const judge = createJudge(world);
    let node = world.boot();
    await drive(world, node);
    for (const { name, phase, time } of kills) {
      const failpoint: Failpoint = { name, phase, passes: atStart.has(name) || name === "migrate.step" ? 0 : time % 3 };
      const what = `D-01 seed ${seed}, lane ${lane}, ${name} ${phase}, time ${time}`;
      try {
        if (name === "migrate.step") await killMigration(failpoint, lane, seed);
        else node = await killAt(world, judge, node, failpoint);
        total.add("kills");
      } catch (error) {
        total.fail(`${what}: ${error instanceof Error ? error.message : String(error)}`);
        await node.kill();
        node = world.boot();
      }
      if (time === 0) report(`${name} ${phase}`);
    }
    countWhatHappened(total, (await judge.check("idle")).evidence);
  } finally {
    await world.close();
  }
}

/** Lets the node die at the point, starts another, and waits until it has done all the work. Answers the survivor. */
async function killAt(world: World, judge: Judge, node: CrashNode, failpoint: Failpoint): Promise<CrashNode> {
  const late = inFlight.has(failpoint.name) && failpoint.phase === "after";
  if (late) await world.ledger.answerLate(lateAnswerMs);
  if (atStart.has(failpoint.name)) await dieAtStart(world, node, failpoint);
  else await dieUnderLoad(world, node, failpoint);
  if (late) await world.ledger.answerLate(0);
  const survivor = world.boot();
  if ((await drive(world, survivor)) === "dead") throw new Error(`The next node died as well: ${survivor.end}`);
  const { faults } = await judge.check("idle");
  if (faults.length > 0) throw new Error(faults.join(" "));
  return survivor;
}

async function dieUnderLoad(world: World, node: CrashNode, failpoint: Failpoint): Promise<void> {
  await node.ask("arm", { failpoint });
  for (let load = 0; load < maxLoads; load++) {
    for (const shape of shapes) world.plan(shape);
    if ((await drive(world, node)) === "dead") return expectKilled(node);
  }
  throw new Error("The point was never reached.");
}

/** Something has to be left to take over. */
async function dieAtStart(world: World, node: CrashNode, failpoint: Failpoint): Promise<void> {
  await node.ask("arm", { failpoint: { name: "step.result", phase: "before", passes: 1 } });
  for (const shape of shapes) world.plan(shape);
  await drive(world, node);
  expectKilled(node);
  const victim = world.boot(failpoint);
  if ((await drive(world, victim)) !== "dead") throw new Error("The point was never reached.");
  expectKilled(victim);
}

async function killMigration(failpoint: Failpoint, lane: number, seed: number): Promise<void> {
  const world = await createWorld({ name: "d01-migrate", random: seeded(seed + lane) });
  try {
    const victim = world.boot(failpoint);
    await victim.exited;
    expectKilled(victim);
    const survivor = world.boot();
    for (const shape of shapes) world.plan(shape);
    if ((await drive(world, survivor)) === "dead") throw new Error(`The next node died as well: ${survivor.end}`);
    const { faults } = await createJudge(world).check("idle");
    if (faults.length > 0) throw new Error(faults.join(" "));
  } finally {
    await world.close();
  }
}

/** Any other end is a crash of the product's own. */
function expectKilled(node: CrashNode): void {
  if (node.end !== "SIGKILL") throw new Error(`The node was to be killed, and ended by ${node.end}.`);
}
