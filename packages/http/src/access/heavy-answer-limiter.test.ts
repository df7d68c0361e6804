import { expect, test } from "vitest";
import { manualClock } from "@procedo-testing/faults";
import {
  createHeavyAnswerLimiter,
  heavyBytesOfEnvironment,
  heavyOfEnvironment,
  heavyOfKey,
  heavyWaiting,
  heavyWaitMs,
} from "./heavy-answer-limiter.ts";

const refused = { code: "rate_limited", retryAfterMs: 1_000 };

function harness() {
  const clock = manualClock();
  const limiter = createHeavyAnswerLimiter(clock);
  const reported: string[] = [];
  const ask = (key: string, environment: "sandbox" | "live" = "live") =>
    limiter.take(key, environment).then((answer) => {
      reported.push(key);
      return answer;
    });
  return { clock, reported, ask };
}

test("limits the large answers of a key, and admits the next when one has left", async () => {
  const { reported, ask, clock } = harness();
  const [first] = await Promise.all(Array.from({ length: heavyOfKey }, () => ask("a")));
  void ask("a");
  await clock.advance(0);
  expect(reported).toHaveLength(heavyOfKey);
  first?.leave();
  first?.leave();
  await clock.advance(0);
  expect(reported).toHaveLength(heavyOfKey + 1);
});

test("limits the large answers of each environment separately", async () => {
  const { reported, ask, clock } = harness();
  for (let index = 0; index < heavyOfEnvironment + 3; index++) void ask(`key-${index}`).catch(() => {});
  await clock.advance(0);
  expect(reported).toHaveLength(heavyOfEnvironment);
  await ask("other", "sandbox");
  expect(reported).toHaveLength(heavyOfEnvironment + 1);
});

test("admits other keys past a waiting request of a key at its limit", async () => {
  const { reported, ask, clock } = harness();
  const held = await Promise.all([ask("a"), ask("a"), ask("b"), ask("c")]);
  void ask("a").catch(() => {});
  void ask("d");
  held[2]?.leave();
  await clock.advance(0);
  expect(reported.at(-1)).toBe("d");
});

test("counts the answers of a key for both environments across both", async () => {
  const { reported, ask, clock } = harness();
  const [first] = await Promise.all([ask("a", "sandbox"), ask("a", "sandbox")]);
  void ask("a", "live");
  await clock.advance(0);
  expect(reported).toHaveLength(heavyOfKey);
  first?.leave();
  await clock.advance(0);
  expect(reported).toHaveLength(heavyOfKey + 1);
});

test("refuses a request after its longest wait, or when too many wait, with a time to retry", async () => {
  const { ask, clock } = harness();
  await Promise.all([ask("a"), ask("a")]);
  const waiting = Array.from({ length: heavyWaiting }, () => ask("a").catch((error: unknown) => error));
  await expect(ask("a")).rejects.toMatchObject(refused);
  await clock.advance(heavyWaitMs);
  for (const error of await Promise.all(waiting)) expect(error).toMatchObject(refused);
});

test("limits the total memory of an environment's large answers, and releases it", async () => {
  const { ask } = harness();
  const [one, other, live] = [await ask("a", "sandbox"), await ask("b", "sandbox"), await ask("c", "live")];
  one.grow(heavyBytesOfEnvironment - 10);
  other.grow(10);
  expect(() => other.grow(1)).toThrow(expect.objectContaining(refused) as Error);
  live.grow(heavyBytesOfEnvironment);
  one.leave();
  one.leave();
  other.grow(heavyBytesOfEnvironment - 10);
});

test("refuses an answer that alone exceeds the memory limit as too large", async () => {
  const { ask } = harness();
  const answer = await ask("a");
  answer.grow(heavyBytesOfEnvironment);
  expect(() => answer.grow(1)).toThrow(expect.objectContaining({ code: "payload_too_large" }) as Error);
});
