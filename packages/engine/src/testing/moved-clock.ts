import type { Clock } from "../ports/clock.ts";
import { systemClock } from "../ports/system-clock.ts";

/** A clock that stands still until it is advanced. Timers fire in the order of their times. */
export interface MovedClock extends Clock {
  /** Runs everything that is ready without advancing time. */
  settle(): Promise<void>;
  /** When the next timer is due, by `monotonic`; `undefined` without a timer. */
  nextTimerAtMs(): number | undefined;
  /**
   * Advances to a time of `monotonic`, at most to the first due timer, and fires that timer; `false` when none was due.
   */
  moveTo(monotonicMs: number): boolean;
  /** Reports that something happened. */
  stir(): void;
}

interface Timer {
  readonly atMs: number;
  readonly callback: () => void;
  /** Number of consecutive firings of a polling loop, up to this timer, in which nothing happened. */
  readonly vainLooks: number;
}

/** A timer shorter than this, set again and again, is a polling loop. */
const lookMs = 10_000;
const enoughLooks = 3;
/**
 * The interval of a polling loop after `enoughLooks` firings without a change: an idle month then takes a few thousand
 * firings instead of a million.
 */
const calmLookMs = 600_000;

/** @param startMs the initial wall clock, in milliseconds since the epoch */
export function movedClock(startMs: number): MovedClock {
  let nowMs = 0;
  let soonPending = 0;
  /** The timer that causes everything that happens now. */
  let fired: Timer | undefined;
  let stirred = false;
  const timers = new Set<Timer>();

  const nextTimer = (): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers) if (first === undefined || timer.atMs < first.atMs) first = timer;
    return first;
  };

  return {
    now: () => startMs + nowMs,
    monotonic: () => nowMs,
    after: (delayMs, callback) => {
      const inVain = fired !== undefined && !stirred && delayMs < lookMs;
      const vainLooks = inVain ? (fired?.vainLooks ?? 0) + 1 : 0;
      const isCalm = vainLooks > enoughLooks;
      const atMs = isCalm ? (Math.floor(nowMs / calmLookMs) + 1) * calmLookMs : nowMs + Math.max(0, delayMs);
      const timer = { atMs, callback, vainLooks };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    soon: (callback) => {
      soonPending += 1;
      systemClock.soon(() => {
        soonPending -= 1;
        callback();
      });
    },
    settle: async () => {
      do await new Promise<void>((resolve) => systemClock.soon(resolve));
      while (soonPending > 0);
      fired = undefined;
    },
    nextTimerAtMs: () => {
      const atMs = nextTimer()?.atMs;
      return atMs === Infinity ? undefined : atMs;
    },
    moveTo: (monotonicMs) => {
      const timer = nextTimer();
      if (timer === undefined || timer.atMs > monotonicMs) {
        nowMs = Math.max(nowMs, monotonicMs);
        return false;
      }
      timers.delete(timer);
      nowMs = Math.max(nowMs, timer.atMs);
      fired = timer;
      stirred = false;
      timer.callback();
      return true;
    },
    stir: () => {
      stirred = true;
    },
  };
}
