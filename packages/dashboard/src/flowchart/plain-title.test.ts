import { expect, test } from "vitest";
import { plainTitle } from "./plain-title.ts";

test("expressions are shown as the name of their value", () => {
  expect(plainTitle("Pay {{ money(input.amount, 'EUR') }} to {{ nodes.payee.output.name }}?")).toBe(
    "Pay ‹amount› to ‹name›?",
  );
  expect(plainTitle("Is {{ input.a + input.b }} right, {{ 'x' }}?")).toBe("Is ‹…› right, ‹…›?");
  expect(plainTitle("Look up the payee")).toBe("Look up the payee");
});
