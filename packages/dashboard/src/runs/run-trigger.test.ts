import { expect, test } from "vitest";
import { triggerLine } from "./run-trigger.ts";

const scheduledAt = "2026-11-26T05:30:00.000Z";

test("a run of a schedule tells its trigger and the time that was due, in the reader's zone", () => {
  const trigger = { kind: "schedule", triggerId: "trg_1", firingId: "fir_1", scheduledAt } as const;
  expect(triggerLine(trigger, "Daily check", "Europe/Berlin")).toBe(
    "Schedule “Daily check”, due 26 Nov 2026, 06:30:00 CET",
  );
});

test.each([
  [{ kind: "integration", triggerId: "trg_1", eventId: "evt_1" }, "Settled", "Event “Settled”"],
  [{ kind: "webhook", triggerId: "trg_1" }, "Invoices", "Webhook “Invoices”"],
  [{ kind: "event", triggerId: "trg_1" }, "Paid", "Custom event “Paid”"],
  [{ kind: "manual", triggerId: "trg_1" }, "Daily check", "By hand, from “Daily check”"],
  [{ kind: "manual" }, undefined, "By hand"],
] as const)("%j of %s is told as %s", (trigger, name, line) => {
  expect(triggerLine(trigger, name, "UTC")).toBe(line);
});
