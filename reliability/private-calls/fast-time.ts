import type { Clock } from "@procedo/engine";
import type { Runtime } from "../../packages/private-connection/src/runtime.ts";

/** The factor by which time is faster for service and clients: a lease of a minute ends after three seconds. */
export const factor = 20;

/** A clock that continues through kills of processes, because all count from the same moment. */
export function fastNow(sinceMs: number): number {
  return sinceMs + (Date.now() - sinceMs) * factor;
}

export function fastClock(sinceMs: number): Clock {
  return {
    now: () => fastNow(sinceMs),
    monotonic: () => performance.now() * factor,
    after: (delayMs, callback) => {
      if (delayMs === Infinity) return () => {};
      const timer = setTimeout(callback, Math.min(delayMs / factor, 2 ** 31 - 1));
      return () => clearTimeout(timer);
    },
    soon: (callback) => void setImmediate(callback),
  };
}

export function fastRuntime(sinceMs: number): Runtime {
  return { ...fastClock(sinceMs), uniform: () => Math.random(), newId: () => crypto.randomUUID() };
}
