import { describe, expect, test } from "vitest";
import { eventEnvelopeSchema, eventNameSchema } from "./events.ts";

const origin = { runId: "run_1", procedureId: "vendor-payment", environment: "live" };
const envelope = (event: string, data: object) => ({ id: "evt_1", event, createdAt: "2026-01-31T09:30:00.000Z", data });
const completed = envelope("run_completed", { ...origin, status: "completed", output: { paymentId: "p1" } });
const failed = envelope("run_failed", { ...origin, status: "failed", error: "Rejected: too much." });
const requested = envelope("human_review_requested", { ...origin, reviewTitle: "Pay?", reviewData: { amount: 1 } });
const custom = envelope("custom.payment_sent", { ...origin, payload: { paymentId: "p1" } });
const accepts = (value: unknown): boolean => eventEnvelopeSchema.safeParse(value).success;

describe.each([completed, failed, requested, custom])("the envelope of $event", (event) => {
  test("has exactly id, event, createdAt and data", () => {
    expect(eventEnvelopeSchema.parse(event)).toEqual(event);
    expect(accepts({ ...event, attempt: 1 })).toBe(false);
    for (const name of Object.keys(event)) expect(accepts({ ...event, [name]: undefined }), name).toBe(false);
  });

  test("has exactly the data of its event", () => {
    expect(accepts({ ...event, data: { ...event.data, extra: 1 } })).toBe(false);
    for (const name of Object.keys(event.data)) {
      expect(accepts({ ...event, data: { ...event.data, [name]: undefined } }), name).toBe(false);
    }
  });
});

test.each([completed, failed, requested, custom])(
  "the data of $event may contain its number within the run",
  (event) => {
    const numbered = (sequence: unknown): object => ({ ...event, data: { ...event.data, sequence } });
    expect(eventEnvelopeSchema.parse(numbered(3))).toEqual(numbered(3));
    for (const sequence of [0, -1, 1.5, "1", null]) expect(accepts(numbered(sequence)), String(sequence)).toBe(false);
  },
);

test("the status of run_completed is always completed, of run_failed always failed", () => {
  expect(accepts({ ...completed, data: { ...completed.data, status: "failed" } })).toBe(false);
  expect(accepts({ ...failed, data: { ...failed.data, status: "completed" } })).toBe(false);
});

test("an event does not accept another event's data", () => {
  expect(accepts({ ...completed, data: failed.data })).toBe(false);
  expect(accepts({ ...custom, data: requested.data })).toBe(false);
});

test.each([
  "run_completed",
  "run_failed",
  "human_review_requested",
  "custom.a",
  "custom.payment_sent",
  "custom.v1.x-y",
])("a webhook can subscribe to %s", (name) => {
  expect(eventNameSchema.parse(name)).toBe(name);
});

test.each([
  "run_started",
  "custom",
  "custom.",
  "custom.-a",
  "custom.a b",
  "custom.*",
  "CUSTOM.a",
  `custom.${"a".repeat(65)}`,
  "",
])("a webhook cannot subscribe to %j", (name) => {
  expect(eventNameSchema.safeParse(name).success).toBe(false);
});
