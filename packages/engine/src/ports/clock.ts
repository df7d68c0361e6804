/*
 * The outside of the engine, injected: what the rest of the engine has of time, randomness, ids, logs and observers.
 *
 *   clock.ts           time; system-clock.ts: the system's. milliseconds.ts: a duration as text
 *   random.ts          randomness; system-random.ts: the system's. ids.ts: ids made of both
 *   log.ts             the log; observe.ts: the observer
 *   notice.ts          a signal that can be given once
 *   storage-writes.ts  whether storage takes writes
 */
/** Time, and the only way to wait for it. */
export interface Clock {
  /** Wall clock, in milliseconds since the epoch. May jump. */
  now(): number;
  /** Milliseconds from an arbitrary start; never goes back. Leases and timeouts are measured with it. */
  monotonic(): number;
  /** Calls back once after `delayMs`, however long that is, after `Infinity` never; the returned function cancels it. */
  after(delayMs: number, callback: () => void): () => void;
  /** Calls back when what is ready to run now has run: how commits of one turn are gathered into a group. */
  soon(callback: () => void): void;
}

/**
 * Calls back after `delayMs`, once everything that had arrived by then has been read. A process that was paused, by its
 * system or by its own work, finds its timers due before it has read its sockets. An answer that lies in one of them came in
 * time all the same. The turn of the event loop after the one that finds the timer due has read them all.
 */
export function afterReading(clock: Pick<Clock, "after" | "soon">, delayMs: number, callback: () => void): () => void {
  let cancelled = false;
  const cancel = clock.after(delayMs, () =>
    clock.soon(() =>
      clock.soon(() => {
        if (!cancelled) callback();
      }),
    ),
  );
  return () => {
    cancelled = true;
    cancel();
  };
}

/** Waits, unless the signal ends it sooner; never rejects. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const finish = (): void => {
      cancel();
      signal?.removeEventListener("abort", finish);
      resolve();
    };
    const cancel = clock.after(delayMs, finish);
    signal?.addEventListener("abort", finish, { once: true });
  });
}
