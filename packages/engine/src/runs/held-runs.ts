import type { Environment } from "@procedo/contract";
import type { Entry } from "@procedo/procedure";
import type { Scope } from "@procedo/storage";
import { valueMemory } from "../journal/parsed-bytes.ts";
import { runIdOf, type ActiveRun } from "./active-run.ts";
import { createTransientMap } from "./transient-map.ts";

/** A run that storage has handed over and whose past is being read. */
export interface Loading {
  readonly loading: Scope;
  /** Estimated bytes of memory that its journal takes. */
  readonly memory: number;
}

/**
 * The runs in a worker's hands, and who may add to them. One environment never takes all of the room: a part of it is kept
 * for the other, so that a flood of one leaves the other's runs to be executed at once. The memory that the runs of an
 * environment take is bounded as well; one run alone always has room.
 */
export interface HeldRuns {
  readonly size: number;
  get(runId: string): ActiveRun | Loading | undefined;
  has(runId: string): boolean;
  set(runId: string, run: ActiveRun | Loading): void;
  delete(runId: string): void;
  entries(): Iterable<readonly [string, ActiveRun | Loading]>;
  /** Whether one more of this environment may be held. */
  hasRoom(environment: Environment): boolean;
  /** How many more of this environment may be held. */
  room(environment: Environment): number;
  /** Counts again what a held run takes of memory. */
  weigh(run: ActiveRun): void;
  /** Whether a held run fits into memory beside those of its environment that were held before it. */
  hasMemoryFor(runId: string): boolean;
  /** A claim of this environment was answered; what it brought is held next. */
  claimed(environment: Environment): void;
}

/** The part of the room that is kept for the other environment: an eighth. Fewer than eight places are shared as they come. */
const keptForOther = 8;

/**
 * Estimated bytes of memory for the runs of one environment. Both together leave half of a heap of 1 GiB to the answers of
 * calls under way, to the rows that are being stored, and to everything else.
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
   * What a run that is claimed next may take of memory: as much as the largest one that was claimed last or had to be handed
   * back. Each claim halves it, so that small runs are soon claimed together again.
   */
  expected: number;
}

/**
 * @param capacity runs held at once
 * @param most - estimated bytes of memory of an environment's runs
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
    // A run that is alone has room, however large it is.
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
      const asked = held.get(runId);
      if (asked === undefined) return true;
      const of = shareOf(asked.run);
      if (of.memory <= most) return true;
      let before = 0;
      for (const [, { run, memory }] of held.entries()) {
        if (shareOf(run) !== of) continue;
        if (run === asked.run) break;
        before += memory;
      }
      if (before === 0 || before + asked.memory <= most) return true;
      of.expected = Math.max(of.expected, asked.memory);
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

/** Estimated bytes of memory: of the journal, and of what came from outside and is in no row yet. */
function memoryOf(run: ActiveRun | Loading): number {
  if (!isActive(run)) return run.memory;
  return run.pendingRow.entries.reduce((sum, entry) => sum + memoryFromOutside(entry), run.journalMemory);
}

function memoryFromOutside(entry: Entry): number {
  if (entry.type === "started") return valueMemory(entry.input);
  return entry.type === "outcome" && entry.result.status === "ok" ? valueMemory(entry.result.output) : 0;
}
