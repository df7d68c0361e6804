import { setImmediate as queueImmediate } from "node:timers";
import { setImmediate } from "node:timers/promises";
import type { Runtime } from "../src/runtime.ts";

/** A runtime whose time a test moves. Nothing in it waits. */
export interface TestRuntime extends Runtime {
  /** Lets so much time pass: calls back whatever becomes due, in its order, and lets the network breathe in between. */
  advance(ms: number): Promise<void>;
  /** Time passes while this process is stopped, as by SIGSTOP: nothing is called back before it goes on. */
  pause(ms: number): void;
  /** How long until the next callback that is due, in milliseconds; `Infinity` when none is. */
  readonly nextIn: number;
  /** What `uniform` gives. */
  luck: number;
  /** By how much the wall clock is wrong, in milliseconds. */
  skewMs: number;
}

interface Timer {
  readonly atMs: number;
  readonly callback: () => void;
}

export function createTestRuntime(): TestRuntime {
  const timers = new Set<Timer>();
  let nowMs = 1_000_000;
  let ids = 0;
  const next = (): Timer | undefined =>
    [...timers].reduce<Timer | undefined>(
      (first, timer) => (first && first.atMs <= timer.atMs ? first : timer),
      undefined,
    );
  const runtime: TestRuntime = {
    luck: 0.5,
    skewMs: 0,
    now: () => nowMs + runtime.skewMs,
    monotonic: () => nowMs,
    soon: (callback) => void queueImmediate(callback),
    uniform: () => runtime.luck,
    newId: () => `id_${++ids}`,
    after: (delayMs, callback) => {
      const timer = { atMs: nowMs + delayMs, callback };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    pause: (ms) => {
      nowMs += ms;
    },
    get nextIn() {
      const timer = next();
      return timer === undefined ? Infinity : Math.max(0, timer.atMs - nowMs);
    },
    advance: async (ms) => {
      await settle();
      const untilMs = nowMs + ms;
      for (let due = next(); due !== undefined && due.atMs <= untilMs; due = next()) {
        nowMs = Math.max(nowMs, due.atMs);
        timers.delete(due);
        due.callback();
        await settle();
      }
      nowMs = untilMs;
      await settle();
    },
  };
  return runtime;
}

/** Turns of the event loop: both ends of a request are in this process, so what is ready to happen happens. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await setImmediate();
}

/** Real time that runs faster, for tests of what may happen in any order. */
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
