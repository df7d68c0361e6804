import { expect, test } from "vitest";
import { successShare } from "./success-share.ts";

test.each([
  [9_999, 1, "99.9 %"],
  [10, 0, "100 %"],
  [1, 2, "33.3 %"],
  [0, 3, "0 %"],
  [0, 0, "–"],
])("%i completed and %i failed runs are %s", (completed, failed, text) => {
  expect(successShare(completed, failed)).toBe(text);
});
