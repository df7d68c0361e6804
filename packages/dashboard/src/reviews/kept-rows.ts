import type { ReviewSummary } from "../api/models.ts";

/** A row of the list. */
export interface ReviewRow {
  readonly review: ReviewSummary;
  /** Whether the review has left the list since it was shown, such as by a decision. */
  readonly hasLeft: boolean;
}

/**
 * The rows of the list after it was read again. A row stays in its place, so that none moves or vanishes under the
 * finger of a person; new ones come last.
 *
 * @returns `shown` itself when nothing changed
 */
export function keepRows(shown: readonly ReviewRow[], present: readonly ReviewSummary[]): readonly ReviewRow[] {
  const byId = new Map(present.map((review) => [review.reviewId, review]));
  const kept = shown.map((row): ReviewRow => {
    const { reviewId } = row.review;
    const review = byId.get(reviewId);
    byId.delete(reviewId);
    if (review === undefined) return row.hasLeft ? row : { ...row, hasLeft: true };
    return review === row.review && !row.hasLeft ? row : { review, hasLeft: false };
  });
  const added = [...byId.values()].map((review): ReviewRow => ({ review, hasLeft: false }));
  const isSame = added.length === 0 && kept.every((row, index) => row === shown[index]);
  return isSame ? shown : [...kept, ...added];
}

/** The next review to decide after one of the list: further down, else from the top. */
export function nextToDecide(rows: readonly ReviewRow[], reviewId: string): ReviewSummary | undefined {
  const at = rows.findIndex(({ review }) => review.reviewId === reviewId);
  const others = [...rows.slice(at + 1), ...rows.slice(0, Math.max(at, 0))];
  return others.find(({ review, hasLeft }) => !hasLeft && review.status === "open" && review.mayDecide.allowed)?.review;
}
