import type { Environment } from "@procedo/contract";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";

/**
 * When starts come faster than their runs can be executed, starts go first: their runs are left in storage, where workers
 * of other processes find them at once, and this one claims them when the burst is over. Nobody who waits to be told
 * that a run is durable then waits for other runs to be executed. Each environment by itself, so that a flood of one puts off
 * nothing of the other.
 */
export interface Bursts {
  /** A start that was found good is under way, until the returned function is called. */
  begin(environment: Environment): () => void;
  /** Whether a run for which nobody waits is to be left for later. */
  isOn(environment: Environment): boolean;
  /** A run was left. */
  left(environment: Environment): void;
  /** Whether runs that were left stay where they are: none of this environment is claimed now. */
  putsOff(environment: Environment): boolean;
  /** Whether runs may be there that were left: whoever claims them keeps room for what somebody waits for. */
  hasBacklog(environment: Environment): boolean;
  /** Somebody waits for a run that is to be claimed: nothing of its environment is put off, for a minute. */
  waited(environment: Environment): void;
  /** All that was left of this environment has been claimed. */
  workedOff(environment: Environment): void;
}

/** Starts under way at once: where a process keeps up, their commits take them away sooner than so many come. */
const crowd = 32;

/** A burst is over when no crowd has been under way for so long: what one commit has answered is followed by the next. */
const quietMs = 25;

/**
 * No longer than this are runs left so that others may be accepted. Accepting one takes a half to a third of executing a
 * short one, on fast disks and on slow ones, so those are executed within half a minute or so; what comes due meanwhile
 * waits behind them.
 */
const longestMs = 10_000;

/** Whoever starts many runs and then waits for each is served by executing them. */
const waitedMs = 60_000;

/** An operator is told of a burst that left so many. */
const worthALine = 1_000;

interface Side {
  readonly environment: Environment;
  underWay: number;
  crowdedAtMs: number;
  waitedAtMs: number;
  /** When the first of the runs was left that may still be there, and how many were since. */
  leftSinceMs: number | undefined;
  left: number;
  watched: boolean;
}

/** @param over called when nothing is put off any more */
export function createBursts(
  { clock, log }: { readonly clock: Pick<Clock, "monotonic" | "after">; readonly log: Log },
  over: () => void,
): Bursts {
  const quiet = (environment: Environment): Side => ({
    environment,
    underWay: 0,
    crowdedAtMs: -Infinity,
    waitedAtMs: -Infinity,
    leftSinceMs: undefined,
    left: 0,
    watched: false,
  });
  const sides: Record<Environment, Side> = { sandbox: quiet("sandbox"), live: quiet("live") };

  const isOn = ({ underWay, crowdedAtMs, waitedAtMs, leftSinceMs }: Side): boolean => {
    const nowMs = clock.monotonic();
    const isCrowded = underWay >= crowd || nowMs - crowdedAtMs <= quietMs;
    if (!isCrowded || nowMs - waitedAtMs < waitedMs) return false;
    return leftSinceMs === undefined || nowMs - leftSinceMs < longestMs;
  };
  const putsOff = (side: Side): boolean => side.leftSinceMs !== undefined && isOn(side);

  const watch = (side: Side): void => {
    side.watched = putsOff(side);
    if (side.watched) {
      clock.after(quietMs, () => watch(side));
      return;
    }
    const { environment, left } = side;
    if (left >= worthALine)
      log.info("A burst of starts was taken in; its runs are executed now.", { environment, left });
    over();
  };

  return {
    begin: (environment) => {
      const side = sides[environment];
      const note = (): void => {
        if (side.underWay >= crowd) side.crowdedAtMs = clock.monotonic();
      };
      side.underWay += 1;
      note();
      return () => {
        note();
        side.underWay -= 1;
      };
    },
    isOn: (environment) => isOn(sides[environment]),
    left: (environment) => {
      const side = sides[environment];
      side.leftSinceMs ??= clock.monotonic();
      side.left += 1;
      if (!side.watched) watch(side);
    },
    putsOff: (environment) => putsOff(sides[environment]),
    hasBacklog: (environment) => sides[environment].leftSinceMs !== undefined,
    waited: (environment) => {
      sides[environment].waitedAtMs = clock.monotonic();
    },
    workedOff: (environment) => {
      const side = sides[environment];
      side.leftSinceMs = undefined;
      side.left = 0;
    },
  };
}
