import { expect, test } from "vitest";
import type { Trigger } from "../api/models.ts";
import { readTriggerFilters, shownTriggers } from "./trigger-filters.ts";

const trigger = (name: string, facts: object = {}): Trigger =>
  ({
    name,
    procedureId: "pay",
    state: "active",
    source: { kind: "schedule" },
    health: { status: "ok" },
    ...facts,
  }) as Trigger;

const all = [
  trigger("b", { health: { status: "failing" } }),
  trigger("c", { state: "paused", health: { status: "failing" }, procedureId: "other" }),
  trigger("a", { source: { kind: "webhook" } }),
  trigger("d", { state: "paused", health: { status: "needs_attention" } }),
];
const named = (filters: Parameters<typeof shownTriggers>[1]): string =>
  shownTriggers(all, filters)
    .map(({ name }) => name)
    .join("");

test("those that need a person come first, and each filter leaves out the others", () => {
  expect(named({})).toBe("dbac");
  expect(named({ state: "paused" })).toBe("c");
  expect(named({ state: "failing" })).toBe("b");
  expect(named({ kind: "webhook" })).toBe("a");
  expect(named({ procedure: "other" })).toBe("c");
  expect(named({ q: "D" })).toBe("d");
});

test("filters of an address that are not valid are left out", () => {
  const none = { state: undefined, kind: undefined, procedure: undefined, q: undefined };
  expect(readTriggerFilters({ state: "nonsense", kind: ["webhook"], q: " ", procedure: "" })).toEqual(none);
  const given = { state: "paused", kind: "webhook", procedure: "pay", q: "bill" };
  expect(readTriggerFilters(given)).toEqual(given);
});
