import type { ReviewOpened, ReviewRules } from "@procedo/procedure";
import type { NewReview } from "@procedo/storage";

/** What storage keeps of a review beside its columns; what was shown stands in the journal, once. */
export interface ReviewRowBody {
  readonly rules: ReviewRules;
}

/** The review's record as storage keeps it. */
export function reviewRowOf(entry: ReviewOpened): NewReview {
  const { review } = entry;
  const body: ReviewRowBody = { rules: review.rules };
  return {
    reviewId: review.reviewId,
    nodeId: entry.nodeId,
    kind: review.kind,
    title: review.title,
    body: JSON.stringify(body),
    digest: review.digest,
    effectKey: review.effectKey,
    openedAtMs: entry.atMs,
  };
}
