import type { Entry } from "@procedo/procedure";
import type { ReviewRow } from "@procedo/storage";
import type { EarlierApproval } from "../access/may-decide.ts";
import type { DecisionBody } from "../inbox/notification.ts";

/** The decisions on a review so far, in order. */
export function decisionsOn(review: Pick<ReviewRow, "decisions">): readonly DecisionBody[] {
  return review.decisions.map((body) => JSON.parse(body) as DecisionBody);
}

/** The approvals in a run's reviews, in all visits of their nodes and with any end of the review. */
export function approvalsOf(reviews: readonly ReviewRow[]): readonly EarlierApproval[] {
  return reviews.flatMap((review) =>
    decisionsOn(review).flatMap(({ approved, person }) => (approved ? [{ nodeId: review.nodeId, person }] : [])),
  );
}

/** The approvals in a run's journal, which contains the decisions of closed reviews. */
export function approvalsIn(entries: readonly Entry[]): readonly EarlierApproval[] {
  const nodes = new Map<string, string>();
  return entries.flatMap((entry) => {
    if (entry.type === "review_opened") nodes.set(entry.review.reviewId, entry.nodeId);
    if (entry.type !== "review_closed" || !("decisions" in entry.answer)) return [];
    const nodeId = nodes.get(entry.reviewId) ?? "";
    return entry.answer.decisions.flatMap(({ approved, person }) => (approved ? [{ nodeId, person }] : []));
  });
}
