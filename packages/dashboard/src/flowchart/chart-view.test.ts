import { expect, test } from "vitest";
import { firstView, wholeView } from "./chart-view.ts";

const box = { width: 800, height: 600 };

test("a chart that fits is shown whole, in the middle and not enlarged", () => {
  const chart = { width: 400, height: 300 };
  expect(wholeView(chart, box)).toEqual({ x: 200, y: 150, zoom: 1 });
  expect(firstView(chart, box, { x: 0, y: 0 })).toEqual({ x: 200, y: 150, zoom: 1 });
});

test("a chart that is too large to be read whole begins at the place that matters", () => {
  const chart = { width: 600, height: 30_000 };
  expect(wholeView(chart, box).zoom).toBeLessThan(0.02);
  expect(firstView(chart, box, { x: 300, y: 30 })).toEqual({ x: 100, y: 16, zoom: 1 });
  expect(firstView(chart, box, { x: 300, y: 15_000 })).toEqual({ x: 100, y: -14_700, zoom: 1 });
  expect(firstView(chart, box, { x: 300, y: 29_990 }).y).toBe(600 - 30_000 - 16);
});
