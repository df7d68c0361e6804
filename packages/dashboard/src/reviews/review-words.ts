/* Words of reviews. A kind or status that the service adds does not compile until it has one. */
import type { components } from "../api/schema.d.ts";

type ReviewKind = components["schemas"]["ReviewKind"];
type ReviewStatus = components["schemas"]["ReviewStatus"];
type Effect = components["schemas"]["ReviewCall"]["effect"];

export const kindWords: Readonly<Record<ReviewKind, string>> = {
  human_review: "Review",
  guard: "Limit reached",
  function: "Function asks",
  question: "Agent is unsure",
  outcome_unknown: "Outcome unknown",
};

export const statusWords: Readonly<Record<ReviewStatus, string>> = {
  open: "Open",
  approved: "Approved",
  rejected: "Rejected",
  expired: "Expired",
  settled: "Settled by a late answer",
  cancelled: "Cancelled",
};

export const effectWords: Readonly<Record<Effect, string>> = {
  read: "Reads only",
  idempotent: "May be repeated",
  once: "Happens once",
};
