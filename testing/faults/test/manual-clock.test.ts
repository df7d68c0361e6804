import { expect, test } from "vitest";
import { manualClock } from "../src/index.ts";

test("timers fire in the order of their times, each after the work that the one before it caused", async () => {
  const clock = manualClock();
  const fired: string[] = [];
  const note = (name: string) => () => void fired.push(`${name} at ${clock.monotonic()}`);
  clock.after(20, note("second"));
  clock.after(10, () => {
    note("first")();
    clock.soon(() => void clock.after(5, note("caused by first")));
  });
  await clock.advance(19);
  expect(fired).toEqual(["first at 10", "caused by first at 15"]);
  await clock.advance(1);
  expect(fired.at(-1)).toBe("second at 20");
});

test("a cancelled timer does not fire", async () => {
  const clock = manualClock();
  let fired = 0;
  const cancel = clock.after(10, () => (fired += 1));
  expect([clock.timerCount(), clock.nextTimerInMs()]).toEqual([1, 10]);
  cancel();
  await clock.advance(20);
  expect([fired, clock.timerCount(), clock.nextTimerInMs()]).toEqual([0, 0, Infinity]);
});

test("a leap fires no timer; the timers that became due fire late", async () => {
  const clock = manualClock({ startMs: 0 });
  const firedAtMs: number[] = [];
  clock.after(10, () => firedAtMs.push(clock.now()));
  clock.leap(50);
  await clock.settle();
  expect(firedAtMs).toEqual([]);
  await clock.advance(0);
  expect(firedAtMs).toEqual([50]);
});

test("a jump moves the wall clock alone", async () => {
  const clock = manualClock({ startMs: 1_000 });
  let fired = 0;
  clock.after(10, () => (fired += 1));
  clock.jump(-600);
  await clock.advance(9);
  expect([clock.now(), clock.monotonic(), fired]).toEqual([409, 9, 0]);
});
