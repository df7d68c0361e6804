import process from "node:process";
import { TestRunner } from "vitest";
import { tierOf, tierVariable, type TierFigures } from "./tier.ts";

declare module "vitest" {
  interface TaskMeta {
    /** Number of cases that the test tried, for the report of `prove`. */
    cases?: number;
  }
}

/** The figure of the tier of this run, also outside a test: for a table of tests. */
export function figureOf(figures: TierFigures): number {
  return figures[tierOf(process.env[tierVariable] ?? "commit")];
}

/**
 * Returns the number of cases for the running test, and records that number in the test's report for `prove`.
 *
 * @throws Error outside a test
 */
export function cases(figures: TierFigures): number {
  const count = figureOf(figures);
  countCases(count);
  return count;
}

/**
 * Records cases in the test's report whose number does not depend on the tier.
 *
 * @throws Error outside a test
 */
export function countCases(count: number): void {
  const test = TestRunner.getCurrentTest();
  if (test === undefined) throw new Error("Cases can be counted only inside a running test.");
  test.meta.cases = (test.meta.cases ?? 0) + count;
}
