import type { ReviewedCall, ReviewOpened, ReviewRules } from "@procedo/procedure";
import type { NewReview } from "@procedo/storage";

/**
 * The stored part of a review beside its columns. The content that reviewers see is in the journal; storage holds a
 * copy only for a run with a long journal (`journal/short-journal.ts`).
 */
export interface ReviewRowBody {
  readonly rules: ReviewRules;
  /** The call that an approval sends, without its arguments, for lists. */
  readonly call?: ListedCall;
}

/** The names of a call that an approval sends, and its effect. */
export type ListedCall = Pick<ReviewedCall, "connection" | "action" | "effect">;

/** The review's record for storage. */
export function reviewRowOf(entry: ReviewOpened): NewReview {
  const { review } = entry;
  const { rules, call } = review;
  const body: ReviewRowBody = { rules, ...(call !== undefined && { call: listedCall(call) }) };
  return {
    reviewId: review.reviewId,
    nodeId: entry.nodeId,
    kind: review.kind,
    title: review.title,
    body: JSON.stringify(body),
    digest: review.digest,
    effectKey: review.effectKey,
    openedAtMs: entry.atMs,
    ...(entry.review.rules.expiresAtMs === undefined ? {} : { expiresAtMs: entry.review.rules.expiresAtMs }),
  };
}

function listedCall({ connection, action, effect }: ReviewedCall): ListedCall {
  return { connection, action, effect };
}
