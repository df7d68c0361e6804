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
