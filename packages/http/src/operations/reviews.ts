import {
  listReviewsQuerySchema,
  reviewPageSchema,
  reviewSchema,
  scopeQuerySchema,
  type DecisionRecord,
  type Review,
  type ReviewSummary,
} from "@procedo/contract";
import type { Review as AskedReview, ReviewSummary as AskedSummary } from "@procedo/engine";
import { defineOperation, reply } from "../operation.ts";
import { pageAnswer, pageRequest } from "./page.ts";
import { timestamp } from "./timestamp.ts";

export const listReviews = defineOperation({
  id: "listReviews",
  method: "GET",
  path: "/api/v1/reviews",
  tag: "Reviews",
  summary: "List reviews",
  description: "Oldest first. `status=open` lists the reviews that wait for a decision.",
  query: listReviewsQuerySchema,
  heavy: () => true,
  answers: { 200: { description: "One page of reviews.", schema: reviewPageSchema } },
  errors: ["invalid_cursor"],
  handle: async ({ engine, environment, query }) => {
    const { status, procedureId } = query;
    const page = await engine.reviews.list({
      environment,
      ...pageRequest(query),
      ...(status !== undefined && { status }),
      ...(procedureId !== undefined && { procedureId }),
    });
    return reply(200, pageAnswer(page, page.items.map(reviewSummary)));
  },
});

export const getReview = defineOperation({
  id: "getReview",
  method: "GET",
  path: "/api/v1/reviews/:reviewId",
  tag: "Reviews",
  summary: "Get a review",
  description: "The review exactly as reviewers see it, with the decisions so far.",
  query: scopeQuerySchema,
  heavy: () => true,
  answers: { 200: { description: "The review.", schema: reviewSchema } },
  errors: ["review_not_found"],
  handle: async ({ engine, environment, params }) =>
    reply(200, reviewAnswer(await engine.reviews.get({ environment, ...params }))),
});

/** Converts a review to its form in lists. */
export function reviewSummary(review: AskedSummary): ReviewSummary {
  const { reviewId, runId, procedureId, environment, nodeId, kind, status, title, digest, rules } = review;
  return {
    reviewId,
    runId,
    procedureId,
    environment,
    nodeId,
    kind,
    status,
    title,
    digest,
    reviewers: { roles: [...rules.roles], people: [...rules.people] },
    excludesStarter: rules.excludes !== undefined,
    excludesApproversOf: [...(rules.excludesApproversOf ?? [])],
    approvalsNeeded: rules.approvals,
    approvalsGiven: review.decisions.filter(({ approved }) => approved).length,
    ...(rules.notBeforeMs !== undefined && { notBefore: timestamp(rules.notBeforeMs) }),
    ...(rules.expiresAtMs !== undefined && { expiresAt: timestamp(rules.expiresAtMs) }),
    requestedAt: timestamp(review.openedAtMs),
    ...(review.closedAtMs !== undefined && { closedAt: timestamp(review.closedAtMs) }),
  };
}

function reviewAnswer(review: AskedReview): Review {
  const { data, call, rules, decisions } = review;
  return {
    ...reviewSummary(review),
    data,
    ...(call !== undefined && {
      call: { connection: call.connection, action: call.action, arguments: call.args },
    }),
    outputsSchema: rules.outputs,
    decisions: decisions.map(decisionRecord),
  };
}

function decisionRecord(decision: AskedReview["decisions"][number]): DecisionRecord {
  const { decisionId, person, via, approved, outputs, reason, address, digest, atMs } = decision;
  return {
    decisionId,
    person,
    via,
    approved,
    ...(outputs !== undefined && { outputs }),
    ...(reason !== undefined && { rejectionReason: reason }),
    ...(address !== undefined && { address }),
    digest,
    decidedAt: timestamp(atMs),
  };
}
