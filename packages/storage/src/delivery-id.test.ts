import { expect, it } from "vitest";
import { deliveryIdOf } from "./delivery-id.ts";

it("the id of a delivery depends on its event and webhook only", () => {
  expect(deliveryIdOf("event-1", "hook-1")).toBe(deliveryIdOf("event-1", "hook-1"));
  expect(deliveryIdOf("event-1", "hook-1")).toMatch(/^dlv_[0-9a-f]{32}$/);
  const others = [
    deliveryIdOf("event-1", "hook-2"),
    deliveryIdOf("event-2", "hook-1"),
    deliveryIdOf("event-1hook", "-1"),
  ];
  expect(new Set([...others, deliveryIdOf("event-1", "hook-1")]).size).toBe(4);
});
