import { expect, test } from "vitest";
import { hasFilters, readRunFilters } from "./run-filters.ts";

test("reads one status or several, and leaves out unknown ones", () => {
  expect(readRunFilters({ status: "failed" })).toEqual({ status: ["failed"] });
  expect(readRunFilters({ status: ["failed", "running", "nonsense"] })).toEqual({ status: ["failed", "running"] });
  expect(readRunFilters({ status: "nonsense" })).toEqual({});
});

test("reads texts, and leaves out empty and other values", () => {
  expect(readRunFilters({ procedure: "pay", q: "", from: 7, to: "2026-11-20", other: "x" })).toEqual({
    procedure: "pay",
    to: "2026-11-20",
  });
});

test("tells whether anything is filtered", () => {
  expect(hasFilters({})).toBe(false);
  expect(hasFilters({ q: "INV-1" })).toBe(true);
});
