import { expect, test } from "vitest";
import {
  createWaitLimiter,
  createOutsideWaitLimiter,
  longWaitsOfEnvironment,
  longWaitsOfKey,
  outsideWaitsOfEnvironment,
  outsideWaitsOfKey,
} from "./wait-limiter.ts";

const rateLimited = expect.objectContaining({ code: "rate_limited", retryAfterMs: 1_000 }) as Error;

test.each([
  ["held open", createWaitLimiter, longWaitsOfKey, longWaitsOfEnvironment],
  ["that wait for an external service", createOutsideWaitLimiter, outsideWaitsOfKey, outsideWaitsOfEnvironment],
])("limits requests %s per key and per environment, and releases their places", (_, create, ofKey, ofEnvironment) => {
  const limiter = create();
  const [leave] = Array.from({ length: ofKey }, () => limiter.take("a", "sandbox"));
  expect(() => limiter.take("a", "sandbox")).toThrow(rateLimited);
  leave?.();
  leave?.();
  limiter.take("a", "sandbox");
  expect(() => limiter.take("a", "sandbox")).toThrow(rateLimited);
  for (let n = ofKey; n < ofEnvironment; n++) limiter.take("b", "sandbox");
  expect(() => limiter.take("c", "sandbox")).toThrow(rateLimited);
  limiter.take("c", "live");
});
