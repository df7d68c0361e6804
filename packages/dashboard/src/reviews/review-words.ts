/* Words of reviews. A kind or status that the service adds does not compile until it has one. */
import type { Review } from "../api/models.ts";
import type { components } from "../api/schema.d.ts";

type ReviewKind = components["schemas"]["ReviewKind"];
type ReviewStatus = components["schemas"]["ReviewStatus"];
type Effect = components["schemas"]["ReviewCall"]["effect"];

export const kindWords: Readonly<Record<ReviewKind, string>> = {
  human_review: "Review",
  guard: "Held back",
  function: "Approval required",
  question: "Agent is unsure",
  outcome_unknown: "Outcome unknown",
};

export const statusWords: Readonly<Record<ReviewStatus, string>> = {
  open: "Open",
  approved: "Approved",
  rejected: "Rejected",
  expired: "Expired",
  settled: "Outcome known",
  cancelled: "Cancelled",
};

export const effectWords: Readonly<Record<Effect, { readonly word: string; readonly meaning: string }>> = {
  read: { word: "Read", meaning: "Changes nothing in the other service." },
  idempotent: { word: "Repeatable", meaning: "Sent again under the same key, it has no second effect." },
  once: { word: "Once", meaning: "Sent again, it may have a second effect." },
};

/** How a review ended, seen by a person: "Approved by another reviewer". */
export function endWords({ status, decisions, approvalsGiven, approvalsNeeded }: Review, me: string): string {
  const last = decisions.at(-1);
  switch (status) {
    case "approved":
    case "rejected":
      return `${statusWords[status]} by ${last?.person === me ? "you" : "another reviewer"}`;
    case "open":
      return decisions.some(({ person }) => person === me)
        ? `Approved by you, ${approvalsGiven} of ${approvalsNeeded}`
        : "No longer yours to decide";
    case "expired":
      return "Expired without a decision";
    case "settled":
      return "Outcome known, no decision needed";
    case "cancelled":
      return "The run was cancelled";
  }
}
