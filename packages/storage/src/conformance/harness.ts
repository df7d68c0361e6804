import { afterEach, beforeEach } from "vitest";
import type { Change, Storage } from "../storage.ts";

/** How the suite creates the storages under test. */
export interface ConformanceOptions {
  /** A new, empty storage that uses this clock. The suite closes it. */
  readonly create: (now: () => number) => Promise<Storage>;

  /**
   * Abandons the storage as a crash would, and opens the same data again. Absent for an adapter that keeps its data in
   * the process; the tests of durability are then skipped.
   */
  readonly reopen?: (storage: Storage, now: () => number) => Promise<Storage>;
}

/** The storage of one test and its clock. */
export interface Harness {
  readonly storage: Storage;
  readonly clock: TestClock;
  /** All changes that the storage announced. */
  readonly changes: readonly Change[];
  /** Crashes the storage. `storage` is then the reopened one. */
  reopen(): Promise<void>;
}

export interface TestClock {
  readonly now: () => number;
  /** @param byMs may be negative: clocks can be set back */
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

export async function openHarness({ create, reopen }: ConformanceOptions): Promise<Harness> {
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

/** Creates a harness for each test of the surrounding `describe`. */
export function useHarness(options: ConformanceOptions): () => Harness {
  let harness: Harness | undefined;
  beforeEach(async () => {
    harness = await openHarness(options);
  });
  afterEach(async () => {
    await harness?.storage.close();
    harness = undefined;
  });
  return () => {
    if (harness === undefined) throw new Error("The harness exists only within a test.");
    return harness;
  };
}
