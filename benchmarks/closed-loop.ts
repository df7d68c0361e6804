import { performance } from "node:perf_hooks";
import { setImmediate as immediate, setTimeout as pause } from "node:timers/promises";

/** How hard and how long a loop runs. */
export interface Load {
  /** How many operations are always under way. */
  readonly concurrency: number;
  /** Time before the measured window, for the compiler and the page cache; its operations count in no figure but `total`. */
  readonly warmupMs: number;
  /** Length of the measured window. */
  readonly measureMs: number;
}

/** What a closed loop saw. */
export interface LoopResult {
  /**
   * Operations of the window. Those that its edges cut count by the share of their time that lies inside: a system that ends a hundred at
   * once and then none for a while is otherwise measured by where the edges happen to fall.
   */
  readonly ended: number;
  /** Length of the window, in seconds. */
  readonly seconds: number;
  /** What each operation that ended inside the window reported of itself, usually its latency in milliseconds. */
  readonly latenciesMs: readonly number[];
  /** All operations, those of the warm-up and those still under way at the end included. */
  readonly total: number;
}

/**
 * Keeps `concurrency` operations under way until the window is over, then lets the last ones end. They come up one by one over the first
 * half of the warm-up, as a load does: V8 judges from the first hundred objects of each kind whether they live long, and where a hundred
 * operations are begun at once all of them do. What dies young is then taken for old as long as the process lives. Until the last has begun,
 * all leave the event loop a turn between two operations, and go on together: one that is made of promises alone lets no timer fire, so that
 * it would stay alone.
 *
 * `operation(n)` is given the operation's number and answers the latency to keep, in milliseconds.
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

/** Which share of the time from `begin` to `end` lies in the window, 0 to 1; an operation that took no time lies where it ended. */
export function shareWithin(begin: number, end: number, opensAt: number, closesAt: number): number {
  if (begin >= opensAt && end <= closesAt) return 1;
  if (end <= opensAt || begin >= closesAt) return 0;
  return (Math.min(end, closesAt) - Math.max(begin, opensAt)) / (end - begin);
}

/** The value below which the share `q` (0 to 1) of the values lies; `NaN` without values. */
export function quantile(values: readonly number[], q: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? NaN;
}

/** The middle value; of an even number of values the lower of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? NaN;
}
