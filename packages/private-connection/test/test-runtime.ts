import { setImmediate as queueImmediate } from "node:timers";
import { setImmediate } from "node:timers/promises";
import { manualClock, type ManualClock } from "@procedo-testing/faults";
import type { Runtime } from "../src/runtime.ts";

/** A runtime with a clock that a test controls. Nothing in it waits. */
export interface TestRuntime extends Runtime, ManualClock {
  /** The next results of `uniform`. */
  luck: number;
}

/** Both ends of a request are in this process, and its sockets need some turns of the event loop. */
const settleTurns = 20;

export function createTestRuntime(): TestRuntime {
  let ids = 0;
  const clock = manualClock({ startMs: 1_000_000, settleTurns });
  const runtime: TestRuntime = {
    ...clock,
    luck: 0.5,
    uniform: () => runtime.luck,
    newId: () => `id_${++ids}`,
  };
  return runtime;
}

/** Runs everything that is ready. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < settleTurns; turn++) await setImmediate();
}

/** Accelerated real time, for tests of any order of events. */
export function createFastRuntime(factor: number): Runtime {
  let ids = 0;
  return {
    now: () => Date.now(),
    monotonic: () => performance.now() * factor,
    soon: (callback) => void queueImmediate(callback),
    uniform: () => Math.random(),
    newId: () => `id_${++ids}`,
    after: (delayMs, callback) => {
      const timer = setTimeout(callback, delayMs / factor);
      return () => clearTimeout(timer);
    },
  };
}
