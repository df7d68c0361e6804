import { expect, test } from "vitest";
import {
  createUnreadAnswerLimiter,
  leastWaitingBytes,
  waitingBytesOfEnvironment,
  waitingBytesOfKey,
  waitingBytesWithoutKey,
} from "./unread-answer-limiter.ts";

const owner = (key: string, environment: "sandbox" | "live" = "sandbox") => ({ key, environment });

test("limits a key to its share, and releases each answer once", () => {
  const limiter = createUnreadAnswerLimiter();
  const leave = limiter.take(owner("a"), waitingBytesOfKey);
  expect(limiter.take(owner("a"), 1)).toBeUndefined();
  leave?.();
  leave?.();
  expect(limiter.take(owner("a"), waitingBytesOfKey)).toBeDefined();
  expect(limiter.take(owner("a"), 1)).toBeUndefined();
});

test("limits an environment to its share, separate from the other environment and callers without a key", () => {
  const limiter = createUnreadAnswerLimiter();
  const keys = Array.from({ length: waitingBytesOfEnvironment / waitingBytesOfKey }, (_key, number) => `key ${number}`);
  for (const key of keys) expect(limiter.take(owner(key), waitingBytesOfKey)).toBeDefined();
  expect(limiter.take(owner("another"), 1)).toBeUndefined();
  expect(limiter.take(owner("another", "live"), waitingBytesOfKey)).toBeDefined();
  expect(limiter.take(undefined, waitingBytesWithoutKey)).toBeDefined();
  expect(limiter.take(undefined, 1)).toBeUndefined();
});

test("counts a minimum for a small answer, for its connection", () => {
  const limiter = createUnreadAnswerLimiter();
  for (let n = 0; n < waitingBytesOfKey / leastWaitingBytes; n++) expect(limiter.take(owner("a"), 1)).toBeDefined();
  expect(limiter.take(owner("a"), 1)).toBeUndefined();
});
