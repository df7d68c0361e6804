import { expect, test } from "vitest";
import { createRateLimiter } from "./rate-limiter.ts";

function rate(perSecond: number, burst: number) {
  let nowMs = 0;
  const { take } = createRateLimiter({ monotonic: () => nowMs }, { perSecond, burst });
  return { take, pass: (ms: number) => void (nowMs += ms) };
}

test("allows a burst, then one per interval, also for fractional intervals", () => {
  for (const perSecond of [1, 3, 7, 1_000]) {
    const { take, pass } = rate(perSecond, 5);
    expect(Array.from({ length: 5 }, () => take("a"))).toEqual(Array.from({ length: 5 }, () => undefined));
    expect(take("a")).toBeCloseTo(1_000 / perSecond);
    pass(1_000 / perSecond + 0.01);
    expect(take("a")).toBeUndefined();
    expect(take("a")).toBeGreaterThan(0);
  }
});

test("charges nothing for a refusal, and does not affect other sources", () => {
  const { take, pass } = rate(10, 1);
  take("a");
  for (let n = 0; n < 1_000; n++) take("a");
  expect(take("b")).toBeUndefined();
  pass(101);
  expect(take("a")).toBeUndefined();
});
