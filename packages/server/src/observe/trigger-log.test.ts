import { expect, test } from "vitest";
import { createTriggerLog } from "./trigger-log.ts";
import type { FiringOutcome } from "./watch-firings.ts";

function logged(...outcomes: readonly FiringOutcome[]): readonly string[] {
  const lines: string[] = [];
  const observe = createTriggerLog({
    warn: (_message, fields) => lines.push(`${String(fields?.["triggerId"])} ${String(fields?.["reason"])}`),
  });
  outcomes.forEach(observe);
  return lines;
}

const failed = (triggerId: string, reason: string): FiringOutcome => ({ status: "failed", triggerId, reason });
const started = (triggerId: string): FiringOutcome => ({ status: "started", triggerId, lateMs: 1 });

test("a trigger that keeps failing is logged once, and again for another reason", () => {
  expect(logged(failed("a", "x"), failed("a", "x"), failed("b", "x"), failed("a", "y"))).toEqual(["a x", "b x", "a y"]);
});

test("a trigger that works again and then fails is logged again", () => {
  expect(logged(failed("a", "x"), started("b"), failed("a", "x"), started("a"), failed("a", "x"))).toEqual([
    "a x",
    "a x",
  ]);
});

test("a skipped firing is not logged", () => {
  expect(logged({ status: "skipped", reason: "overlap", count: 1 })).toEqual([]);
});
