/** Time and randomness for the client. Tests inject their own. */
export interface Runtime {
  /** Milliseconds since 1970; only for display. */
  now(): number;
  /** Milliseconds from an arbitrary start. Leases and timeouts use it, so that a wrong clock does not matter. */
  monotonic(): number;
  /** Calls back once after `delayMs`; the returned function cancels it. A pending callback keeps the process alive. */
  after(delayMs: number, callback: () => void): () => void;
  /** Calls back after all other work of this event-loop turn. */
  soon(callback: () => void): void;
  /** A random number from 0 up to, but not including, 1. */
  uniform(): number;
  /** A new random id. */
  newId(): string;
}

export const systemRuntime: Runtime = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after: (delayMs, callback) => {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
  soon: (callback) => void setImmediate(callback),
  uniform: () => Math.random(),
  newId: () => crypto.randomUUID(),
};

/** Waits for the delay, or until one of the signals is aborted. Never rejects. */
export function sleep(runtime: Runtime, delayMs: number, ...signals: readonly AbortSignal[]): Promise<void> {
  return new Promise((resolve) => {
    if (signals.some(({ aborted }) => aborted)) {
      resolve();
      return;
    }
    const finish = (): void => {
      cancel();
      for (const signal of signals) signal.removeEventListener("abort", finish);
      resolve();
    };
    const cancel = runtime.after(delayMs, finish);
    for (const signal of signals) signal.addEventListener("abort", finish, { once: true });
  });
}
