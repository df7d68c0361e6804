import type { RunStatus } from "@procedo/storage";
import { systemClock } from "../ports/system-clock.ts";
import { durationMs } from "./fake-reply.ts";
import type { MovedClock } from "./moved-clock.ts";
import { TestingError } from "./testing-error.ts";
import type { WorkUnderWay } from "./work-under-way.ts";

/** Advances a test's time. */
export interface MovedTime {
  /** Advances time by an ISO 8601 duration. */
  advance(duration: string): Promise<void>;
  /**
   * Waits until a run has ended or waits for a person. While it waits only for time (a retry, an unanswered call), time
   * is advanced at once, unless `time` is `stands`.
   *
   * @throws the failure of the test: see {@link WorkUnderWay}
   */
  untilRest(runId: string): Promise<void>;
}

export interface MovedTimePorts {
  readonly clock: MovedClock;
  readonly work: WorkUnderWay;
  readonly time: "skips" | "stands";
  readonly statusOf: (runId: string) => Promise<RunStatus>;
  /** Why the run will not be executed further; `undefined` unless it is quarantined. */
  readonly quarantineReason: (runId: string) => string | undefined;
}

/** Longer than any retry delay or time limit of a call. */
const longestWaitMs = 60 * 86_400_000;

export function createMovedTime({ clock, work, time, statusOf, quarantineReason }: MovedTimePorts): MovedTime {
  /** Waits until everything that can happen without advancing time has happened. */
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
          throw new TestingError("The run neither ended nor waited for a person within 60 days of simulated time.");
        }
        clock.moveTo(nextMs);
      }
    },
  };
}

/** Whether all work ends within this much real time. */
function idleWithin(work: WorkUnderWay, waitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const cancel = waitMs === Infinity ? () => {} : systemClock.after(waitMs, () => resolve(false));
    void work.idle().then(() => {
      cancel();
      resolve(true);
    });
  });
}
