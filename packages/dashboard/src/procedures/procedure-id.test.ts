import * as fc from "fast-check";
import { expect, test } from "vitest";
import { procedureIdFor, whyNotProcedureId } from "./procedure-id.ts";

test("an id is proposed from the words of a name", () => {
  expect(procedureIdFor("Vendor payment")).toBe("vendor-payment");
  expect(procedureIdFor("Zahlung über 10.000 €")).toBe("zahlung-uber-10-000");
  expect(procedureIdFor("支払い")).toBe("");
});

test("a proposed id is possible, or empty", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), (name) => {
      const id = procedureIdFor(name);
      expect(whyNotProcedureId(id)).toBe(id === "" ? "Enter an id." : undefined);
    }),
  );
});

test("an id that is not possible says why", () => {
  expect(whyNotProcedureId("-payment")).toContain("begins with a letter or digit");
  expect(whyNotProcedureId("a/b")).toContain("letters, digits, . _ - only");
  expect(whyNotProcedureId("a".repeat(129))).toBe("An id has at most 128 characters.");
  expect(whyNotProcedureId("Payment_v2.1")).toBeUndefined();
});
