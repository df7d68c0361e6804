import { expect, test } from "vitest";
import { siblingPlaces } from "./sibling-places.ts";

test("each row has its place among the rows of its parent", () => {
  const rows = [1, 1, 2, 3, 3, 2, 1].map((level) => ({ level }));
  expect(siblingPlaces(rows).map(({ position, count }) => `${position} of ${count}`)).toEqual([
    "1 of 3",
    "2 of 3",
    "1 of 2",
    "1 of 2",
    "2 of 2",
    "2 of 2",
    "3 of 3",
  ]);
  expect(siblingPlaces([])).toEqual([]);
});
