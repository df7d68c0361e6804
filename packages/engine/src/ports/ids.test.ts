import { randomFillSync } from "node:crypto";
import { expect, test } from "vitest";
import { createIds } from "./ids.ts";

const random = { bytes: (size: number) => randomFillSync(new Uint8Array(size)), uniform: () => 0 };

test("ids sort by their time of creation", () => {
  let now = Date.UTC(2026, 0, 1);
  const ids = createIds({ now: () => now } as never, random);
  const made: string[] = [];
  for (const step of [1, 31, 32, 1_000, 1_023, 1_024, 86_400_000, 10 * 365 * 86_400_000]) {
    made.push(ids("run"));
    now += step;
  }
  made.push(ids("run"));
  expect(made.toSorted()).toEqual(made);
});

test("a clock with fractions of a millisecond gives the same ids", () => {
  const at = (now: number) => createIds({ now: () => now } as never, { ...random, bytes: () => new Uint8Array(10) });
  expect(at(1_234_567.75)("run")).toBe(at(1_234_567)("run"));
});

test("a source of randomness that returns too few bytes is an error", () => {
  const ids = createIds({ now: () => 1 } as never, { ...random, bytes: () => new Uint8Array(9) });
  expect(() => ids("run")).toThrow("9 random bytes were returned, and 10 were requested.");
});

test("20,000 ids of one millisecond are different", () => {
  const ids = createIds({ now: () => 5 } as never, random);
  expect(new Set(Array.from({ length: 20_000 }, () => ids("rev"))).size).toBe(20_000);
});

test("an id starts with its kind, and is valid in a path and a file name", () => {
  const ids = createIds({ now: () => Date.UTC(2026, 0, 1) } as never, random);
  for (const prefix of ["run", "rev", "dec", "con", "whk", "wrk"] as const) {
    expect(ids(prefix)).toMatch(new RegExp(`^${prefix}_[0-9a-hj-km-np-tv-z]{26}$`));
  }
});

test("every random bit counts", () => {
  const at = (bytes: Uint8Array) =>
    createIds({ now: () => 0 } as never, { bytes: () => bytes, uniform: () => 0 })("run");
  const seen = new Set<string>([at(new Uint8Array(10))]);
  for (let bit = 0; bit < 80; bit++) {
    const bytes = new Uint8Array(10);
    bytes[Math.floor(bit / 8)] = 1 << (bit % 8);
    seen.add(at(bytes));
  }
  expect(seen.size).toBe(81);
});
