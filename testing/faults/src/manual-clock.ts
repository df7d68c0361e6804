/** A clock that stands still until a test moves it. Timers fire in the order of their times. */
export interface ManualClock {
  /** Wall clock, in milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since the clock was made; not affected by {@link jump}. */
  monotonic(): number;
  /** Calls back once after `delayMs`, when the clock is advanced that far. The returned function cancels the timer. */
  after(delayMs: number, callback: () => void): () => void;
  /** Calls back in the next turn of the event loop. */
  soon(callback: () => void): void;
  /** Runs everything that is ready without advancing time. */
  settle(): Promise<void>;
  /** Advances time. Fires each timer that becomes due, and settles after each. */
  advance(ms: number): Promise<void>;
  /** Advances time without firing timers, as for a suspended process. All due timers fire late, at the next `advance`. */
  leap(ms: number): void;
  /** Moves the wall clock by `ms`, which may be negative. Timers and `monotonic` are not affected. */
  jump(ms: number): void;
  /** Milliseconds until the next timer is due; `Infinity` without a timer. */
  nextTimerInMs(): number;
  /** Number of timers that have neither fired nor been cancelled. */
  timerCount(): number;
}

export interface ManualClockOptions {
  /** The initial wall clock, in milliseconds since the epoch. @defaultValue noon of 2 January 2026, UTC */
  readonly startMs?: number;
  /** Turns of the event loop that `settle` takes at least; more where real sockets are involved. @defaultValue 1 */
  readonly settleTurns?: number;
}

interface Timer {
  readonly atMs: number;
  readonly callback: () => void;
}

export function manualClock(options: ManualClockOptions = {}): ManualClock {
  const { startMs = Date.UTC(2026, 0, 2, 12), settleTurns = 1 } = options;
  let monotonicMs = 0;
  let wallOffsetMs = startMs;
  let soonPending = 0;
  const timers = new Set<Timer>();

  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < settleTurns || soonPending > 0; turn++) {
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
  };

  const nextTimer = (): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers) if (first === undefined || timer.atMs < first.atMs) first = timer;
    return first;
  };

  return {
    now: () => wallOffsetMs + monotonicMs,
    monotonic: () => monotonicMs,
    after: (delayMs, callback) => {
      const timer = { atMs: monotonicMs + Math.max(0, delayMs), callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    soon: (callback) => {
      soonPending += 1;
      setImmediate(() => {
        soonPending -= 1;
        callback();
      });
    },
    settle,
    advance: async (ms) => {
      const untilMs = monotonicMs + ms;
      await settle();
      for (let timer = nextTimer(); timer !== undefined && timer.atMs <= untilMs; timer = nextTimer()) {
        timers.delete(timer);
        monotonicMs = Math.max(monotonicMs, timer.atMs);
        timer.callback();
        await settle();
      }
      monotonicMs = untilMs;
    },
    leap: (ms) => {
      monotonicMs += ms;
    },
    jump: (ms) => {
      wallOffsetMs += ms;
    },
    nextTimerInMs: () => Math.max(0, (nextTimer()?.atMs ?? Infinity) - monotonicMs),
    timerCount: () => timers.size,
  };
}
