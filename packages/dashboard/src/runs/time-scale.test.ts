import { describe, expect, test } from "vitest";
import { timeScale } from "./time-scale.ts";

const range = { startMs: 0, endMs: 1_000 };

describe("a scale without collapsing", () => {
  const scale = timeScale(range, [], false);
  test.each([
    [-5, 0],
    [0, 0],
    [250, 0.25],
    [1_000, 1],
    [2_000, 1],
  ])("the moment %d is at %d", (ms, place) => {
    expect(scale.place(ms)).toBe(place);
  });
});

describe("a run of 100 ms of work around a wait of 900 ms", () => {
  const work = [
    { startMs: 950, endMs: 1_000 },
    { startMs: 0, endMs: 50 },
  ];
  const scale = timeScale(range, work, true);

  test("the wait is collapsed, and the work takes the room", () => {
    expect(scale.stretches.map(({ isCollapsed, startMs, endMs }) => [isCollapsed, startMs, endMs])).toEqual([
      [false, 0, 50],
      [true, 50, 950],
      [false, 950, 1_000],
    ]);
    expect(scale.place(50)).toBeCloseTo(0.48);
    expect(scale.place(950)).toBeCloseTo(0.52);
    expect(scale.place(975)).toBeCloseTo(0.76);
  });

  test("order is kept", () => {
    const places = [0, 20, 50, 400, 800, 950, 1_000].map((ms) => scale.place(ms));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
  });
});

test("a short wait is not collapsed", () => {
  const work = [
    { startMs: 0, endMs: 450 },
    { startMs: 550, endMs: 1_000 },
  ];
  expect(timeScale(range, work, true).stretches).toHaveLength(1);
});

test("a run that only waits, and one of no length, have a scale", () => {
  expect(timeScale(range, [], true).place(500)).toBe(0.5);
  expect(timeScale({ startMs: 7, endMs: 7 }, [], true).place(7)).toBe(0);
});
