/*
 * The ports of the engine to its process, injected: time, randomness, ids, logs and observers.
 *
 *   clock.ts           time; system-clock.ts: the system's. milliseconds.ts: a duration as text
 *   random.ts          randomness; system-random.ts: the system's. ids.ts: ids made of both
 *   log.ts             the log; sparse-warnings.ts: a bounded number of warnings; observe.ts: the observer
 *   notice.ts          a one-time signal
 *   storage-writes.ts  whether storage accepts writes
 */
/** The current time, and the only way to wait. */
export interface Clock {
  /** Wall clock, in milliseconds since the epoch. May jump. */
  now(): number;
  /** Milliseconds from an arbitrary start; never goes back. Leases and timeouts are measured with it. */
  monotonic(): number;
  /**
   * Calls back once after `delayMs`, which may be of any length; after `Infinity`, never. The returned function cancels
   * it.
   */
  after(delayMs: number, callback: () => void): () => void;
  /** Calls back when everything that is ready to run has run. Groups the commits of one turn of the event loop. */
  soon(callback: () => void): void;
}

/**
 * Calls back after `delayMs`, once all data that arrived by then has been read. A process that was paused, by its
 * system or by its own work, runs due timers before it reads its sockets: a response in a socket may have arrived in
 * time. All sockets have been read by the event-loop turn after the one in which the timer is due.
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

/** Waits for `delayMs`, or until the signal is aborted. Never rejects. */
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
