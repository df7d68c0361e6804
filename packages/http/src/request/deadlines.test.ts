import { expect, test } from "vitest";
import { manualClock } from "@procedo-testing/faults";
import { createDeadlines } from "./deadlines.ts";

function watched() {
  const clock = manualClock();
  const timers = new Set<() => void>();
  const deadlines = createDeadlines({
    monotonic: clock.monotonic,
    after: (delayMs, callback) => {
      const cancel = clock.after(delayMs, () => {
        timers.delete(cancel);
        callback();
      });
      timers.add(cancel);
      return () => {
        timers.delete(cancel);
        cancel();
      };
    },
  });
  const passed: string[] = [];
  const set = (name: string, delayMs: number) =>
    deadlines.set(delayMs, () => passed.push(`${name} ${clock.monotonic()}`));
  return { clock, set, passed, deadlines, timers };
}

test("calls each deadline back at its own time, regardless of the order in which they were set", async () => {
  const { clock, set, passed } = watched();
  set("late", 300);
  set("early", 100);
  await clock.advance(50);
  set("between", 150);
  await clock.advance(1_000);
  expect(passed).toEqual(["early 100", "between 200", "late 300"]);
});

test("never calls a cancelled deadline back, but still those that were set after it", async () => {
  const { clock, set, passed } = watched();
  const cancel = set("first", 100);
  set("second", 200);
  cancel();
  cancel();
  await clock.advance(1_000);
  expect(passed).toEqual(["second 200"]);
});

test("uses one timer for all deadlines, and none without deadlines", async () => {
  const { clock, set, passed, timers } = watched();
  const cancels = Array.from({ length: 100 }, (_, at) => set(String(at), 100 + at));
  expect(timers.size).toBe(1);
  for (const cancel of cancels) cancel();
  expect(timers.size).toBe(0);
  set("again", 10);
  await clock.advance(10);
  expect(passed).toHaveLength(1);
  expect(timers.size).toBe(0);
});

test("allows a callback to set another deadline", async () => {
  const { clock, deadlines, set, passed } = watched();
  deadlines.set(10, () => set("next", 20));
  await clock.advance(100);
  expect(passed).toEqual(["next 30"]);
});

test("does not call back a deadline that another one of the same moment cancelled", async () => {
  const { clock, deadlines, set, passed } = watched();
  let cancel = (): void => {};
  deadlines.set(10, () => cancel());
  cancel = set("cancelled", 10);
  set("kept", 10);
  await clock.advance(100);
  expect(passed).toEqual(["kept 10"]);
});

test("sets the timer again when it fires slightly early", () => {
  let nowMs = 0;
  const timers: (() => void)[] = [];
  const passed: number[] = [];
  const deadlines = createDeadlines({
    monotonic: () => nowMs,
    after: (_delayMs, callback) => {
      timers.push(callback);
      return () => {};
    },
  });
  deadlines.set(10, () => passed.push(nowMs));
  nowMs = 9.5;
  timers[0]?.();
  expect(passed).toEqual([]);
  nowMs = 10;
  timers[1]?.();
  expect(passed).toEqual([10]);
});

test("calls the other deadlines back on time when one callback throws", () => {
  let nowMs = 0;
  const timers: (() => void)[] = [];
  const passed: number[] = [];
  const deadlines = createDeadlines({
    monotonic: () => nowMs,
    after: (_delayMs, callback) => {
      timers.push(callback);
      return () => {};
    },
  });
  deadlines.set(10, () => {
    throw new Error("It fails.");
  });
  deadlines.set(20, () => passed.push(nowMs));
  nowMs = 10;
  expect(timers[0]).toThrow("It fails.");
  nowMs = 20;
  timers[1]?.();
  expect(passed).toEqual([20]);
});
