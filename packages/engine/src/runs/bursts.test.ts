import type { Environment } from "@procedo/contract";
import { expect, test } from "vitest";
import { createBursts } from "./bursts.ts";

/** Bursts with a clock that the test moves; timers fire as it does. */
function bench() {
  let nowMs = 0;
  let timers: { readonly atMs: number; readonly callback: () => void }[] = [];
  let ends = 0;
  const lines: unknown[] = [];
  const clock = {
    monotonic: () => nowMs,
    after: (delayMs: number, callback: () => void) => {
      timers.push({ atMs: nowMs + delayMs, callback });
      return () => {};
    },
  };
  const log = { info: (...line: unknown[]) => void lines.push(line), warn: () => {}, error: () => {} };
  const bursts = createBursts({ clock, log }, () => (ends += 1));
  return {
    bursts,
    lines,
    ends: () => ends,
    /** So many starts at once, durable in the same moment. */
    come: (environment: Environment, count: number) => {
      const durable = Array.from({ length: count }, () => bursts.begin(environment));
      for (const one of durable) one();
    },
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
  const { bursts, come, pass } = bench();
  come("sandbox", 31);
  expect(bursts.isOn("sandbox")).toBe(false);
  come("sandbox", 32);
  expect(bursts.isOn("sandbox")).toBe(true);
  pass(25);
  expect(bursts.isOn("sandbox")).toBe(true);
  pass(1);
  expect(bursts.isOn("sandbox")).toBe(false);
});

test("a crowd that waits for a slow disk is a burst for as long as it waits", () => {
  const { bursts, pass } = bench();
  const durable = Array.from({ length: 32 }, () => bursts.begin("live"));
  pass(1_000);
  expect(bursts.isOn("live")).toBe(true);
  for (const one of durable) one();
  expect(bursts.isOn("live")).toBe(true);
  pass(26);
  expect(bursts.isOn("live")).toBe(false);
});

test("what was left is put off for as long as crowds come, and then told to be over", () => {
  const { bursts, ends, come, pass } = bench();
  come("live", 32);
  expect([bursts.putsOff("live"), bursts.hasBacklog("live")]).toEqual([false, false]);
  bursts.left("live");
  for (let crowd = 0; crowd < 50; crowd++) {
    pass(20);
    come("live", 40);
    expect([bursts.putsOff("live"), ends()]).toEqual([true, 0]);
  }
  pass(60);
  expect([bursts.putsOff("live"), bursts.hasBacklog("live"), ends()]).toEqual([false, true, 1]);
});

test("one environment's burst leaves the other's runs alone", () => {
  const { bursts, come } = bench();
  come("sandbox", 100);
  bursts.left("sandbox");
  expect([bursts.isOn("live"), bursts.putsOff("live")]).toEqual([false, false]);
});

test("nothing is put off for longer than 10 s, until all that was left has been claimed", () => {
  const { bursts, ends, come, pass } = bench();
  const crowdFor = (ms: number) => {
    for (let passed = 0; passed < ms; passed += 20) {
      come("sandbox", 32);
      pass(20);
    }
  };
  come("sandbox", 32);
  bursts.left("sandbox");
  crowdFor(9_900);
  expect([bursts.putsOff("sandbox"), ends()]).toEqual([true, 0]);
  crowdFor(200);
  expect([bursts.isOn("sandbox"), bursts.putsOff("sandbox"), ends()]).toEqual([false, false, 1]);
  crowdFor(10_000);
  expect(bursts.isOn("sandbox")).toBe(false);
  bursts.workedOff("live");
  expect(bursts.isOn("sandbox")).toBe(false);
  bursts.workedOff("sandbox");
  come("sandbox", 32);
  expect(bursts.isOn("sandbox")).toBe(true);
});

test("a burst that left many is logged, with how many, and not one that left few", () => {
  const { bursts, come, lines, pass } = bench();
  const leave = (count: number) => {
    come("sandbox", 32);
    for (let runs = 0; runs < count; runs++) bursts.left("sandbox");
    pass(60);
    bursts.workedOff("sandbox");
  };
  leave(999);
  expect(lines).toEqual([]);
  leave(100_000);
  expect(lines).toEqual([[expect.stringContaining("burst"), { environment: "sandbox", left: 100_000 }]]);
});

test("whoever waits for what was left ends it, and for a minute nothing is left", () => {
  const { bursts, ends, come, pass } = bench();
  come("sandbox", 32);
  bursts.left("sandbox");
  bursts.waited("sandbox");
  expect([bursts.isOn("sandbox"), bursts.putsOff("sandbox")]).toEqual([false, false]);
  pass(30);
  expect(ends()).toBe(1);
  bursts.workedOff("sandbox");
  pass(59_000);
  come("sandbox", 32);
  expect(bursts.isOn("sandbox")).toBe(false);
  pass(1_000);
  come("sandbox", 32);
  expect(bursts.isOn("sandbox")).toBe(true);
});
