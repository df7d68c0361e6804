import { expect, test } from "vitest";
import { backoffMs } from "./backoff.ts";

const at = (luck: number) => ({ uniform: () => luck });

test("the ceiling doubles from 1 s to 60 s and stays there", () => {
  const ceilings = [1, 2, 3, 4, 5, 6, 7, 8, 1_000].map((attempt) => backoffMs(at(1), attempt) / 1_000);
  expect(ceilings).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
});

test("the jitter is full: from 0 to the ceiling", () => {
  expect([0, 0.25, 0.5].map((luck) => backoffMs(at(luck), 4))).toEqual([0, 2_000, 4_000]);
});

test("Retry-After is the minimum, and clients with the same value are spread", () => {
  expect(backoffMs(at(0), 1, 30_000)).toBe(30_000);
  expect(backoffMs(at(0.5), 1, 30_000)).toBe(30_500);
  expect(backoffMs(at(0.99), 7, 1_000)).toBeCloseTo(59_400);
});
