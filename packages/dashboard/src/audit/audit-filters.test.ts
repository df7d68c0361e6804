import { expect, test } from "vitest";
import { auditQuery, hasFilters, readAuditFilters } from "./audit-filters.ts";

test("filters are read from the address, and others are left out", () => {
  const search = {
    environment: "live",
    action: "person.invited",
    person: " ana@acme.example ",
    subject: 7,
    other: "x",
  };
  expect(readAuditFilters(search)).toEqual({
    environment: "live",
    action: "person.invited",
    person: "ana@acme.example",
  });
  expect(readAuditFilters({ environment: "staging", person: "" })).toEqual({});
});

test("texts that are not days are left out", () => {
  expect(readAuditFilters({ from: "2026-02-28", to: "2026-02-31" })).toEqual({ from: "2026-02-28" });
  expect(readAuditFilters({ from: "yesterday", to: 7 })).toEqual({});
});

test("the last day is included, in the reader's zone", () => {
  expect(auditQuery({ from: "2026-11-25", to: "2026-11-26" }, "Europe/Berlin")).toEqual({
    from: "2026-11-24T23:00:00.000Z",
    to: "2026-11-26T23:00:00.000Z",
  });
  // The clocks change at the end of the first day, whose next day begins 25 hours later.
  expect(auditQuery({ from: "2026-10-25", to: "2026-10-25" }, "Europe/Berlin")).toEqual({
    from: "2026-10-24T22:00:00.000Z",
    to: "2026-10-25T23:00:00.000Z",
  });
});

test("the environment alone is no filter", () => {
  expect(hasFilters({ environment: "live" })).toBe(false);
  expect(hasFilters({ subject: "live/wh_1" })).toBe(true);
});
