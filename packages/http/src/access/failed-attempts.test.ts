import { expect, test } from "vitest";
import { createFailedAttempts } from "./failed-attempts.ts";

function attempts() {
  let nowMs = 0;
  const failed = createFailedAttempts({ monotonic: () => nowMs });
  const many = (address: string, count: number) => Array.from({ length: count }, () => failed.note(address));
  return { many, note: failed.note, pass: (ms: number) => void (nowMs += ms) };
}

test("allows 3000 attempts, refuses the next with a time to wait, and allows it after that time", () => {
  const { many, note, pass } = attempts();
  expect(many("192.0.2.1", 3_000).every((wait) => wait === undefined)).toBe(true);
  const wait = note("192.0.2.1");
  expect(wait).toBe(60);
  pass(60);
  expect(note("192.0.2.1")).toBeUndefined();
  expect(note("192.0.2.1")).toBe(60);
});

test("allows 1000 more attempts per minute", () => {
  const { many, pass } = attempts();
  many("192.0.2.1", 3_000);
  pass(60_000);
  expect(many("192.0.2.1", 1_001).filter((wait) => wait !== undefined)).toHaveLength(1);
});

test("counts all addresses of an IPv6 /64 network as one, and each IPv4 address separately", () => {
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

test("does not count attempts without an address", () => {
  const { note } = attempts();
  for (let n = 0; n < 4_000; n++) expect(note(undefined)).toBeUndefined();
});

test("forgets the oldest address above 10,000 addresses", () => {
  const { many, note } = attempts();
  many("192.0.2.1", 3_000);
  for (let n = 0; n < 10_000; n++) note(`10.0.${n >> 8}.${n & 255}`);
  expect(note("192.0.2.1")).toBeUndefined();
});
