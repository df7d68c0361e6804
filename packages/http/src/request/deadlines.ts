import type { Clock } from "@procedo/engine";

/** Many deadlines on one timer. Each request sets two deadlines, of which few are ever reached. */
export interface Deadlines {
  /** Calls back once after `delayMs`; the returned function cancels it. */
  set(delayMs: number, callback: () => void): () => void;
}

interface Deadline {
  readonly atMs: number;
  readonly callback: () => void;
}

export function createDeadlines(clock: Pick<Clock, "after" | "monotonic">): Deadlines {
  const all = new Set<Deadline>();
  /** The time at which the timer fires. */
  let timerAtMs = Infinity;
  let cancelTimer = (): void => {};

  const arm = (atMs: number): void => {
    cancelTimer();
    timerAtMs = atMs;
    cancelTimer = clock.after(Math.max(0, atMs - clock.monotonic()), goOff);
  };
  const disarm = (): void => {
    cancelTimer();
    timerAtMs = Infinity;
  };
  const goOff = (): void => {
    const nowMs = clock.monotonic();
    try {
      for (const deadline of all) {
        if (deadline.atMs > nowMs) continue;
        all.delete(deadline);
        deadline.callback();
      }
    } finally {
      if (all.size === 0) disarm();
      else arm([...all].reduce((earliestMs, { atMs }) => Math.min(earliestMs, atMs), Infinity));
    }
  };

  return {
    set: (delayMs, callback) => {
      const deadline = { atMs: clock.monotonic() + delayMs, callback };
      all.add(deadline);
      if (deadline.atMs < timerAtMs) arm(deadline.atMs);
      return () => {
        // An unused timer would keep the process alive.
        if (all.delete(deadline) && all.size === 0) disarm();
      };
    },
  };
}
