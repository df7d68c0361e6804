import { expect, test } from "vitest";
import { concurrently } from "./concurrently.ts";
import { tally } from "./tally.ts";
import { quantile } from "./quantile.ts";

test("every item is processed once, in its lane's order", async () => {
  const worked: string[] = [];
  await concurrently([0, 1, 2, 3, 4], 2, async (items, lane) => void worked.push(`${lane}: ${items.join()}`));
  expect(worked).toEqual(["0: 0,2,4", "1: 1,3"]);
});

test("a tally sums the counts of all lanes and keeps every failure", () => {
  const total = tally();
  total.add("kills");
  total.add("kills", 2);
  total.fail("a");
  expect(total.result({ points: 1 })).toEqual({ counts: { kills: 3, points: 1 }, failures: ["a"] });
});

test("a quantile is one of the values, and 0 of none", () => {
  expect(quantile([5, 1, 3, 2, 4], 0.5)).toBe(3);
  expect(quantile([1, 2], 0.95)).toBe(2);
  expect(quantile([], 0.95)).toBe(0);
});
