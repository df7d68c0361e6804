import type { Entry } from "@procedo/procedure";
import type { ReviewRow } from "@procedo/storage";
import type { EarlierApproval } from "../access/may-decide.ts";
import type { DecisionBody } from "../inbox/notification.ts";

/** The decisions on a review so far, in order. */
export function decisionsOn(review: Pick<ReviewRow, "decisions">): readonly DecisionBody[] {
  return review.decisions.map((body) => JSON.parse(body) as DecisionBody);
}

/** Who approved a review of the run, in whichever visit of its node and however the review ended. */
export function approvalsOf(reviews: readonly ReviewRow[]): readonly EarlierApproval[] {
  return reviews.flatMap((review) =>
    decisionsOn(review).flatMap(({ approved, person }) => (approved ? [{ nodeId: review.nodeId, person }] : [])),
  );
}

/** The same from the run's journal, which tells of reviews that are over. */
export function approvalsIn(entries: readonly Entry[]): readonly EarlierApproval[] {
  const nodes = new Map<string, string>();
  return entries.flatMap((entry) => {
    if (entry.type === "review_opened") nodes.set(entry.review.reviewId, entry.nodeId);
    if (entry.type !== "review_closed" || !("decisions" in entry.answer)) return [];
    const nodeId = nodes.get(entry.reviewId) ?? "";
    return entry.answer.decisions.flatMap(({ approved, person }) => (approved ? [{ nodeId, person }] : []));
  });
}
