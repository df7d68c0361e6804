import { expect, test } from "vitest";
import {
  createWaitingAnswers,
  leastWaitingBytes,
  waitingBytesOfEnvironment,
  waitingBytesOfKey,
  waitingBytesWithoutKey,
} from "./waiting-answers.ts";

const owner = (key: string, environment: "sandbox" | "live" = "sandbox") => ({ key, environment });

test("a key has its share, gets back what was taken, and counts nothing twice", () => {
  const answers = createWaitingAnswers();
  const leave = answers.take(owner("a"), waitingBytesOfKey);
  expect(answers.take(owner("a"), 1)).toBeUndefined();
  leave?.();
  leave?.();
  expect(answers.take(owner("a"), waitingBytesOfKey)).toBeDefined();
  expect(answers.take(owner("a"), 1)).toBeUndefined();
});

test("an environment has its share, which the other one and callers without a key do not touch", () => {
  const answers = createWaitingAnswers();
  const keys = Array.from({ length: waitingBytesOfEnvironment / waitingBytesOfKey }, (_key, number) => `key ${number}`);
  for (const key of keys) expect(answers.take(owner(key), waitingBytesOfKey)).toBeDefined();
  expect(answers.take(owner("another"), 1)).toBeUndefined();
  expect(answers.take(owner("another", "live"), waitingBytesOfKey)).toBeDefined();
  expect(answers.take(undefined, waitingBytesWithoutKey)).toBeDefined();
  expect(answers.take(undefined, 1)).toBeUndefined();
});

test("the smallest answer that waits counts as much as its connection", () => {
  const answers = createWaitingAnswers();
  for (let n = 0; n < waitingBytesOfKey / leastWaitingBytes; n++) expect(answers.take(owner("a"), 1)).toBeDefined();
  expect(answers.take(owner("a"), 1)).toBeUndefined();
});
