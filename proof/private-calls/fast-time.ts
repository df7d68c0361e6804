import process from "node:process";
import type { Clock } from "@procedo/engine";
import type { Runtime } from "../../packages/private-connection/src/runtime.ts";

/** Time that goes on through the deaths of processes: everybody counts from the same moment, by the machine's clock. */
export interface FastTime {
  readonly sinceMs: number;
  /** From then on time passes faster; `undefined`: as it does. */
  readonly fastFromMs: number | undefined;
}

/** What a process is told to have its time pass faster. */
export interface HurryMessage {
  readonly type: "hurry";
  readonly fastFromMs: number;
}

/** So much faster: a lease of a minute ends after three seconds. */
const factor = 20;

/** A clock that passes as the process is told. */
export function fastClock({ sinceMs, fastFromMs }: FastTime): Clock {
  const began = { machineMs: Date.now(), monotonicMs: performance.now() };
  let fromMs = fastFromMs;
  const machineMs = (): number => began.machineMs + performance.now() - began.monotonicMs;
  const stretched = (atMs: number): number => (fromMs === undefined ? 0 : Math.max(0, atMs - fromMs) * (factor - 1));
  const monotonic = (): number => {
    const atMs = machineMs();
    return atMs - sinceMs + stretched(atMs);
  };
  /** What looks whether its time has come. */
  const timers = new Map<() => void, NodeJS.Timeout>();
  const arm = (dueMs: number, callback: () => void): (() => void) => {
    const lookLater = (): void => {
      const leftMs = dueMs - monotonic();
      const inMs = fromMs === undefined ? leftMs : leftMs / factor;
      timers.set(look, setTimeout(look, Math.min(inMs, 2 ** 31 - 1)));
    };
    const disarm = (): void => {
      clearTimeout(timers.get(look));
      timers.delete(look);
    };
    const look = (): void => {
      disarm();
      if (monotonic() >= dueMs) callback();
      else lookLater();
    };
    lookLater();
    return disarm;
  };
  process.on("message", (message) => {
    const { type, fastFromMs: nowFromMs } = message as Partial<HurryMessage>;
    if (type !== "hurry") return;
    fromMs = nowFromMs;
    for (const look of [...timers.keys()]) look();
  });

  return {
    now: () => sinceMs + monotonic(),
    monotonic,
    after: (delayMs, callback) => (delayMs === Infinity ? () => {} : arm(monotonic() + delayMs, callback)),
    soon: (callback) => void setImmediate(callback),
  };
}

export function fastRuntime(time: FastTime): Runtime {
  return { ...fastClock(time), uniform: () => Math.random(), newId: () => crypto.randomUUID() };
}
