import { expect, test } from "vitest";
import { deliverySchema, resendDeliveriesRequestSchema } from "./deliveries.ts";

const delivery = {
  id: "evt_1",
  event: "run_completed",
  url: "https://example.test/hook",
  status: "delivered",
  responseCode: 204,
  attemptCount: 2,
  createdAt: "2026-01-31T09:30:00.000Z",
  deliveredAt: "2026-01-31T09:30:05.000Z",
};
const accepts = (change: object): boolean => deliverySchema.safeParse({ ...delivery, ...change }).success;

test("a delivery record has the contract's fields and no others", () => {
  expect(deliverySchema.parse(delivery)).toEqual(delivery);
  expect(accepts({ body: "secret" })).toBe(false);
});

test("a delivery is pending, delivered, failed or skipped", () => {
  for (const status of ["pending", "delivered", "failed", "skipped"]) expect(accepts({ status })).toBe(true);
  expect(accepts({ status: "retrying" })).toBe(false);
});

test("a resend covers failed deliveries, skipped ones, or both", () => {
  const since = "2026-01-31T09:30:00.000Z";
  expect(resendDeliveriesRequestSchema.parse({ since })).toEqual({ since, statuses: ["failed", "skipped"] });
  expect(resendDeliveriesRequestSchema.parse({ since, statuses: ["skipped"] })).toEqual({
    since,
    statuses: ["skipped"],
  });
  for (const statuses of [[], ["delivered"], ["pending"], ["failed", "failed"], "failed"]) {
    expect(resendDeliveriesRequestSchema.safeParse({ since, statuses }).success, JSON.stringify(statuses)).toBe(false);
  }
});

test("a delivery without an answer has neither a response code nor a time of delivery", () => {
  expect(accepts({ status: "pending", attemptCount: 0, responseCode: undefined, deliveredAt: undefined })).toBe(true);
});

test("a response code is an HTTP status", () => {
  for (const responseCode of [99, 600, 200.5, "200"]) expect(accepts({ responseCode })).toBe(false);
});
