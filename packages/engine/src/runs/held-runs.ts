import type { Environment } from "@procedo/contract";
import type { Entry } from "@procedo/procedure";
import type { Scope } from "@procedo/storage";
import { valueMemory } from "../journal/parsed-bytes.ts";
import { runIdOf, type ActiveRun } from "./active-run.ts";
import { createTransientMap } from "./transient-map.ts";

/** A claimed run whose journal is being read. */
export interface Loading {
  readonly loading: Scope;
  /** Estimated bytes of memory of its journal. */
  readonly memory: number;
}

/**
 * The runs that a worker owns, and the room for more. One environment never fills all of the room: a part is kept for
 * the other, so that a flood in one environment does not delay the runs of the other. The memory of an environment's
 * runs is bounded as well; a single run always has room.
 */
export interface HeldRuns {
  readonly size: number;
  get(runId: string): ActiveRun | Loading | undefined;
  has(runId: string): boolean;
  set(runId: string, run: ActiveRun | Loading): void;
  delete(runId: string): void;
  entries(): Iterable<readonly [string, ActiveRun | Loading]>;
  /** Whether one more run of this environment may be held. */
  hasRoom(environment: Environment): boolean;
  /** Number of further runs of this environment that may be held. */
  room(environment: Environment): number;
  /** Updates the estimated memory of a held run. */
  weigh(run: ActiveRun): void;
  /** Whether a held run fits into memory beside the runs of its environment that were held before it. */
  hasMemoryFor(runId: string): boolean;
  /** A claim for this environment was answered; its runs are added next. */
  claimed(environment: Environment): void;
}

/** Divisor for the room that is kept for the other environment: an eighth. Of fewer than eight places, none is kept. */
const keptForOther = 8;

/**
 * Estimated bytes of memory for the runs of one environment. Both environments together leave half of a 1 GiB heap to
 * answers of calls under way, rows that are being stored, and everything else.
 */
export const maxMemory = 192 * 1024 * 1024;

interface Held {
  readonly run: ActiveRun | Loading;
  memory: number;
}

interface Share {
  count: number;
  memory: number;
  /**
   * Memory expected of the next claimed run: that of the largest run that was claimed lately or had to be released.
   * Each claim halves the value, so that small runs are soon claimed together again.
   */
  expected: number;
}

/**
 * @param capacity maximum number of runs held at once
 * @param most - maximum estimated memory of an environment's runs, in bytes
 */
export function createHeldRuns(capacity: number, most = maxMemory): HeldRuns {
  const share = capacity - Math.floor(capacity / keptForOther);
  const held = createTransientMap<Held>();
  const shares: Record<Environment, Share> = {
    sandbox: { count: 0, memory: 0, expected: 0 },
    live: { count: 0, memory: 0, expected: 0 },
  };
  const shareOf = (run: ActiveRun | Loading): Share => shares[scopeOf(run).environment];

  const drop = (runId: string): void => {
    const known = held.get(runId);
    if (known === undefined) return;
    held.delete(runId);
    const of = shareOf(known.run);
    of.count -= 1;
    of.memory -= known.memory;
  };
  const roomOf = (environment: Environment): number => {
    const { count, memory, expected } = shares[environment];
    const places = Math.max(0, Math.min(capacity - held.size, share - count));
    // A single run always has room.
    const fitting = Math.max(count === 0 ? 1 : 0, Math.floor((most - memory) / Math.max(expected, 1)));
    return Math.min(places, fitting);
  };

  return {
    get size() {
      return held.size;
    },
    get: (runId) => held.get(runId)?.run,
    has: (runId) => held.has(runId),
    set: (runId, run) => {
      drop(runId);
      const memory = memoryOf(run);
      held.set(runId, { run, memory });
      const of = shareOf(run);
      of.count += 1;
      of.memory += memory;
      if (!isActive(run)) of.expected = Math.max(of.expected, memory);
    },
    delete: drop,
    *entries() {
      for (const [runId, { run }] of held.entries()) yield [runId, run];
    },
    hasRoom: (environment) => roomOf(environment) > 0,
    room: roomOf,
    weigh: (run) => {
      const known = held.get(runIdOf(run));
      if (known?.run !== run) return;
      const memory = memoryOf(run);
      shareOf(run).memory += memory - known.memory;
      known.memory = memory;
    },
    hasMemoryFor: (runId) => {
      const known = held.get(runId);
      if (known === undefined) return true;
      const of = shareOf(known.run);
      if (of.memory <= most) return true;
      let before = 0;
      for (const [, { run, memory }] of held.entries()) {
        if (shareOf(run) !== of) continue;
        if (run === known.run) break;
        before += memory;
      }
      if (before === 0 || before + known.memory <= most) return true;
      of.expected = Math.max(of.expected, known.memory);
      return false;
    },
    claimed: (environment) => {
      shares[environment].expected /= 2;
    },
  };
}

export function isActive(run: ActiveRun | Loading): run is ActiveRun {
  return "writer" in run;
}

export function scopeOf(run: ActiveRun | Loading): Scope {
  return isActive(run) ? run.writer.head.scope : run.loading;
}

/** Estimated memory in bytes: the journal, and external data that is in no row yet. */
function memoryOf(run: ActiveRun | Loading): number {
  if (!isActive(run)) return run.memory;
  return run.pendingRow.entries.reduce((sum, entry) => sum + memoryFromOutside(entry), run.journalMemory);
}

function memoryFromOutside(entry: Entry): number {
  if (entry.type === "started") return valueMemory(entry.input);
  return entry.type === "outcome" && entry.result.status === "ok" ? valueMemory(entry.result.output) : 0;
}
