import type { Clock } from "@procedo/engine";
import type { World } from "./world.ts";

/**
 * One simulated process. Everything that reaches it from outside (timers, answers, changes) comes through `deliver`. A
 * dead machine receives nothing; a paused machine receives everything when it resumes.
 */
export interface Machine {
  readonly name: string;
  readonly clock: Clock;
  readonly alive: boolean;
  readonly paused: boolean;
  /** Runs `callback` in this process, now or after a pause; never in a dead process. */
  deliver(callback: () => void): void;
  /** Ends the process between two instructions. None of its code runs again. */
  kill(): void;
  /** Pauses the process; its clocks continue. */
  pause(): void;
  resume(): void;
}

/** The wall clock at the beginning of the simulated world. */
export const epochMs = Date.UTC(2026, 10, 20);

/** @param wallOffsetMs the current error of this machine's wall clock; its monotonic clock is always right */
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
      // All at one instant, but each after the consequences of the one before have settled.
      for (const callback of held.splice(0)) world.after(0, () => deliver(callback));
    },
  };
}
