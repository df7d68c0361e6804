import { expect, test } from "vitest";
import { nextChangeMs } from "./next-change.ts";

const nowMs = Date.parse("2026-11-20T12:00:00Z");
const at = (seconds: number): string => new Date(nowMs + seconds * 1_000).toISOString();

test.each([
  ["a review without times", { status: "open" }, false],
  ["one that may be decided later", { status: "open", notBefore: at(10), expiresAt: at(60) }, 10_500],
  ["one that expires", { status: "open", notBefore: at(-10), expiresAt: at(60) }, 60_500],
  ["one that has expired", { status: "open", expiresAt: at(-1) }, false],
  ["one that expires in a month", { status: "open", expiresAt: at(30 * 86_400) }, false],
  ["one that is closed", { status: "approved", expiresAt: at(60) }, false],
] as const)("%s is read again when its time comes", (_name, review, ms) => {
  expect(nextChangeMs(review, nowMs)).toBe(ms);
});
