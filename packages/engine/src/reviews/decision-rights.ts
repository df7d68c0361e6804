import { normalName, ProcedoError, type Environment } from "@procedo/contract";
import type { ReviewRules } from "@procedo/procedure";
import type { ReviewStatus } from "@procedo/storage";
import { mayNotDecide, type EarlierApproval } from "../access/may-decide.ts";
import { authorize, type Principal } from "../access/principal.ts";

/** Whether a person may decide a review now, or the reason why not. */
export type MayDecide =
  | { readonly allowed: true }
  | {
      readonly allowed: false;
      /** A sentence for the person. */
      readonly reason: string;
    };

/** The facts of a review on which the right to decide it depends. */
export interface DecidableReview {
  /** The environment of the run. */
  readonly environment: Environment;
  /** `open`, or how the review was closed. */
  readonly status: ReviewStatus;
  /** The people who may decide, and the times between which they may. */
  readonly rules: ReviewRules;
  /** The decisions so far. */
  readonly decisions: readonly { readonly person: string }[];
}

/**
 * Whether `decide` would accept a decision of this person now, if its content is valid. Pure.
 *
 * @param earlier all approvals in the run; needed when the rules exclude the approvers of other nodes
 * @throws ProcedoError `unauthorized` when the key or session was deleted meanwhile
 */
export function mayDecideNow(
  { environment, status, rules, decisions }: DecidableReview,
  by: Principal,
  earlier: readonly EarlierApproval[],
  nowMs: number,
): MayDecide {
  const reason =
    missingPermission(by, environment) ??
    closedReason(status) ??
    mayNotDecide(rules, by, earlier) ??
    (hasDecided(decisions, by) ? "You have already decided on this review." : undefined) ??
    (hasExpired(rules, nowMs) ? closedReason("expired") : undefined) ??
    tooEarlyReason(rules, nowMs);
  return reason === undefined ? { allowed: true } : { allowed: false, reason };
}

/** Whether a review has expired. The worker that claims its run closes the review later. */
export function hasExpired({ expiresAtMs }: Pick<ReviewRules, "expiresAtMs">, nowMs: number): boolean {
  return expiresAtMs !== undefined && nowMs >= expiresAtMs;
}

/** Why a decision is refused before a time; `undefined` when it is not. */
export function tooEarlyReason({ notBeforeMs }: Pick<ReviewRules, "notBeforeMs">, nowMs: number): string | undefined {
  if (notBeforeMs === undefined || nowMs >= notBeforeMs) return undefined;
  return `The call may still be under way. Decide after ${new Date(notBeforeMs).toISOString()}.`;
}

function missingPermission(by: Principal, environment: Environment): string | undefined {
  try {
    authorize(by, "review", environment);
    return undefined;
  } catch (error) {
    if (ProcedoError.isError(error) && error.code !== "unauthorized") return error.message;
    throw error;
  }
}

function closedReason(status: ReviewStatus): string | undefined {
  switch (status) {
    case "open":
      return undefined;
    case "settled":
      return "This review no longer needs a decision: the outcome of its call is known now.";
    case "expired":
      return "This review has expired.";
    case "approved":
    case "rejected":
    case "cancelled":
      return `This review was ${status}.`;
  }
}

function hasDecided(decisions: DecidableReview["decisions"], by: Principal): boolean {
  const person = normalName(by.person);
  return decisions.some((decision) => normalName(decision.person) === person);
}
