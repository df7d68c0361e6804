import { expect, test } from "vitest";
import {
  bodyBytesOfKey,
  createBodyLimiter,
  leastComingBytes,
  type BodyUsage,
  type BodyLimiter,
} from "./body-limiter.ts";

const mebibyte = 1024 * 1024;
const rateLimited = expect.objectContaining({ code: "rate_limited", retryAfterMs: 1_000 }) as Error;
const overloaded = expect.objectContaining({ code: "overloaded", retryAfterMs: 1_000 }) as Error;

/** Bodies of one mebibyte each, each with its own key. */
function fill(limiter: BodyLimiter, environment: "sandbox" | "live", bodies: number): BodyUsage[] {
  return Array.from({ length: bodies }, (_body, number) => {
    const place = limiter.take(`key ${number}`, environment, true);
    place.came(mebibyte);
    return place;
  });
}

test("limits an environment to its share, and reuses released room", () => {
  const limiter = createBodyLimiter();
  const places = fill(limiter, "sandbox", 32);
  expect(() => limiter.take("another", "sandbox", true)).toThrow(rateLimited);
  fill(limiter, "live", 1);
  places[0]?.leave();
  limiter.take("another", "sandbox", true).came(mebibyte);
  expect(() => limiter.take("another", "sandbox", true)).toThrow(rateLimited);
});

test("limits both environments together to the room of the process", () => {
  const limiter = createBodyLimiter();
  fill(limiter, "sandbox", 24);
  fill(limiter, "live", 24);
  expect(() => limiter.take("another", "live", true)).toThrow(overloaded);
});

test("limits the bodies of a key to half of its environment's share", () => {
  const limiter = createBodyLimiter();
  for (let n = 0; n < 16; n++) limiter.take("greedy", "sandbox", true).came(mebibyte);
  expect(() => limiter.take("greedy", "sandbox", true)).toThrow(rateLimited);
  limiter.take("another", "sandbox", true).came(mebibyte);
});

test("allows one body above the share of its key while the key sends no other", () => {
  const limiter = createBodyLimiter();
  const document = limiter.take("manager", "sandbox", true);
  document.coming(25 * mebibyte);
  expect(() => limiter.take("manager", "sandbox", true)).toThrow(rateLimited);
  document.leave();
  const small = limiter.take("manager", "sandbox", true);
  expect(() => limiter.take("manager", "sandbox", true).coming(bodyBytesOfKey)).toThrow(rateLimited);
  small.leave();
});

test("counts a minimum for a body that has not arrived, which limits such bodies per key", () => {
  const limiter = createBodyLimiter();
  const most = bodyBytesOfKey / leastComingBytes;
  const silent = Array.from({ length: most }, () => limiter.take("silent", "sandbox", true));
  expect(() => limiter.take("silent", "sandbox", true)).toThrow(rateLimited);
  limiter.take("another", "sandbox", true).came(mebibyte);
  silent[0]?.leave();
  limiter.take("silent", "sandbox", true);
});

test("counts the bytes of a body that have arrived so far", () => {
  const limiter = createBodyLimiter();
  const places = fill(limiter, "live", 31);
  const slow = limiter.take("slow", "live", true);
  for (const part of [1, 2, 3, 4]) slow.coming((part * mebibyte) / 4);
  const refused = () => limiter.take("another", "live", true);
  expect(refused).toThrow(rateLimited);
  places[0]?.leave();
  expect(() => refused().coming(2 * mebibyte)).toThrow(rateLimited);
});

test("counts the actual size of a complete body", () => {
  const limiter = createBodyLimiter();
  const places = Array.from({ length: 10_000 }, () => {
    const place = limiter.take("busy", "live", true);
    place.came(1_000);
    return place;
  });
  for (const place of places) place.leave();
  fill(limiter, "live", 32);
});

test("releases a place once, however often it is left", () => {
  const limiter = createBodyLimiter();
  const places = fill(limiter, "live", 32);
  places[0]?.leave();
  places[0]?.leave();
  places[0]?.came(mebibyte);
  limiter.take("another", "live", true).came(mebibyte);
  expect(() => limiter.take("another", "live", true)).toThrow(rateLimited);
});

test("reserves no room for a request that announces no body", () => {
  const limiter = createBodyLimiter();
  fill(limiter, "sandbox", 32);
  const without = limiter.take("another", "sandbox", false);
  without.came(0);
  expect(() => without.coming(1)).toThrow(rateLimited);
});
