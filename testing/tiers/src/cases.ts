import process from "node:process";
import { TestRunner } from "vitest";
import { tierOf, tierVariable, type TierFigures } from "./tier.ts";

declare module "vitest" {
  interface TaskMeta {
    /** How many cases the test tried, for the report of `prove`. */
    cases?: number;
  }
}

/**
 * How many cases the running test is to try. Its report tells of them, so that `prove` prints what was really tried.
 *
 * @throws Error outside of a test
 */
export function cases(figures: TierFigures): number {
  const count = figures[tierOf(process.env[tierVariable] ?? "commit")];
  countCases(count);
  return count;
}

/**
 * Tells the report of cases whose number no tier changes.
 *
 * @throws Error outside of a test
 */
export function countCases(count: number): void {
  const test = TestRunner.getCurrentTest();
  if (test === undefined) throw new Error("Cases are counted within a test.");
  test.meta.cases = (test.meta.cases ?? 0) + count;
}
