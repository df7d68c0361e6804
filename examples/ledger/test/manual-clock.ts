import { manualClock } from "@procedo-testing/faults";
import type { Clock } from "../src/index.ts";

/** The ledger's clock, which stands still until it is advanced. */
export interface ManualClock extends Clock {
  /** Resolves when `count` requests are sleeping. */
  asleep(count: number): Promise<void>;
  advance(ms: number): Promise<void>;
}

/** Creates a clock at the start of 2026. */
export function createManualClock(): ManualClock {
  const clock = manualClock({ startMs: Date.parse("2026-01-01T00:00:00Z") });
  return {
    now: () => new Date(clock.now()),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal.aborted) return resolve("aborted");
        const cancel = clock.after(ms, () => resolve("elapsed"));
        signal.addEventListener(
          "abort",
          () => {
            cancel();
            resolve("aborted");
          },
          { once: true },
        );
      }),
    asleep: async (count) => {
      while (clock.timerCount() !== count) await clock.settle();
    },
    advance: clock.advance,
  };
}
