import type { Clock } from "@procedo/engine";

/** A clock that stands still until a test moves it. Timers fire in the order of their times. */
export interface ManualClock extends Clock {
  /** Lets time pass: fires every timer on the way, each after what the one before it set off has run. */
  advance(ms: number): Promise<void>;
  /** Lets everything run that is ready without time passing. */
  settle(): Promise<void>;
  /** Lets time pass without a timer firing, as for a process that is suspended; they are all late afterwards. */
  leap(ms: number): void;
  /** Sets the wall clock to another time; timers and `monotonic` do not notice. */
  jump(ms: number): void;
}

interface Timer {
  readonly at: number;
  readonly callback: () => void;
}

export function manualClock(startMs = Date.UTC(2026, 0, 2, 12)): ManualClock {
  let monotonicMs = 0;
  let wallOffset = startMs;
  let soonPending = 0;
  const timers = new Set<Timer>();

  const settle = async (): Promise<void> => {
    do await new Promise<void>((resolve) => setImmediate(resolve));
    while (soonPending > 0);
  };

  const nextTimer = (untilMs: number): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers) if (timer.at <= untilMs && (first === undefined || timer.at < first.at)) first = timer;
    return first;
  };

  return {
    now: () => wallOffset + monotonicMs,
    monotonic: () => monotonicMs,
    after: (delayMs, callback) => {
      const timer = { at: monotonicMs + Math.max(0, delayMs), callback };
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
    leap: (ms) => {
      monotonicMs += ms;
    },
    jump: (ms) => {
      wallOffset += ms;
    },
    advance: async (ms) => {
      const untilMs = monotonicMs + ms;
      await settle();
      for (let timer = nextTimer(untilMs); timer !== undefined; timer = nextTimer(untilMs)) {
        timers.delete(timer);
        monotonicMs = Math.max(monotonicMs, timer.at);
        timer.callback();
        await settle();
      }
      monotonicMs = untilMs;
    },
  };
}
