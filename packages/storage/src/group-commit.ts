import { ProcedoError } from "@procedo/contract";
import { createFairShare } from "./fair-share.ts";

/**
 * Group commit: collects the items of one turn of the event loop, and those that arrive while flushes are under way, and
 * hands them to one flush. One durable write then serves many callers.
 */
export interface GroupCommit<Item, Result> {
  /**
   * Resolves with the item's own result when its flush has ended. After a rejection, the outcome of the item is
   * unknown: its flush failed, or the item was never sent.
   *
   * @throws ProcedoError `storage_unavailable` after `close`; the error of the flush; the error of the time limit
   */
  add(item: Item): Promise<Result>;

  /** Refuses further items, and resolves when every accepted item has been answered. */
  close(): Promise<void>;
}

/** How a group commit flushes, and whose items take turns. */
export interface GroupCommitOptions<Item, Result extends object> {
  /** Makes the items durable together and answers each one in its place. */
  readonly flush: (items: readonly Item[]) => Promise<readonly Result[]>;
  /** The clock of turns and time limits. */
  readonly clock: GroupCommitClock;
  /**
   * The group to which an item belongs. A flood of items of one group does not delay those of another. `undefined` exempts an
   * item from the shares.
   *
   * @defaultValue every item is exempt
   */
  readonly fairBy?: (item: Item) => string | undefined;
  /**
   * The keys that an item locks. Items with a common key are flushed one after another, in order of arrival.
   *
   * @defaultValue no keys
   */
  readonly keysOf?: (item: Item) => readonly string[];
  /**
   * Items of different kinds are not flushed together.
   *
   * @defaultValue one kind
   */
  readonly kindOf?: (item: Item) => string;
  /**
   * The size of an item in characters, approximately. A flush holds at most 8 Mi characters, or one larger item.
   *
   * @defaultValue 0
   */
  readonly sizeOf?: (item: Item) => number;
  /**
   * How many flushes may be under way at the same time.
   *
   * @defaultValue 1
   */
  readonly concurrency?: number;
  /**
   * How long an item may take, including the flushes that it waits for. An item that has not been sent by then is dropped.
   *
   * @defaultValue no limit
   */
  readonly timeLimit?: GroupCommitTimeLimit;
}

/** A limit on the time that an item of a group commit may take. */
export interface GroupCommitTimeLimit {
  /** Longest time from the item's arrival to its answer, in milliseconds. */
  readonly ms: number;
  /** The error for an item that has taken longer. */
  readonly exceeded: () => Error;
}

/** The timer of a group commit. */
export interface GroupCommitClock {
  /** Milliseconds from an arbitrary start; never goes back. */
  monotonic(): number;
  /** Calls back when everything that is ready to run in this turn of the event loop has run. */
  soon(callback: () => void): void;
  /** Calls back once after `delayMs`; the returned function cancels that. */
  after(delayMs: number, callback: () => void): () => void;
}

interface Entry<Item, Result> {
  readonly item: Item;
  readonly group: string | undefined;
  readonly keys: readonly string[];
  readonly kind: string;
  readonly size: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

interface Batch<Item, Result> {
  readonly entries: readonly Entry<Item, Result>[];
  /** A set per batch: V8 moves every table of a set that has grown old to the old generation. */
  readonly keys: ReadonlySet<string>;
}

/**
 * A larger flush delays its first item for the sake of its last, and resumes all its callers in one turn of the event loop.
 * docs/performance/runs.md#constants
 */
const maxItems = 128;
const maxSize = 8 * 1024 * 1024;

/** Creates a group commit, for adapters. */
export function groupCommit<Item, Result extends object>(
  options: GroupCommitOptions<Item, Result>,
): GroupCommit<Item, Result> {
  const { flush, clock, fairBy, keysOf, kindOf, sizeOf, concurrency = 1, timeLimit } = options;
  const share = createFairShare(maxItems, () => clock.monotonic());
  let waiting: Entry<Item, Result>[] = [];
  let underWay: readonly Batch<Item, Result>[] = [];
  let scheduled = false;
  let closing: Promise<void> | undefined;
  let onIdle: (() => void) | undefined;

  /**
   * Removes the next batch from `waiting`: the oldest item whose keys are free, and further items that fit. The rest
   * stays in order.
   */
  function takeBatch(): Batch<Item, Result> {
    const entries: Entry<Item, Result>[] = [];
    const rest: Entry<Item, Result>[] = [];
    const keys = new Set<string>();
    const keysOfRest = new Set<string>();
    const locked = [keys, keysOfRest, ...underWay.map((batch) => batch.keys)];
    const counts = new Map<string, number>();
    const ofEach = share.itemsOfEach(new Set(waiting.flatMap(({ group }) => group ?? [])));
    let size = 0;

    const fits = (entry: Entry<Item, Result>): boolean => {
      if (entry.keys.some((key) => locked.some((each) => each.has(key)))) return false;
      const [first] = entries;
      if (first === undefined) return true;
      if (entries.length >= maxItems || size + entry.size > maxSize || entry.kind !== first.kind) return false;
      return entry.group === undefined || (counts.get(entry.group) ?? 0) < ofEach;
    };

    for (const entry of waiting) {
      const taken = fits(entry);
      (taken ? entries : rest).push(entry);
      for (const key of entry.keys) (taken ? keys : keysOfRest).add(key);
      if (!taken) continue;
      size += entry.size;
      if (entry.group !== undefined) counts.set(entry.group, (counts.get(entry.group) ?? 0) + 1);
    }
    waiting = rest;
    return { entries, keys };
  }

  async function run(batch: Batch<Item, Result>): Promise<void> {
    const { entries } = batch;
    underWay = [...underWay, batch];
    const sinceMs = clock.monotonic();
    try {
      const results = await flush(entries.map(({ item }) => item));
      share.flushed(clock.monotonic() - sinceMs);
      entries.forEach(({ resolve, reject }, index) => {
        const result = results[index];
        if (result === undefined) reject(new Error("The flush returned fewer results than it had items."));
        else resolve(result);
      });
    } catch (error) {
      for (const { reject } of entries) reject(error);
      // While storage is unavailable, the waiting items would only wait as long again for the same error.
      if (ProcedoError.isError(error) && error.retryable) {
        for (const { reject } of waiting.splice(0)) reject(error);
      }
    }
    underWay = underWay.filter((each) => each !== batch);
    schedule();
    noteIdle();
  }

  function flushWaiting(): void {
    scheduled = false;
    while (underWay.length < concurrency && waiting.length > 0) {
      const batch = takeBatch();
      // Every waiting item needs a key of a batch that is under way.
      if (batch.entries.length === 0) return;
      void run(batch);
    }
  }

  function schedule(): void {
    if (scheduled || waiting.length === 0 || underWay.length >= concurrency) return;
    scheduled = true;
    clock.soon(flushWaiting);
  }

  function noteIdle(): void {
    if (waiting.length === 0 && underWay.length === 0) onIdle?.();
  }

  /** Rejects the item after the time limit. If its batch is under way, that continues, and its keys stay locked. */
  function limited(entry: Entry<Item, Result>, { ms, exceeded }: GroupCommitTimeLimit): Entry<Item, Result> {
    const cancel = clock.after(ms, () => {
      waiting = waiting.filter((each) => each !== timed);
      entry.reject(exceeded());
      noteIdle();
    });
    const timed: Entry<Item, Result> = {
      ...entry,
      resolve: (result) => {
        cancel();
        entry.resolve(result);
      },
      reject: (error) => {
        cancel();
        entry.reject(error);
      },
    };
    return timed;
  }

  return {
    add(item) {
      if (closing !== undefined) {
        return Promise.reject(new ProcedoError("storage_unavailable", "The storage has been closed."));
      }
      return new Promise((resolve, reject) => {
        const entry = {
          item,
          group: fairBy?.(item),
          keys: keysOf?.(item) ?? [],
          kind: kindOf?.(item) ?? "",
          size: sizeOf?.(item) ?? 0,
          resolve,
          reject,
        };
        waiting.push(timeLimit === undefined ? entry : limited(entry, timeLimit));
        schedule();
      });
    },

    close() {
      closing ??= new Promise((resolve) => {
        onIdle = resolve;
        noteIdle();
      });
      return closing;
    },
  };
}
