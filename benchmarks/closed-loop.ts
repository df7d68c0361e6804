import { performance } from "node:perf_hooks";
import { setImmediate as immediate, setTimeout as pause } from "node:timers/promises";

/** The concurrency and duration of a loop. */
export interface Load {
  /** Number of operations that are always in progress. */
  readonly concurrency: number;
  /** Time before the measured window, for the compiler and the page cache; its operations count only in `total`. */
  readonly warmupMs: number;
  /** Length of the measured window. */
  readonly measureMs: number;
}

/** The results of a closed loop. */
export interface LoopResult {
  /**
   * Operations of the window. Those that cross its edges count by the share of their time inside. Otherwise, the
   * positions of the edges would determine the result of a system that ends a hundred operations at once and then none
   * for a while.
   */
  readonly ended: number;
  /** Length of the window, in seconds. */
  readonly seconds: number;
  /** The value of each operation that ended inside the window, usually its latency in milliseconds. */
  readonly latenciesMs: readonly number[];
  /** All operations, including those of the warm-up and those that are in progress at the end. */
  readonly total: number;
}

/**
 * Keeps `concurrency` operations in progress until the window is over, then lets the last ones end. They are started
 * one by one over the first half of the warm-up, as real load is: V8 estimates the lifetime of objects from the first
 * hundred of each kind, and a hundred operations that start at once all live long, so that V8 would treat short-lived
 * objects as long-lived for the rest of the process. Until the last operation has started, all operations wait for a
 * turn of the event loop between two operations: an operation of promises alone lets no timer fire, so that it would
 * stay alone.
 *
 * `operation(n)` receives the operation's number and returns the latency to record, in milliseconds.
 */
export async function closedLoop(load: Load, operation: (n: number) => Promise<number>): Promise<LoopResult> {
  const opensAt = performance.now() + load.warmupMs;
  const closesAt = opensAt + load.measureMs;
  const latenciesMs: number[] = [];
  let total = 0;
  let ended = 0;
  let begun = 0;
  let isWhole = false;
  let turn: Promise<void> | undefined;
  const nextTurn = async (): Promise<void> => {
    await immediate();
    turn = undefined;
    isWhole = begun === load.concurrency;
  };
  const worker = async (index: number): Promise<void> => {
    if (index > 0 && load.warmupMs > 0) await pause((load.warmupMs / 2) * (index / load.concurrency));
    begun += 1;
    let begin = performance.now();
    while (begin < closesAt) {
      const latency = await operation(total++);
      const end = performance.now();
      ended += shareWithin(begin, end, opensAt, closesAt);
      if (end >= opensAt && end <= closesAt) latenciesMs.push(latency);
      if (!isWhole) await (turn ??= nextTurn());
      begin = end;
    }
  };
  await Promise.all(Array.from({ length: load.concurrency }, (_, index) => worker(index)));
  return { ended, seconds: load.measureMs / 1000, latenciesMs, total };
}

/**
 * The share of the time from `begin` to `end` that is inside the window, 0 to 1; an operation without duration counts
 * at its end.
 */
export function shareWithin(begin: number, end: number, opensAt: number, closesAt: number): number {
  if (begin >= opensAt && end <= closesAt) return 1;
  if (end <= opensAt || begin >= closesAt) return 0;
  return (Math.min(end, closesAt) - Math.max(begin, opensAt)) / (end - begin);
}

/** The value below which the share `q` (0 to 1) of the values is; `NaN` without values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? NaN;
}

/** The median; of an even number of values the lower of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? NaN;
}
