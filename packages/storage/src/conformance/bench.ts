import { afterEach, beforeEach } from "vitest";
import type { Change, Storage } from "../storage.ts";

/** How the suite makes the storages that it tests. */
export interface ConformanceOptions {
  /** A fresh, empty storage that asks this clock. The suite closes it. */
  readonly create: (now: () => number) => Promise<Storage>;

  /**
   * Abandons the storage as a crash would and opens the same data again. Left out: the adapter keeps nothing beyond its
   * process, and the tests of durability are left out too.
   */
  readonly reopen?: (storage: Storage, now: () => number) => Promise<Storage>;
}

/** One test's storage and its clock. */
export interface Bench {
  readonly storage: Storage;
  readonly clock: TestClock;
  /** What the storage's listeners were told, from the beginning. */
  readonly changes: readonly Change[];
  /** Crashes the storage; `storage` is the reopened one afterwards. */
  reopen(): Promise<void>;
}

export interface TestClock {
  readonly now: () => number;
  /** @param byMs may be negative, as clocks are */
  advance(byMs: number): void;
}

export const startMs = 1_790_000_000_000;

export function createTestClock(): TestClock {
  let nowMs = startMs;
  return {
    now: () => nowMs,
    advance(byMs) {
      nowMs += byMs;
    },
  };
}

export async function openBench({ create, reopen }: ConformanceOptions): Promise<Bench> {
  const clock = createTestClock();
  const changes: Change[] = [];
  let storage = await create(clock.now);
  storage.watch((change) => changes.push(change));
  return {
    get storage() {
      return storage;
    },
    clock,
    changes,
    async reopen() {
      if (reopen === undefined) throw new Error("This adapter cannot be reopened.");
      storage = await reopen(storage, clock.now);
    },
  };
}

/** A bench for each test of the surrounding `describe`. */
export function useBench(options: ConformanceOptions): () => Bench {
  let bench: Bench | undefined;
  beforeEach(async () => {
    bench = await openBench(options);
  });
  afterEach(async () => {
    await bench?.storage.close();
    bench = undefined;
  });
  return () => {
    if (bench === undefined) throw new Error("The bench exists only within a test.");
    return bench;
  };
}
