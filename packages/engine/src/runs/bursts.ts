import type { Environment } from "@procedo/contract";
import type { Clock } from "../ports/clock.ts";

/**
 * When starts come faster than their runs can be executed, starts go first: their runs are left in storage, where workers
 * of other processes find them at once, and this one claims them when the burst is over. Nobody who waits to be told
 * that a run is durable then waits for other runs to be executed. Each environment by itself, so that a flood of one puts off
 * nothing of the other.
 */
export interface Bursts {
  /** A start has come, and is one of so many of its environment that are under way. */
  came(environment: Environment, underWay: number): void;
  /** Whether a run for which nobody waits is to be left for later. */
  isOn(environment: Environment): boolean;
  /** A run was left. */
  left(environment: Environment): void;
  /** Whether runs that were left stay where they are: none of this environment is claimed now. */
  putsOff(environment: Environment): boolean;
  /** Somebody waits for a run that may have been left: nothing of its environment is put off, for a minute. */
  waited(environment: Environment): void;
  /** All that was left of this environment has been claimed. */
  workedOff(environment: Environment): void;
}

/** Starts under way at once: where a process keeps up, their commits take them away sooner than so many come. */
const crowd = 32;

/** A burst whose last crowd is so long ago is over. Within one, crowds are a commit apart. */
const quietMs = 25;

/** No run is left for longer than this so that others may be accepted; a larger burst is then accepted at the pace of executing. */
const longestMs = 30_000;

/** Whoever starts many runs and then waits for each is served by executing them. */
const waitedMs = 60_000;

interface Side {
  crowdedAtMs: number;
  waitedAtMs: number;
  /** When the first of the runs was left that may still be there. */
  leftSinceMs: number | undefined;
  watched: boolean;
}

/** @param over called when nothing is put off any more */
export function createBursts(clock: Pick<Clock, "monotonic" | "after">, over: () => void): Bursts {
  const quiet = (): Side => ({ crowdedAtMs: -Infinity, waitedAtMs: -Infinity, leftSinceMs: undefined, watched: false });
  const sides: Record<Environment, Side> = { sandbox: quiet(), live: quiet() };

  const isOn = ({ crowdedAtMs, waitedAtMs, leftSinceMs }: Side): boolean => {
    const nowMs = clock.monotonic();
    if (nowMs - crowdedAtMs > quietMs || nowMs - waitedAtMs < waitedMs) return false;
    return leftSinceMs === undefined || nowMs - leftSinceMs < longestMs;
  };
  const putsOff = (side: Side): boolean => side.leftSinceMs !== undefined && isOn(side);

  const watch = (side: Side): void => {
    side.watched = putsOff(side);
    if (side.watched) clock.after(quietMs, () => watch(side));
    else over();
  };

  return {
    came: (environment, underWay) => {
      if (underWay >= crowd) sides[environment].crowdedAtMs = clock.monotonic();
    },
    isOn: (environment) => isOn(sides[environment]),
    left: (environment) => {
      const side = sides[environment];
      side.leftSinceMs ??= clock.monotonic();
      if (!side.watched) watch(side);
    },
    putsOff: (environment) => putsOff(sides[environment]),
    waited: (environment) => {
      const side = sides[environment];
      if (side.leftSinceMs === undefined) return;
      side.waitedAtMs = clock.monotonic();
    },
    workedOff: (environment) => {
      sides[environment].leftSinceMs = undefined;
    },
  };
}
