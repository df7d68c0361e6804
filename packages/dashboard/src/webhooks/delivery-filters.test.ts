import { expect, test } from "vitest";
import { deliveriesQuery, hasFilters, readDeliveryFilters } from "./delivery-filters.ts";

test("filters of an address that are not valid are left out", () => {
  const filters = readDeliveryFilters({ status: "lost", event: " run_failed ", run: ["a", "b"], from: "2026-02-31" });
  expect(filters).toEqual({ event: "run_failed" });
  expect(hasFilters(filters)).toBe(true);
  expect(hasFilters(readDeliveryFilters({ status: "lost" }))).toBe(false);
});

test("a day begins and ends in the reader's zone", () => {
  const filters = readDeliveryFilters({ status: "failed", run: "run_1", from: "2026-11-20", to: "2026-11-20" });
  expect(deliveriesQuery(filters, "Europe/Berlin")).toEqual({
    status: "failed",
    runId: "run_1",
    from: "2026-11-19T23:00:00.000Z",
    to: "2026-11-20T23:00:00.000Z",
  });
});
