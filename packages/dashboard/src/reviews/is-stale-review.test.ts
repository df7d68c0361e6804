import { expect, test } from "vitest";
import { isStaleReview } from "./is-stale-review.ts";

test.each([
  ["open", "a", false],
  ["open", "b", true],
  ["approved", "b", false],
  ["cancelled", "b", false],
  ["expired", "b", false],
] as const)("of a review that was read, %s with digest %s is stale: %s", (status, digest, isStale) => {
  expect(isStaleReview({ status: "open", digest: "a" }, { status, digest })).toBe(isStale);
});
