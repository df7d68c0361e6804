import type { SeededRandom } from "@procedo-testing/faults";
import type { Environment } from "@procedo/contract";
import type { Cluster, Member } from "./cluster.ts";
import type { SimulationOptions } from "./options.ts";
import type { World } from "./world.ts";

/** Faults of machines. */
export interface Chaos {
  begin(): void;
  /** Ends the faults: paused machines resume, and at least one process runs. */
  end(): void;
  /** Total backward jumps of the wall clocks: earlier timers wait this much longer. */
  readonly backwardMs: number;
}

/**
 * A row under way while a clock is set back may carry a time from before the jump. All such rows are written by then.
 */
const lastJumpAfterMs = 4_100;

const usualJumpsMs: readonly number[] = [-3_600_000, -2_000, 2_000, 60_000, 3_600_000, 36 * 3_600_000];

export function createChaos(ports: {
  readonly world: World;
  readonly random: SeededRandom;
  readonly cluster: Cluster;
  readonly options: SimulationOptions;
  /** Writes each connection again, so that every process discards its cached connections. */
  readonly touch: () => void;
  /** Replaces the ledger's connection by another one. */
  readonly replaceConnection: (environment: Environment) => void;
}): Chaos {
  const { world, random, cluster, options } = ports;
  const rates = options.chaos;
  let over = false;
  let backwardMs = 0;

  const repeat = (everyMs: number, what: () => void): void => {
    if (everyMs === 0) return;
    const again = (): void =>
      void world.after(random.between(1, 2 * everyMs), () => {
        if (over) return;
        what();
        again();
      });
    again();
  };
  const anyone = (): Member | undefined => {
    const members = cluster.members();
    return members.length === 0 ? undefined : random.pick(members);
  };
  const replace = (member: Member): void => {
    cluster.forget(member);
    world.after(random.between(0, rates.restartMs), () => void cluster.boot());
  };

  const crash = (): void => {
    const member = anyone();
    if (member === undefined) return;
    world.note(`${member.machine.name} crashes`);
    member.machine.kill();
    replace(member);
  };

  const pause = (): void => {
    const member = anyone();
    if (member === undefined || member.machine.paused) return;
    world.note(`${member.machine.name} stands still`);
    member.machine.pause();
    world.after(random.between(1, rates.pauseMs), () => member.machine.resume());
  };

  const stop = (): void => {
    const member = anyone();
    if (member === undefined) return;
    const drainMs = random.pick([0, 100, 2_000]);
    world.note(`${member.machine.name} is stopped, draining ${drainMs} ms`);
    member.machine.deliver(() => void member.engine.stop({ drainMs }));
    // An operator waits a little longer than the requested time, then ends the process.
    world.after(drainMs + 4_000, () => member.machine.kill());
    replace(member);
  };

  const jump = (): void => {
    const byMs = random.pick(rates.wallJumpsMs ?? usualJumpsMs);
    world.note(`wall clocks jump by ${byMs} ms`);
    cluster.jumpWallClocks(byMs);
    if (byMs >= 0) return;
    if (rates.correctedWithinMs === undefined) backwardMs -= byMs;
    else world.after(random.between(1, rates.correctedWithinMs), () => cluster.jumpWallClocks(-byMs));
  };

  const manage = (): void => {
    if (random.chance(0.3)) ports.replaceConnection(random.pick(["live", "live", "sandbox"]));
    else ports.touch();
  };

  return {
    begin: () => {
      repeat(rates.crashEveryMs, crash);
      repeat(rates.pauseEveryMs, pause);
      repeat(rates.stopEveryMs, stop);
      repeat(rates.wallJumpEveryMs, jump);
      repeat(rates.managedEveryMs, manage);
    },
    end: () => {
      over = true;
      for (const { machine } of cluster.members()) if (machine.paused) machine.resume();
      if (cluster.members().length === 0) cluster.boot();
      const { lastJumpMs } = rates;
      if (lastJumpMs !== undefined) world.after(lastJumpAfterMs, () => cluster.jumpWallClocks(lastJumpMs));
    },
    get backwardMs() {
      return backwardMs;
    },
  };
}
