import { expect, test } from "vitest";
import { createFailedAttempts } from "./failed-attempts.ts";

function attempts() {
  let nowMs = 0;
  const failed = createFailedAttempts({ monotonic: () => nowMs });
  const many = (address: string, count: number) => Array.from({ length: count }, () => failed.note(address));
  return { many, note: failed.note, pass: (ms: number) => void (nowMs += ms) };
}

test("the first 3000 pass, the next one is told how long to wait, and then passes", () => {
  const { many, note, pass } = attempts();
  expect(many("192.0.2.1", 3_000).every((wait) => wait === undefined)).toBe(true);
  const wait = note("192.0.2.1");
  expect(wait).toBe(60);
  pass(60);
  expect(note("192.0.2.1")).toBeUndefined();
  expect(note("192.0.2.1")).toBe(60);
});

test("time forgives: a minute is worth 1000", () => {
  const { many, pass } = attempts();
  many("192.0.2.1", 3_000);
  pass(60_000);
  expect(many("192.0.2.1", 1_001).filter((wait) => wait !== undefined)).toHaveLength(1);
});

test("all addresses of an IPv6 network of 64 bits count as one, IPv4 ones each by themselves", () => {
  const { many, note } = attempts();
  many("2001:db8:0:7::1", 3_000);
  expect(note("2001:db8:0:7:ffff::9")).toBeGreaterThan(0);
  expect(note("2001:db8::7:0:0:0:1")).toBeGreaterThan(0);
  expect(note("2001:db8:0:8::1")).toBeUndefined();
  many("fe80::1%eth0", 3_000);
  expect(note("fe80::2%eth0")).toBeGreaterThan(0);
  many("192.0.2.1", 3_000);
  expect(note("192.0.2.2")).toBeUndefined();
});

test("an unknown address is not counted", () => {
  const { note } = attempts();
  for (let n = 0; n < 4_000; n++) expect(note(undefined)).toBeUndefined();
});

test("memory is bounded: beyond 10,000 addresses the first one is forgotten", () => {
  const { many, note } = attempts();
  many("192.0.2.1", 3_000);
  for (let n = 0; n < 10_000; n++) note(`10.0.${n >> 8}.${n & 255}`);
  expect(note("192.0.2.1")).toBeUndefined();
});
