import { expect, test } from "vitest";
import { hasFilters, readRunFilters } from "./run-filters.ts";

test("reads one status or several, and leaves out unknown ones", () => {
  expect(readRunFilters({ status: "failed" })).toEqual({ status: ["failed"] });
  expect(readRunFilters({ status: ["failed", "running", "nonsense"] })).toEqual({ status: ["running", "failed"] });
  expect(readRunFilters({ status: "failed,running" })).toEqual({ status: ["running", "failed"] });
  expect(readRunFilters({ status: "nonsense" })).toEqual({});
});

test("reads texts without spaces around them, and leaves out empty and other values", () => {
  expect(readRunFilters({ procedure: "pay", q: " INV-1 ", startedBy: " ", attention: "true", other: "x" })).toEqual({
    procedure: "pay",
    q: "INV-1",
    attention: "true",
  });
});

test("reads days, also of timestamps, and leaves out what is none", () => {
  expect(readRunFilters({ from: "2026-11-20", to: "2026-11-21T10:00:00Z" })).toEqual({
    from: "2026-11-20",
    to: "2026-11-21",
  });
  expect(readRunFilters({ from: "yesterday", to: "2026-02-31" })).toEqual({});
});

test("tells whether anything is filtered", () => {
  expect(hasFilters({})).toBe(false);
  expect(hasFilters({ q: "INV-1" })).toBe(true);
});
