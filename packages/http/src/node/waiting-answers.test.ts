import { expect, test } from "vitest";
import {
  createWaitingAnswers,
  leastWaitingBytes,
  waitingBytesOfEnvironment,
  waitingBytesOfKey,
  waitingBytesWithoutKey,
} from "./waiting-answers.ts";

const owner = (key: string, environment: "sandbox" | "live" = "sandbox") => ({ key, environment });

test("limits a key to its share, and releases each answer once", () => {
  const answers = createWaitingAnswers();
  const leave = answers.take(owner("a"), waitingBytesOfKey);
  expect(answers.take(owner("a"), 1)).toBeUndefined();
  leave?.();
  leave?.();
  expect(answers.take(owner("a"), waitingBytesOfKey)).toBeDefined();
  expect(answers.take(owner("a"), 1)).toBeUndefined();
});

test("limits an environment to its share, separate from the other environment and callers without a key", () => {
  const answers = createWaitingAnswers();
  const keys = Array.from({ length: waitingBytesOfEnvironment / waitingBytesOfKey }, (_key, number) => `key ${number}`);
  for (const key of keys) expect(answers.take(owner(key), waitingBytesOfKey)).toBeDefined();
  expect(answers.take(owner("another"), 1)).toBeUndefined();
  expect(answers.take(owner("another", "live"), waitingBytesOfKey)).toBeDefined();
  expect(answers.take(undefined, waitingBytesWithoutKey)).toBeDefined();
  expect(answers.take(undefined, 1)).toBeUndefined();
});

test("counts a minimum for a small answer, for its connection", () => {
  const answers = createWaitingAnswers();
  for (let n = 0; n < waitingBytesOfKey / leastWaitingBytes; n++) expect(answers.take(owner("a"), 1)).toBeDefined();
  expect(answers.take(owner("a"), 1)).toBeUndefined();
});
