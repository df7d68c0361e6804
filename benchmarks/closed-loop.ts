import { performance } from "node:perf_hooks";

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
  /** Operations that ended inside the window. */
  readonly ended: number;
  /** Real length of the window, in seconds. */
  readonly seconds: number;
  /** What each of them reported of itself, usually its latency in milliseconds. */
  readonly latenciesMs: readonly number[];
  /** All operations, those of the warm-up and those still under way at the end included. */
  readonly total: number;
}

/**
 * Keeps `concurrency` operations under way until the window is over, then lets the last ones end.
 * `operation(n)` is given the operation's number and answers the latency to keep, in milliseconds.
 */
export async function closedLoop(load: Load, operation: (n: number) => Promise<number>): Promise<LoopResult> {
  const opensAt = performance.now() + load.warmupMs;
  const closesAt = opensAt + load.measureMs;
  const latenciesMs: number[] = [];
  let total = 0;
  let firstEnd = 0;
  let lastEnd = 0;
  const worker = async (): Promise<void> => {
    while (performance.now() < closesAt) {
      const latency = await operation(total++);
      const now = performance.now();
      if (now < opensAt || now > closesAt) continue;
      if (firstEnd === 0) firstEnd = now;
      lastEnd = now;
      latenciesMs.push(latency);
    }
  };
  await Promise.all(Array.from({ length: load.concurrency }, worker));
  // From the first end to the last: the window's edges hold no part of an operation that is not counted.
  const ended = Math.max(0, latenciesMs.length - 1);
  return { ended, seconds: (lastEnd - firstEnd) / 1000, latenciesMs, total };
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
