import type { Clock } from "@procedo/engine";
import type { World } from "./world.ts";

/**
 * One simulated process. Everything that reaches it from outside (timers, answers, news) comes through `deliver`: a dead
 * machine gets nothing any more, one that stands still gets it when it goes on.
 */
export interface Machine {
  readonly name: string;
  readonly clock: Clock;
  readonly alive: boolean;
  readonly paused: boolean;
  /** Runs `callback` in this process, now or when it goes on; never when it is dead. */
  deliver(callback: () => void): void;
  /** Ends the process between two instructions: nothing of it ever runs again. */
  kill(): void;
  /** Stops the process for a while; its clocks go on. */
  pause(): void;
  resume(): void;
}

/** Wall clock of the simulated world when it begins. */
export const epochMs = Date.UTC(2026, 10, 20);

/** @param wallOffsetMs how far this machine's wall clock is off at the moment; its monotonic clock never is */
export function createMachine(world: World, name: string, wallOffsetMs: () => number): Machine {
  const held: (() => void)[] = [];
  let alive = true;
  let paused = false;

  const deliver = (callback: () => void): void => {
    if (!alive) return;
    if (paused) held.push(callback);
    else callback();
  };

  return {
    name,
    get alive() {
      return alive;
    },
    get paused() {
      return paused;
    },
    deliver,
    clock: {
      now: () => epochMs + Math.floor(world.nowMs() + wallOffsetMs()),
      monotonic: () => world.nowMs(),
      after: (delayMs, callback) => {
        let cancelled = false;
        const cancel = world.after(delayMs, () => deliver(() => void (cancelled || callback())));
        return () => {
          cancelled = true;
          cancel();
        };
      },
      soon: (callback) => void world.after(0, () => deliver(callback)),
    },
    kill: () => {
      alive = false;
      held.length = 0;
    },
    pause: () => {
      paused = true;
    },
    resume: () => {
      paused = false;
      // One instant, but one after the other: what the first brings about settles before the second comes.
      for (const callback of held.splice(0)) world.after(0, () => deliver(callback));
    },
  };
}
