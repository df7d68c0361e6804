import { setTimeout as pause } from "node:timers/promises";
import { seededRandom } from "@procedo-testing/faults";
import { concurrently } from "../crash/concurrently.ts";
import { triggerFailpointNames, type Failpoint, type Phase } from "../crash/failpoints.ts";
import { quantile } from "../crash/quantile.ts";
import { tally, type Tally } from "../crash/tally.ts";
import { forTier, type ProofGroup, type ProofOptions, type ProofResult } from "../proof-group.ts";
import { countOccurrences } from "./count-occurrences.ts";
import type { TriggerNode } from "./trigger-node.ts";
import { createTriggerWorld, type TriggerWorld } from "./trigger-world.ts";

const timesOf = { commit: 1, nightly: 100, release: 1_000 };
const lanes = 2;
/** Number of kills per database. The checks read its whole history after each kill. */
const killsPerWorld = 50;
/** The leap of the clock before a kill at `schedule.advance`, so that every schedule is due. */
const leapMs = 61_000;
/** Every firing has to start or end within this time of the restart. */
const mostMs = 10_000;
const maxLoads = 6;
const eventsPerLoad = 3;
const exitWithinMs = 30_000;
const lookEveryMs = 20;
/** A load is over if the node lives on for this long after it. */
const loadMs = 1_500;

/** crash-triggers: kills before and after each durable write of triggers, on SQLite. */
export const triggerKills: ProofGroup = {
  id: "crash-triggers",
  title: "SIGKILL before and after each durable write of triggers: one run per firing, within 10 s of the restart",
  lowered: { commit: "1 kill on one side of each point instead of 5 on each: the time of a commit" },
  run: (options) => proveTriggerKills(options),
};

/** The same with modules that are loaded before the product. */
export async function proveTriggerKills(options: ProofOptions, preload: readonly string[] = []): Promise<ProofResult> {
  const times = options.seeds ?? forTier(options.tier, timesOf);
  const kills = triggerFailpointNames.flatMap((name, place) =>
    phasesOf(options, place).flatMap((phase) =>
      Array.from({ length: times }, (_, time): Failpoint => {
        // A schedule is advanced while the process starts, once.
        return { name, phase, passes: name === "schedule.advance" ? 0 : time % 3 };
      }),
    ),
  );
  const total = tally();
  const settledMs: number[] = [];
  await concurrently(kills, lanes, async (dealt, lane) => {
    for (let first = 0; first < dealt.length; first += killsPerWorld) {
      const part = dealt.slice(first, first + killsPerWorld);
      const random = seededRandom(options.seed * 1_000 + lane * 100 + first);
      const world = await createTriggerWorld({ name: "kills", random, factor: 1, preload });
      try {
        await killInTurn(world, part, options, { total, settledMs });
      } catch (error) {
        total.fail(`crash-triggers seed ${options.seed}: ${error instanceof Error ? error.message : String(error)}`);
      } finally {
        await world.close();
      }
    }
  });
  options.report(`crash-triggers: all firings ended ${quantile(settledMs, 0.95)} ms after a restart (p95)`);
  return total.result({ settledP50Ms: quantile(settledMs, 0.5), settledP95Ms: quantile(settledMs, 0.95) });
}

/** At tier commit one side of each point, the other one with the next seed. */
function phasesOf({ tier, seed, seeds }: ProofOptions, place: number): readonly Phase[] {
  if (tier !== "commit" || seeds !== undefined) return ["before", "after"];
  return [(seed + place) % 2 === 0 ? "before" : "after"];
}

async function killInTurn(
  world: TriggerWorld,
  kills: readonly Failpoint[],
  { report }: ProofOptions,
  { total, settledMs }: { readonly total: Tally; readonly settledMs: number[] },
): Promise<void> {
  let node = await world.boot();
  for (const failpoint of kills) {
    const where = `${failpoint.name} ${failpoint.phase}, after ${failpoint.passes} passes`;
    const killed = failpoint.name === "schedule.advance" ? dieAtStart : dieUnderLoad;
    await killed(world, node, failpoint).catch((error: unknown) => {
      throw new Error(`${where}: ${error instanceof Error ? error.message : String(error)}`);
    });
    total.add("kills");
    node = await world.boot();
    await world.sendAgain(node);
    const tookMs = await world.settled();
    settledMs.push(tookMs);
    const { faults } = await world.judge("idle");
    const late = tookMs > mostMs ? [`Firings ended ${tookMs} ms after the restart.`] : [];
    const broken = [...faults, ...late];
    if (broken.length > 0) throw new Error(`${where}: ${broken.slice(0, 3).join(" ")}`);
    report(`crash-triggers: ${where}: settled after ${tookMs} ms`);
  }
  countOccurrences(total, (await world.judge("idle")).stored);
}

async function dieUnderLoad(world: TriggerWorld, node: TriggerNode, failpoint: Failpoint): Promise<void> {
  await node.ask("arm", { failpoint });
  for (let load = 0; load < maxLoads; load++) {
    await world.send([node], eventsPerLoad, 2);
    if (await diedWithin(node, loadMs)) return expectKilled(node);
  }
  throw new Error("The point was never reached.");
}

async function dieAtStart(world: TriggerWorld, node: TriggerNode, failpoint: Failpoint): Promise<void> {
  await node.kill();
  world.leap(leapMs);
  const victim = await world.boot(failpoint);
  if (!(await diedWithin(victim, exitWithinMs))) throw new Error("The point was never reached.");
  expectKilled(victim);
}

async function diedWithin(node: TriggerNode, withinMs: number): Promise<boolean> {
  const giveUpAt = performance.now() + withinMs;
  while (node.end === undefined && performance.now() < giveUpAt) await pause(lookEveryMs);
  return node.end !== undefined;
}

/** Any other end is a crash of the product. */
function expectKilled({ end, lastWords }: TriggerNode): void {
  if (end !== "SIGKILL") throw new Error(`The process was to be killed, and ended by ${end}: ${lastWords}`);
}
