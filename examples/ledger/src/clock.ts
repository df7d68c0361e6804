import { setTimeout as timeout } from "node:timers/promises";

/** The ledger's time: stamps and the delays of behaviours. Tests inject one that they move by hand. */
export interface Clock {
  now(): Date;
  /** Resolves when `ms` have passed or, if that is earlier, when `signal` aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<"elapsed" | "aborted">;
}

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => new Date(),
  sleep: (ms, signal) =>
    timeout(ms, "elapsed" as const, { signal }).catch((error: unknown) => {
      if (signal.aborted) return "aborted" as const;
      throw error;
    }),
};
