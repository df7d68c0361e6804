import { isDeepStrictEqual } from "node:util";
import type { ReviewClosed, FrozenCall, OpenReview, ReviewedCall } from "@procedo/procedure";
import type { ReviewRow } from "@procedo/storage";
import { outsider } from "../random-procedure.ts";
import type { Checker, Evidence } from "./checker.ts";
import type { FollowedRun } from "./followed-run.ts";

export const reviews: Checker = {
  invariant: "reviews",
  promise:
    "a review has one outcome, one decision per person and its rules hold, and exactly the approved call is sent",
  always: false,
  check: async (evidence) => {
    const faults: string[] = [];
    for (const run of evidence.runs) {
      const { scope, runId } = run.run;
      const rows = await evidence.storage.reviews.ofRun({ scope, runId });
      faults.push(...outcomes(evidence, run, rows), ...approvedCalls(run), ...guards(run));
    }
    for (const { reviewId, person, flaw, answer } of evidence.history.decisions) {
      if (flaw === undefined || answer === undefined || answer === "refused") continue;
      faults.push(`A decision of ${person} on ${reviewId} was accepted, although ${flaw}.`);
    }
    return faults;
  },
};

function outcomes(evidence: Evidence, { run, entries }: FollowedRun, rows: readonly ReviewRow[]): readonly string[] {
  const faults: string[] = [];
  const asked = new Map<string, OpenReview>();
  const answered = new Set<string>();
  let closed = false;
  for (const { entry } of entries) {
    if (entry.type === "review_opened") asked.set(entry.review.reviewId, entry.review);
    if (entry.type === "intent" && closed) faults.push(`Run ${run.runId} called after a review had ended it.`);
    if (entry.type !== "review_closed") continue;
    const review = asked.get(entry.reviewId);
    if (review === undefined || answered.has(entry.reviewId)) {
      faults.push(`Run ${run.runId}: review ${entry.reviewId} was closed twice, or never opened.`);
      continue;
    }
    answered.add(entry.reviewId);
    const { status } = entry.answer;
    if (status === "expired" || (status === "rejected" && review.kind !== "guard")) closed = true;
    const row = rows.find(({ reviewId }) => reviewId === entry.reviewId);
    if (row?.status !== status) {
      faults.push(`Review ${entry.reviewId} is ${row?.status} in storage and ${status} in the journal.`);
    }
    faults.push(...decisionsOf(evidence, review, entry));
  }
  for (const { reviewId } of rows) if (!asked.has(reviewId)) faults.push(`Review ${reviewId} is in no journal.`);
  return faults;
}

function decisionsOf({ history }: Evidence, review: OpenReview, { answer }: ReviewClosed): readonly string[] {
  const { reviewId, rules } = review;
  if (answer.status !== "approved" && answer.status !== "rejected") return [];
  const faults: string[] = [];
  const people = answer.decisions.map(({ person }) => person);
  const approvals = answer.decisions.filter(({ approved }) => approved).length;
  if (new Set(people).size !== people.length) faults.push(`Review ${reviewId} counts a person twice.`);
  if (answer.status === "approved" && (approvals < rules.approvals || approvals !== people.length)) {
    faults.push(`Review ${reviewId} was approved by ${approvals} of ${rules.approvals} people.`);
  }
  if (answer.status === "rejected" && approvals === people.length)
    faults.push(`Review ${reviewId} is rejected, and no person rejected it.`);
  for (const { person, approved, digest, atMs } of answer.decisions) {
    const submitted = history.decisions.some(
      (decision) => decision.reviewId === reviewId && decision.person === person && decision.approved === approved,
    );
    if (!submitted) faults.push(`${person} never decided on review ${reviewId}.`);
    if (person === rules.excludes) faults.push(`${person} must not decide on review ${reviewId}.`);
    if (person === outsider && rules.roles.length > 0) faults.push(`${person} has no role for review ${reviewId}.`);
    if (digest !== review.digest) faults.push(`${person} decided on other data than review ${reviewId} shows.`);
    if (rules.notBeforeMs !== undefined && atMs < rules.notBeforeMs)
      faults.push(`Review ${reviewId} was decided too early.`);
    if (rules.expiresAtMs !== undefined && atMs > rules.expiresAtMs) {
      faults.push(`Review ${reviewId} was decided ${atMs - rules.expiresAtMs} ms after it had expired.`);
    }
  }
  return faults;
}

/** The next call of a node after an approval is the approved call. */
function approvedCalls({ run, entries }: FollowedRun): readonly string[] {
  const approved = new Map<string, FrozenCall>();
  const asked = new Map<string, OpenReview>();
  return entries.flatMap(({ entry }) => {
    if (entry.type === "review_opened") asked.set(entry.review.reviewId, entry.review);
    if (entry.type === "review_closed" && entry.answer.status === "approved") {
      const call = asked.get(entry.reviewId)?.call;
      if (call !== undefined) approved.set(call.nodeId, frozenOf(call));
    }
    // A guard stopped the approved call; its review must show the same call.
    if (entry.type === "review_opened" && entry.review.kind === "guard" && entry.review.call !== undefined) {
      const expected = approved.get(entry.nodeId);
      approved.delete(entry.nodeId);
      if (expected !== undefined && !isDeepStrictEqual(frozenOf(entry.review.call), expected)) {
        return [`Run ${run.runId}: the guard of ${entry.nodeId} shows another call than was approved.`];
      }
    }
    if (entry.type === "node_failed") approved.delete(entry.nodeId);
    if (entry.type !== "intent" || entry.attempt !== 1) return [];
    const expected = approved.get(entry.nodeId);
    approved.delete(entry.nodeId);
    return expected === undefined || isDeepStrictEqual(entry.frozen, expected)
      ? []
      : [`Run ${run.runId}: ${entry.nodeId} sends another call than was approved.`];
  });
}

function frozenOf({ nodeId: _node, digest: _digest, ...frozen }: ReviewedCall): FrozenCall {
  return frozen;
}

const limitGuard = /^args\.amount <= (\d+)$/;

/** No call passes a guard that does not hold unless a person approved the call of this visit. */
function guards({ run, entries }: FollowedRun): readonly string[] {
  const held = new Set<string>();
  return entries.flatMap(({ entry }) => {
    if (entry.type === "review_opened" && entry.review.kind === "guard") held.add(`${entry.nodeId}/${entry.visit}`);
    if (entry.type !== "intent") return [];
    const node = run.procedure.nodes.get(entry.nodeId);
    if (node?.kind !== "tool_call") return [];
    return node.guards.flatMap(({ check, otherwise }) => {
      const limit = Number(limitGuard.exec(check.source)?.[1] ?? Infinity);
      if (Number(entry.frozen.args["amount"]) <= limit) return [];
      const asked = otherwise === "review" && held.has(`${entry.nodeId}/${entry.visit}`);
      return asked ? [] : [`Run ${run.runId}: ${entry.nodeId} was called past its guard "${check.source}".`];
    });
  });
}
