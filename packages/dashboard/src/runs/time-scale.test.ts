import { describe, expect, test } from "vitest";
import { timeScale } from "./time-scale.ts";

const range = { startMs: 0, endMs: 10_000 };

describe("a scale without collapsing", () => {
  const scale = timeScale(range, [], false);
  test.each([
    [-5, 0],
    [0, 0],
    [2_500, 0.25],
    [10_000, 1],
    [20_000, 1],
  ])("the moment %d is at %d", (ms, place) => {
    expect(scale.place(ms)).toBe(place);
  });
});

describe("a run of 1 s of work around a wait of 9 s", () => {
  const work = [
    { startMs: 9_500, endMs: 10_000 },
    { startMs: 0, endMs: 500 },
  ];
  const scale = timeScale(range, work, true);

  test("the wait is collapsed, and the work takes the room", () => {
    expect(scale.stretches.map(({ isCollapsed, startMs, endMs }) => [isCollapsed, startMs, endMs])).toEqual([
      [false, 0, 500],
      [true, 500, 9_500],
      [false, 9_500, 10_000],
    ]);
    expect(scale.place(500)).toBeCloseTo(0.44);
    expect(scale.place(9_500)).toBeCloseTo(0.56);
    expect(scale.place(9_750)).toBeCloseTo(0.78);
  });

  test("order is kept", () => {
    const places = [0, 200, 500, 4_000, 8_000, 9_500, 10_000].map((ms) => scale.place(ms));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });
});

test("a wait that is short, or a small part of the run, is not collapsed", () => {
  const part = [
    { startMs: 0, endMs: 4_500 },
    { startMs: 5_500, endMs: 10_000 },
  ];
  expect(timeScale(range, part, true).stretches).toHaveLength(1);
  const short = [{ startMs: 0, endMs: 5 }];
  expect(timeScale({ startMs: 0, endMs: 10 }, short, true).stretches).toHaveLength(1);
});

test("a run that only waits, and one of no length, have a scale", () => {
  expect(timeScale(range, [], true).place(5_000)).toBe(0.5);
  expect(timeScale({ startMs: 7, endMs: 7 }, [], true).place(7)).toBe(0);
});
