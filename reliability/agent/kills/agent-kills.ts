import { seededRandom, type SeededRandom } from "@procedo-testing/faults";
import { concurrently } from "../../crash/concurrently.ts";
import { tally, type Tally } from "../../crash/tally.ts";
import { forTier, type ProofGroup, type ProofOptions, type ProofResult } from "../../proof-group.ts";
import { createCellDriver, type CellDriver } from "./cell-driver.ts";
import { startLoopProcess, type LoopProcess } from "./start-loop-process.ts";
import { loopPlaces, type LoopPoint } from "./loop-points.ts";
import { createLoopWorld, type LoopWorld } from "./loop-world.ts";

const timesOf = { commit: 1, nightly: 20, release: 100 };
const leaseMs = 500;
/** Concurrent processes, and databases per process. */
const lanes = 2;
const cellsOfLane = 24;
/** Number of kills per database. The checks read its whole history after each kill. */
const deathsOfWorld = 20;

/** agent-kills: kills before and after each point of the agent's loop, and restarts. */
export const agentKills: ProofGroup = {
  id: "agent-kills",
  title: "SIGKILL at every point of an agent's loop: no answered prompt and no effect is repeated, and sums are exact",
  lowered: { commit: "1 kill at each point of 20: the time of a commit" },
  run: async (options) => {
    const times = options.seeds ?? forTier(options.tier, timesOf);
    const random = seededRandom(options.seed * 1_000 + 17);
    const deaths = loopPlaces.flatMap((place) =>
      Array.from({ length: times }, (_, time): LoopPoint => ({ ...place, passes: passesOf(place.name, time) })),
    );
    const { counts, failures } = await proveKills(options, { deaths: shuffled(deaths, random) });
    return { counts: { points: loopPlaces.length, ...counts }, failures };
  },
};

/** @param how its `preload` is loaded into each process before the product */
export async function proveKills(
  options: ProofOptions,
  how: { readonly deaths: readonly LoopPoint[]; readonly preload?: readonly string[] },
): Promise<ProofResult> {
  const { deaths, preload = [] } = how;
  const total = tally();
  options.report(`agent-kills: ${deaths.length} kills`);
  await concurrently(deaths, lanes, async (dealt, lane) => {
    const share = cellsOfLane * deathsOfWorld;
    for (let first = 0; first < dealt.length; first += share) {
      const worldSeed = options.seed * 1_000 + lane * 100 + first;
      await dieInTurn(dealt.slice(first, first + share), worldSeed, { total, preload });
      options.report(`agent-kills: lane ${lane}, ${Math.min(first + share, dealt.length)} of ${dealt.length} kills`);
    }
  });
  return total.result();
}

/**
 * Starts processes on several databases, each after the kill of the one before, until every planned kill has happened.
 */
async function dieInTurn(
  deaths: readonly LoopPoint[],
  worldSeed: number,
  { total, preload }: { readonly total: Tally; readonly preload: readonly string[] },
): Promise<void> {
  const random = seededRandom(worldSeed);
  const worlds: LoopWorld[] = [];
  let loopProcess: LoopProcess | undefined;
  try {
    const cells = Math.min(cellsOfLane, deaths.length);
    const drivers: CellDriver[] = [];
    for (let cell = 0; cell < cells; cell++) {
      const world = await createLoopWorld(`d01a-${worldSeed}-${cell}`, random.fork(`world-${cell}`), leaseMs);
      worlds.push(world);
      const own = withLeftovers(deaths.filter((_, index) => index % cells === cell));
      drivers.push(createCellDriver(world, { cell, deaths: own, total, random: random.fork(`driver-${cell}`) }));
    }
    for (;;) {
      const booted = drivers.flatMap((driver) => {
        const setup = driver.boot();
        return setup === undefined ? [] : [{ driver, setup }];
      });
      if (booted.length === 0) return;
      const living = startLoopProcess({ cells: booted.map(({ setup }) => setup) }, preload);
      loopProcess = living;
      await Promise.all(booted.map(({ driver }) => driver.settle(living)));
      // All at once, so that no database is held much longer than the others.
      const ends = await Promise.all(booted.map(({ driver }) => driver.live(living)));
      await living.kill();
      await Promise.all(booted.map(async ({ driver }, index) => (ends[index] === "held" ? driver.died() : undefined)));
    }
  } catch (error) {
    total.fail(`agent-kills, world seed ${worldSeed}, ${error instanceof Error ? error.message : String(error)}`);
  } finally {
    await loopProcess?.kill();
    await Promise.all(worlds.map((world) => world.close()));
  }
}

/** Adds the work that a takeover needs: it is left by another kill. */
function withLeftovers(deaths: readonly LoopPoint[]): readonly LoopPoint[] {
  return deaths.flatMap((death): LoopPoint[] =>
    death.name === "run.takeover" ? [{ name: "intent", side: "before", passes: 1 }, death] : [death],
  );
}

/** A takeover happens once per process, and only some shapes pass some points more than twice. */
function passesOf(name: LoopPoint["name"], time: number): number {
  return name === "run.takeover" ? 0 : time % 3;
}

/** Kills during calls are grouped, so that no call is given up while other databases reach their points. */
function shuffled(deaths: readonly LoopPoint[], random: SeededRandom): readonly LoopPoint[] {
  const drawn = deaths.map((death) => ({ death, at: random.below(2 ** 32) }));
  const rank = ({ name }: LoopPoint): number => (name === "call.made" ? 1 : 0);
  return drawn.sort((a, b) => rank(a.death) - rank(b.death) || a.at - b.at).map(({ death }) => death);
}
