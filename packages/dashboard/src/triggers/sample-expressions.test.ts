import { expect, test } from "vitest";
import { sampleExpressions } from "./sample-expressions.ts";

test("each value of a sample has an expression, by the names that CEL reads", () => {
  const event = { id: "evt_1", data: { amount: 12, "due-date": "2027-02-15", list: [1, 2], none: null } };
  expect(sampleExpressions(event)).toEqual([
    "{{ event.id }}",
    "{{ event.data.amount }}",
    '{{ event.data["due-date"] }}',
    "{{ event.data.list }}",
    "{{ event.data.none }}",
  ]);
});

test("a sample that is no object offers none, and a large one a bounded number", () => {
  expect(sampleExpressions("text")).toEqual([]);
  expect(
    sampleExpressions(Object.fromEntries(Array.from({ length: 999 }, (_, index) => [`m${index}`, 1]))),
  ).toHaveLength(200);
});
