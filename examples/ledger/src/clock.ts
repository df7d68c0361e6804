import { setTimeout as timeout } from "node:timers/promises";

/** The ledger's clock, for timestamps and the delays of behaviours. Tests inject a manual clock. */
export interface Clock {
  now(): Date;
  /** Resolves after `ms`, or earlier when `signal` aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<"elapsed" | "aborted">;
}

/** The system's time. */
export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (ms, signal) =>
    timeout(ms, "elapsed" as const, { signal }).catch((error: unknown) => {
      if (signal.aborted) return "aborted" as const;
      throw error;
    }),
};
