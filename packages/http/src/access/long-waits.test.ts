import { expect, test } from "vitest";
import {
  createLongWaits,
  createOutsideWaits,
  longWaitsOfEnvironment,
  longWaitsOfKey,
  outsideWaitsOfEnvironment,
  outsideWaitsOfKey,
} from "./long-waits.ts";

const rateLimited = expect.objectContaining({ code: "rate_limited", retryAfterMs: 1_000 }) as Error;

test.each([
  ["held open", createLongWaits, longWaitsOfKey, longWaitsOfEnvironment],
  ["that wait for an external service", createOutsideWaits, outsideWaitsOfKey, outsideWaitsOfEnvironment],
])("limits requests %s per key and per environment, and releases their places", (_, create, ofKey, ofEnvironment) => {
  const waits = create();
  const [leave] = Array.from({ length: ofKey }, () => waits.take("a", "sandbox"));
  expect(() => waits.take("a", "sandbox")).toThrow(rateLimited);
  leave?.();
  leave?.();
  waits.take("a", "sandbox");
  expect(() => waits.take("a", "sandbox")).toThrow(rateLimited);
  for (let n = ofKey; n < ofEnvironment; n++) waits.take("b", "sandbox");
  expect(() => waits.take("c", "sandbox")).toThrow(rateLimited);
  waits.take("c", "live");
});
