import { expect, test } from "vitest";
import { createBursts } from "./bursts.ts";

/** A burst detector with a clock that the test moves; timers fire as it does. */
function bench() {
  let nowMs = 0;
  let timers: { readonly atMs: number; readonly callback: () => void }[] = [];
  let ends = 0;
  const clock = {
    monotonic: () => nowMs,
    after: (delayMs: number, callback: () => void) => {
      timers.push({ atMs: nowMs + delayMs, callback });
      return () => {};
    },
  };
  const bursts = createBursts(clock, () => (ends += 1));
  return {
    bursts,
    ends: () => ends,
    pass: (ms: number) => {
      for (const untilMs = nowMs + ms; nowMs < untilMs;) {
        nowMs += 1;
        const due = timers.filter(({ atMs }) => atMs <= nowMs);
        timers = timers.filter(({ atMs }) => atMs > nowMs);
        for (const { callback } of due) callback();
      }
    },
  };
}

test("thirty-two starts at once are a burst, which is over 25 ms after the last of its crowds", () => {
  const { bursts, pass } = bench();
  bursts.came("sandbox", 31);
  expect(bursts.isOn("sandbox")).toBe(false);
  bursts.came("sandbox", 32);
  expect(bursts.isOn("sandbox")).toBe(true);
  pass(25);
  expect(bursts.isOn("sandbox")).toBe(true);
  pass(1);
  expect(bursts.isOn("sandbox")).toBe(false);
});

test("what was left is put off for as long as crowds come, and then told to be over", () => {
  const { bursts, ends, pass } = bench();
  bursts.came("live", 32);
  expect(bursts.putsOff("live")).toBe(false);
  bursts.left("live");
  for (let crowd = 0; crowd < 50; crowd++) {
    pass(20);
    bursts.came("live", 40);
    expect([bursts.putsOff("live"), ends()]).toEqual([true, 0]);
  }
  pass(60);
  expect([bursts.putsOff("live"), ends()]).toEqual([false, 1]);
});

test("one environment's burst leaves the other's runs alone", () => {
  const { bursts } = bench();
  bursts.came("sandbox", 100);
  bursts.left("sandbox");
  expect([bursts.isOn("live"), bursts.putsOff("live")]).toEqual([false, false]);
});

test("nothing is put off for longer than 30 s, until all that was left has been claimed", () => {
  const { bursts, ends, pass } = bench();
  const crowdFor = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 20) {
      bursts.came("sandbox", 32);
      pass(20);
    }
  };
  bursts.came("sandbox", 32);
  bursts.left("sandbox");
  crowdFor(29_900);
  expect([bursts.putsOff("sandbox"), ends()]).toEqual([true, 0]);
  crowdFor(200);
  expect([bursts.isOn("sandbox"), bursts.putsOff("sandbox"), ends()]).toEqual([false, false, 1]);
  crowdFor(10_000);
  expect(bursts.isOn("sandbox")).toBe(false);
  bursts.workedOff("live");
  expect(bursts.isOn("sandbox")).toBe(false);
  bursts.workedOff("sandbox");
  bursts.came("sandbox", 32);
  expect(bursts.isOn("sandbox")).toBe(true);
});

test("whoever waits for what was left ends it, and for a minute nothing is left", () => {
  const { bursts, ends, pass } = bench();
  bursts.came("sandbox", 32);
  bursts.waited("sandbox");
  expect(bursts.isOn("sandbox")).toBe(true);
  bursts.left("sandbox");
  bursts.waited("sandbox");
  expect([bursts.isOn("sandbox"), bursts.putsOff("sandbox")]).toEqual([false, false]);
  pass(30);
  expect(ends()).toBe(1);
  bursts.workedOff("sandbox");
  pass(59_000);
  bursts.came("sandbox", 32);
  expect(bursts.isOn("sandbox")).toBe(false);
  pass(1_000);
  bursts.came("sandbox", 32);
  expect(bursts.isOn("sandbox")).toBe(true);
});
