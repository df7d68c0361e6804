import type { Clock } from "../ports/clock.ts";
import { systemClock } from "../ports/system-clock.ts";

/** A clock that stands still until it is moved. Timers fire in the order of their times. */
export interface MovedClock extends Clock {
  /** Lets everything run that is ready without time passing. */
  settle(): Promise<void>;
  /** When the next timer is due, by `monotonic`; `undefined`: there is none. */
  nextTimerAtMs(): number | undefined;
  /** Goes to that moment of `monotonic` and fires the first of the timers that are due; `false`: none was. */
  moveTo(monotonicMs: number): boolean;
  /** Says that something has happened. */
  stir(): void;
}

interface Timer {
  readonly atMs: number;
  readonly callback: () => void;
  /** So often in a row whoever set it has looked around and found nothing. */
  readonly vainLooks: number;
}

/** Whoever comes back sooner than that, again and again, is looking around. */
const lookMs = 10_000;
const enoughLooks = 3;
/** A month in which nothing happens is a few thousand looks instead of a million: so often somebody looks around then. */
const calmLookMs = 600_000;

/** @param startMs the wall clock at first, in milliseconds since the epoch */
export function movedClock(startMs: number): MovedClock {
  let nowMs = 0;
  let soonPending = 0;
  /** The timer of which everything comes that happens now. */
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
