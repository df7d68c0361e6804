import { expect, test } from "vitest";
import { nearestName } from "./nearest-name.ts";

test.each([
  ["amont", "amount"],
  ["vednorId", "vendorId"],
  ["AMOUNT", "amount"],
  ["amounts", "amount"],
])("the nearest name to %s is %s", (name, meant) => {
  expect(nearestName(name, ["currency", "vendorId", "amount"])).toBe(`did you mean "${meant}"?`);
});

test("a name without a near one gets a short list of all names", () => {
  expect(nearestName("total", ["amount", "vendorId"])).toBe('known are "amount", "vendorId"');
  expect(nearestName("x", [])).toBe("there are none");
  const many = Array.from({ length: 20 }, (_, index) => `field_${index}`);
  expect(nearestName("total", many)).toMatch(/"field_7" and others$/);
});

test("a short name is not similar to any other short name", () => {
  expect(nearestName("id", ["to", "no"])).toContain("known are");
});
