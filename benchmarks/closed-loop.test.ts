import { expect, test } from "vitest";
import { closedLoop, median, quantile, shareWithin } from "./closed-loop.ts";

test("a closed loop keeps exactly its concurrency in progress", async () => {
  let underWay = 0;
  let most = 0;
  const loop = await closedLoop({ concurrency: 7, warmupMs: 0, measureMs: 20 }, async () => {
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    return 1;
  });
  expect(most).toBe(7);
  expect(underWay).toBe(0);
  expect(loop.total).toBeGreaterThanOrEqual(7);
});

test("the load ramps up during the warm-up, and is complete when the window opens", async () => {
  let underWay = 0;
  let mostAtFirst = 0;
  let most = 0;
  await closedLoop({ concurrency: 5, warmupMs: 40, measureMs: 20 }, async (n) => {
    most = Math.max(most, ++underWay);
    if (n === 0) mostAtFirst = underWay;
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    return 1;
  });
  expect([mostAtFirst, most]).toEqual([1, 5]);
});

test("operations that consist of promises alone let the others start", async () => {
  let underWay = 0;
  let most = 0;
  await closedLoop({ concurrency: 5, warmupMs: 40, measureMs: 20 }, async () => {
    most = Math.max(most, ++underWay);
    for (let turn = 0; turn < 100; turn++) await Promise.resolve();
    underWay -= 1;
    return 1;
  });
  expect(most).toBe(5);
});

test("operations of the warm-up count in the total but have no latency", async () => {
  const endedAtMs: number[] = [];
  const warmupMs = 15;
  const beganAtMs = performance.now();
  const loop = await closedLoop({ concurrency: 1, warmupMs, measureMs: 150 }, async (n) => {
    await new Promise((resolve) => setImmediate(resolve));
    endedAtMs.push(performance.now());
    return n;
  });
  expect(endedAtMs).toHaveLength(loop.total);
  // The loop reads the clock once more after the operation has read it.
  const isOfWarmUp = (n: number) => (endedAtMs[n + 1] ?? Infinity) < beganAtMs + warmupMs;
  expect(loop.latenciesMs.filter(isOfWarmUp)).toEqual([]);
  expect(loop.ended).toBeGreaterThan(loop.latenciesMs.length - 1);
  expect(loop.ended).toBeLessThan(loop.latenciesMs.length + 1);
});

test("an operation that crosses an edge of the window counts by its share inside", () => {
  expect(shareWithin(12, 18, 10, 20)).toBe(1);
  expect(shareWithin(0, 40, 10, 20)).toBe(0.25);
  expect(shareWithin(5, 15, 10, 20)).toBe(0.5);
  expect(shareWithin(18, 22, 10, 20)).toBe(0.5);
  expect(shareWithin(1, 10, 10, 20)).toBe(0);
  expect(shareWithin(20, 30, 10, 20)).toBe(0);
});

test("an operation that fails fails the loop", async () => {
  const fails = closedLoop({ concurrency: 2, warmupMs: 0, measureMs: 10 }, () => Promise.reject(new Error("broken")));
  await expect(fails).rejects.toThrow("broken");
});

test("quantiles and the median come from the sorted values", () => {
  const values = [5, 1, 4, 2, 3];
  expect(quantile(values, 0)).toBe(1);
  expect(quantile(values, 0.5)).toBe(3);
  expect(quantile(values, 1)).toBe(5);
  expect(median(values)).toBe(3);
  expect(median([4, 1, 3, 2])).toBe(2);
  expect(median([])).toBeNaN();
});
