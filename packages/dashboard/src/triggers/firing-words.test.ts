import { expect, test } from "vitest";
import { firingEvent, firingReason, mayRefire } from "./firing-words.ts";

test("a firing without a run says why, and for how many times it stands", () => {
  expect(firingReason({ status: "skipped", reason: "overlap", count: 1 })).toBe(
    "A run of this trigger was still open.",
  );
  expect(firingReason({ status: "skipped", reason: "missed", count: 1_200 })).toBe(
    "The service was not running at this time. It stands for 1,200 times.",
  );
  expect(firingReason({ status: "waiting", count: 1 })).toMatch(/^It waits/);
  expect(firingReason({ status: "started", count: 1 })).toBeUndefined();
});

test("a firing that started a run is not offered again, and neither is one of a deleted trigger", () => {
  expect(mayRefire({ status: "failed", reason: "mapping_failed" })).toBe(true);
  expect(mayRefire({ status: "skipped", reason: "filtered" })).toBe(true);
  expect(mayRefire({ status: "skipped", reason: "deleted" })).toBe(false);
  expect(mayRefire({ status: "started" })).toBe(false);
  expect(mayRefire({ status: "waiting" })).toBe(false);
});

test("an event is told by the sender's id, and a request by no digest", () => {
  const digest = "a".repeat(64);
  expect(firingEvent({ type: "invoice.received", id: "evt_1", digest })).toEqual({
    type: "invoice.received",
    id: "evt_1",
  });
  expect(firingEvent({ type: "webhook", id: digest, digest })).toEqual({ type: "Request", id: undefined });
});
