/** Clock, timers and randomness of the client; tests bring their own. */
export interface Runtime {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after so many milliseconds; rejects with the signal's reason as soon as it is aborted. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** A fresh UUID v4. */
  readonly newId: () => string;
  /** How long to wait before repeating a request for the n-th time, counted from 1, in milliseconds. */
  readonly retryDelayMs: (attempt: number) => number;
}

const maxRetryDelayMs = 8_000;

export const systemRuntime: Runtime = {
  now: () => Date.now(),
  sleep,
  newId: () => crypto.randomUUID(),
  // Half of it is random, so that the clients of a service that was away do not come back all at once.
  retryDelayMs: (attempt) => Math.min(300 * 2 ** (attempt - 1), maxRetryDelayMs) * (0.5 + Math.random() / 2),
};

function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      clearTimeout(timer);
      reject(reasonOf(signal));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, ms);
    if (signal?.aborted === true) abort();
    else signal?.addEventListener("abort", abort, { once: true });
  });
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason;
  return reason instanceof Error ? reason : new Error("The wait was aborted.", { cause: reason });
}
