import type { RunStatus } from "@procedo/storage";
import { systemClock } from "../ports/system-clock.ts";
import { durationMs } from "./fake-reply.ts";
import type { MovedClock } from "./moved-clock.ts";
import { TestingError } from "./testing-error.ts";
import type { WorkUnderWay } from "./work-under-way.ts";

/** How a test's time passes. */
export interface MovedTime {
  /** Lets so much time pass: an ISO 8601 duration. */
  advance(duration: string): Promise<void>;
  /**
   * Lets a run go on until it has ended or waits for a person. Where it waits for nothing but time (a retry, a call that is
   * not answered), time passes at once, unless it `stands`.
   *
   * @throws whatever fails the test: see {@link WorkUnderWay}
   */
  untilRest(runId: string): Promise<void>;
}

export interface MovedTimePorts {
  readonly clock: MovedClock;
  readonly work: WorkUnderWay;
  readonly time: "skips" | "stands";
  readonly statusOf: (runId: string) => Promise<RunStatus>;
  /** Why the run will not be executed any further; `undefined` as long as it is. */
  readonly quarantineReason: (runId: string) => string | undefined;
}

/** No retry and no time limit of a call waits for longer. */
const longestWaitMs = 60 * 86_400_000;

export function createMovedTime({ clock, work, time, statusOf, quarantineReason }: MovedTimePorts): MovedTime {
  /** Whatever can happen without time passing has happened. */
  const settle = async (): Promise<void> => {
    for (await clock.settle(); !work.isIdle; await clock.settle()) {
      const nextMs = clock.nextTimerAtMs();
      const waitMs = nextMs === undefined || !work.isReal ? Infinity : nextMs - clock.monotonic();
      if (nextMs !== undefined && !(await idleWithin(work, waitMs))) clock.moveTo(nextMs);
    }
  };

  return {
    advance: async (duration) => {
      const untilMs = clock.monotonic() + durationMs(duration);
      do await settle();
      while (clock.moveTo(untilMs));
      await settle();
    },
    untilRest: async (runId) => {
      const latestMs = clock.monotonic() + longestWaitMs;
      for (;;) {
        await settle();
        work.check();
        const broken = quarantineReason(runId);
        if (broken !== undefined) throw new TestingError(`The run cannot be executed any further. ${broken}`);
        if ((await statusOf(runId)) !== "running" || time === "stands") return;
        const nextMs = clock.nextTimerAtMs();
        if (nextMs === undefined || nextMs > latestMs) {
          throw new TestingError("The run neither ends nor asks anybody within 60 days of its time.");
        }
        clock.moveTo(nextMs);
      }
    },
  };
}

/** Whether there is no work any more before so much real time has passed. */
function idleWithin(work: WorkUnderWay, waitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = waitMs === Infinity ? () => {} : systemClock.after(waitMs, () => resolve(false));
    void work.idle().then(() => {
      cancel();
      resolve(true);
    });
  });
}
