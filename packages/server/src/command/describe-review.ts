import type { Review } from "@procedo/engine";
import { moment } from "./table.ts";

/**
 * A review as lines: its question, the eligible reviewers, the shown values and the call that an approval sends. Pure.
 */
export function describeReview(review: Review): readonly string[] {
  const { rules, call, decisions } = review;
  const wanted = [...rules.roles.map((role) => `role ${role}`), ...rules.people];
  return [
    `${review.title}`,
    `Review ${review.reviewId} (${review.kind}) of run ${review.runId}: ${review.status}`,
    ...(review.reference === undefined ? [] : [`Reference: ${review.reference}`]),
    `Asked at ${moment(review.openedAtMs)}; approvals needed: ${rules.approvals}`,
    `May decide: ${wanted.length === 0 ? "anyone with the permission to review" : wanted.join(", ")}`,
    ...(rules.excludes === undefined ? [] : [`May not decide: ${rules.excludes}`]),
    ...(rules.excludesApproversOf ?? []).map((nodeId) => `May not decide: the people who approved ${nodeId}`),
    ...(rules.notBeforeMs === undefined ? [] : [`Not before ${moment(rules.notBeforeMs)}`]),
    ...(rules.expiresAtMs === undefined ? [] : [`Expires at ${moment(rules.expiresAtMs)}`]),
    `Shown: ${JSON.stringify(review.data)}`,
    ...(call === undefined ? [] : [`Sends: ${call.connection}.${call.action} ${JSON.stringify(call.args)}`]),
    `Digest: ${review.digest}`,
    ...decisions.map(({ approved, person, atMs }) => {
      return `${approved ? "Approved" : "Rejected"} by ${person} at ${moment(atMs)}`;
    }),
  ];
}
