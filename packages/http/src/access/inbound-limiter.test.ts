import { describe, expect, test } from "vitest";
import { createInboundLimiter } from "./inbound-limiter.ts";

const stripe = "192.0.2.1";
const other = "192.0.2.2";
const proven = {};
const wrongSignature = { unproven: "wrong_signature" } as const;
const unknownAddress = { unproven: "unknown_address" } as const;

function createLimiter() {
  let nowMs = 0;
  const limiter = createInboundLimiter({ monotonic: () => nowMs });
  const times = (count: number, call: (index: number) => void) => Array.from({ length: count }, (_, at) => call(at));
  return { limiter, times, later: (ms: number) => (nowMs += ms) };
}

describe("a sender of 20 wrong signatures within a minute", () => {
  test("has 1 request per second at that address, however they are signed", () => {
    const { limiter, times, later } = createLimiter();
    times(20, () => limiter.note("a", stripe, wrongSignature));
    expect([limiter.take("a", stripe), limiter.take("a", stripe)]).toEqual([undefined, 1_000]);
    limiter.note("a", stripe, proven);
    expect(limiter.take("a", stripe)).toBe(1_000);
    later(1_000);
    expect([limiter.take("a", stripe), limiter.take("a", stripe)]).toEqual([undefined, 1_000]);
    later(60_000);
    expect(times(100, () => limiter.take("a", stripe))).toEqual(Array(100).fill(undefined));
  });

  test("slows down neither another sender nor its own requests to other addresses", () => {
    const { limiter, times, later } = createLimiter();
    for (let second = 0; second < 60; second++) {
      times(20, () => limiter.note("a", stripe, wrongSignature));
      limiter.take("a", stripe);
      expect(times(90, () => limiter.take("a", other))).toEqual(Array(90).fill(undefined));
      expect(times(90, () => limiter.take("b", stripe))).toEqual(Array(90).fill(undefined));
      later(1_000);
    }
  });
});

test("a sender of 20 unreadable bodies to made-up addresses has 1 request per second at all that are not known", () => {
  const { limiter, times } = createLimiter();
  limiter.note("a", other, proven);
  times(20, (at) => limiter.noteUnread(`x${at}`, stripe));
  expect([limiter.take("y1", stripe), limiter.take("y2", stripe)]).toEqual([undefined, 1_000]);
  expect([limiter.take("a", stripe), limiter.take("y3", other)]).toEqual([undefined, undefined]);
});

describe("a sender of requests to 20 unknown addresses within a minute", () => {
  test("has 1 request per second at all addresses that are not known", () => {
    const { limiter, times, later } = createLimiter();
    times(20, (at) => limiter.note(`x${at}`, stripe, unknownAddress));
    expect([limiter.take("y1", stripe), limiter.take("y2", stripe), limiter.take("y3", stripe)]).toEqual([
      undefined,
      1_000,
      1_000,
    ]);
    later(1_000);
    expect([limiter.take("y4", stripe), limiter.take("y5", stripe)]).toEqual([undefined, 1_000]);
    expect(limiter.take("y6", other)).toBeUndefined();
  });

  test("is not slowed down at an address that exists, until that is removed", () => {
    const { limiter, times } = createLimiter();
    limiter.note("a", other, proven);
    times(21, () => limiter.note("removed", stripe, unknownAddress));
    expect(times(100, () => limiter.take("a", stripe))).toEqual(Array(100).fill(undefined));
    limiter.note("a", other, unknownAddress);
    expect([limiter.take("a", stripe), limiter.take("a", stripe)]).toEqual([undefined, 1_000]);
  });
});

test("senders of unknown origin are not slowed down for each other", () => {
  const { limiter, times } = createLimiter();
  times(50, () => limiter.note("a", undefined, wrongSignature));
  times(50, () => limiter.note("x", undefined, unknownAddress));
  expect(times(100, () => limiter.take("a", undefined))).toEqual(Array(100).fill(undefined));
});

test("an address has a burst of 500 requests of all its senders, and 100 per second", () => {
  const { limiter, times, later } = createLimiter();
  times(500, (at) => expect(limiter.take("a", at % 2 === 0 ? stripe : other)).toBeUndefined());
  expect(limiter.take("a", stripe)).toBeGreaterThan(0);
  expect(limiter.take("b", stripe)).toBeUndefined();
  later(1_000);
  expect(times(101, () => limiter.take("a", stripe)).filter((waitMs) => waitMs === undefined)).toHaveLength(100);
});
