import { describe, expect, test } from "vitest";
import type { ReviewSummary } from "../api/models.ts";
import { keepRows, nextToDecide } from "./kept-rows.ts";

const review = (reviewId: string, allowed = true): ReviewSummary =>
  ({ reviewId, status: "open", mayDecide: allowed ? { allowed } : { allowed, reason: "Not yours." } }) as ReviewSummary;

const [a, b, c, d] = [review("a"), review("b"), review("c"), review("d")];
const idsOf = (rows: ReturnType<typeof keepRows>): readonly string[] =>
  rows.map(({ review: { reviewId }, hasLeft }) => (hasLeft ? `-${reviewId}` : reviewId));

describe("rows of the list of reviews", () => {
  test("a row that left the list stays in its place, and new ones come last", () => {
    const shown = keepRows([], [a, b, c]);
    expect(idsOf(keepRows(shown, [d, a, c]))).toEqual(["a", "-b", "c", "d"]);
  });

  test("a row that returns is in the list again, with its newest state", () => {
    const newer = { ...b, approvalsGiven: 1 };
    const rows = keepRows(keepRows(keepRows([], [a, b]), [a]), [a, newer]);
    expect(idsOf(rows)).toEqual(["a", "b"]);
    expect(rows[1]?.review).toBe(newer);
  });

  test("rows without a change are the same object, so that nothing is rendered again", () => {
    const shown = keepRows([], [a, b]);
    expect(keepRows(shown, [a, b])).toBe(shown);
    const left = keepRows(shown, [a]);
    expect(keepRows(left, [a])).toBe(left);
  });
});

describe("the next review to decide", () => {
  test("is further down, else at the top", () => {
    const rows = keepRows([], [a, b, c]);
    expect(nextToDecide(rows, "b")?.reviewId).toBe("c");
    expect(nextToDecide(rows, "c")?.reviewId).toBe("a");
  });

  test("is none that has left the list, and none that the reader may not decide", () => {
    const rows = keepRows(keepRows([], [a, b, review("x", false), d]), [a, review("x", false), d]);
    expect(nextToDecide(rows, "a")?.reviewId).toBe("d");
    expect(nextToDecide(keepRows([], [a, review("x", false)]), "a")).toBeUndefined();
  });

  test("is the first one when the review is not in the list", () => {
    expect(nextToDecide(keepRows([], [a, b]), "elsewhere")?.reviewId).toBe("a");
  });
});
