import type { Environment } from "@procedo/contract";
import type { Scope } from "@procedo/storage";
import type { HotRun } from "./hot-run.ts";
import { createTransientMap } from "./transient-map.ts";

/** A run that storage has handed over and whose past is being read. */
export interface Loading {
  readonly loading: Scope;
}

/**
 * The runs in a worker's hands, and who may add to them. One environment never takes all of the room: a part of it is kept
 * for the other, so that a flood of one leaves the other's runs to be executed at once.
 */
export interface HeldRuns {
  readonly size: number;
  get(runId: string): HotRun | Loading | undefined;
  has(runId: string): boolean;
  set(runId: string, run: HotRun | Loading): void;
  delete(runId: string): void;
  entries(): Iterable<readonly [string, HotRun | Loading]>;
  /** Whether one more of this environment may be held. */
  hasRoom(environment: Environment): boolean;
  /** How many more of each environment may be held. */
  room(): Readonly<Record<Environment, number>>;
}

/** The part of the room that is kept for the other environment: an eighth. Fewer than eight places are shared as they come. */
const keptForOther = 8;

/** @param capacity runs held at once */
export function createHeldRuns(capacity: number): HeldRuns {
  const share = capacity - Math.floor(capacity / keptForOther);
  const held = createTransientMap<HotRun | Loading>();
  const counts: Record<Environment, number> = { sandbox: 0, live: 0 };

  const drop = (runId: string): void => {
    const run = held.get(runId);
    if (run === undefined) return;
    held.delete(runId);
    counts[scopeOf(run).environment] -= 1;
  };
  const roomOf = (environment: Environment): number =>
    Math.max(0, Math.min(capacity - held.size, share - counts[environment]));

  return {
    get size() {
      return held.size;
    },
    get: (runId) => held.get(runId),
    has: (runId) => held.has(runId),
    set: (runId, run) => {
      drop(runId);
      held.set(runId, run);
      counts[scopeOf(run).environment] += 1;
    },
    delete: drop,
    entries: () => held.entries(),
    hasRoom: (environment) => roomOf(environment) > 0,
    room: () => ({ sandbox: roomOf("sandbox"), live: roomOf("live") }),
  };
}

export function isHot(run: HotRun | Loading): run is HotRun {
  return "writer" in run;
}

export function scopeOf(run: HotRun | Loading): Scope {
  return isHot(run) ? run.writer.head.scope : run.loading;
}
