import { expect, test } from "vitest";
import { createLongWaits, longWaitsOfEnvironment, longWaitsOfKey } from "./long-waits.ts";

const rateLimited = expect.objectContaining({ code: "rate_limited", retryAfterMs: 1_000 }) as Error;

test("a key and an environment hold so many requests open, and give back what they leave", () => {
  const waits = createLongWaits();
  const [leave] = Array.from({ length: longWaitsOfKey }, () => waits.take("a", "sandbox"));
  expect(() => waits.take("a", "sandbox")).toThrow(rateLimited);
  leave?.();
  leave?.();
  waits.take("a", "sandbox");
  expect(() => waits.take("a", "sandbox")).toThrow(rateLimited);
  for (let n = longWaitsOfKey; n < longWaitsOfEnvironment; n++) waits.take("b", "sandbox");
  expect(() => waits.take("c", "sandbox")).toThrow(rateLimited);
  waits.take("c", "live");
});
