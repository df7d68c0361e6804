import {
  listReviewsQuerySchema,
  reviewPageSchema,
  reviewSchema,
  scopeQuerySchema,
  type DecisionRecord,
  type Review,
  type ReviewCall,
  type ReviewCallSummary,
  type ReviewSummary,
} from "@procedo/contract";
import type { ListedCall, ReviewDetails as AskedReview, ReviewSummary as AskedSummary } from "@procedo/engine";
import { defineOperation, reply } from "../operation.ts";
import { named } from "./named.ts";
import { pageAnswer, pageRequest } from "./page.ts";
import { timestamp } from "./timestamp.ts";

export const listReviews = defineOperation({
  id: "listReviews",
  method: "GET",
  path: "/api/v1/reviews",
  tag: "Reviews",
  summary: "List reviews",
  description:
    "Oldest first. `status=open` lists the reviews that wait for a decision. With `q`, reviews that were found by an id come " +
    "first; the others are sorted by reference, the last one first. A page examines a bounded number of reviews: with " +
    "filters, it may be short or even empty although it has a `nextCursor`.",
  query: listReviewsQuerySchema,
  heavy: () => true,
  answers: { 200: { description: "One page of reviews.", schema: reviewPageSchema } },
  errors: ["invalid_cursor"],
  handle: async ({ engine, environment, principal, query }) => {
    const { status, procedureId, kind, q: search, order, decidable, closedFrom } = query;
    const page = await engine.reviews.list({
      environment,
      ...pageRequest(query),
      ...named({ status, procedureId, kind, search, order }),
      ...(decidable !== undefined && { decidableBy: principal }),
      ...(closedFrom !== undefined && { closedFromMs: Date.parse(closedFrom) }),
    });
    const summaries: ReviewSummary[] = [];
    for (const review of page.items) {
      const mayDecide = await engine.reviews.mayDecide({ review, by: principal });
      summaries.push({ ...reviewSummary(review), mayDecide });
    }
    return reply(200, pageAnswer(page, summaries));
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
  handle: async ({ engine, environment, params, principal, outside }) => {
    const review = await engine.reviews.get({ environment, ...params }, { outside });
    const mayDecide = await engine.reviews.mayDecide({ review, by: principal });
    return reply(200, { ...reviewAnswer(review), mayDecide });
  },
});

/** Converts a review to its form in lists, for no person in particular. */
export function reviewSummary(review: AskedSummary): Omit<ReviewSummary, "mayDecide"> {
  const { reviewId, runId, procedureId, procedureVersion, environment, startedBy, reference } = review;
  const { nodeId, kind, status, title, digest, rules, call } = review;
  return {
    reviewId,
    runId,
    procedureId,
    procedureVersion,
    environment,
    startedBy,
    ...(reference !== undefined && { reference }),
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
    ...(call !== undefined && { call: callNames(call) }),
    ...(rules.notBeforeMs !== undefined && { notBefore: timestamp(rules.notBeforeMs) }),
    ...(rules.expiresAtMs !== undefined && { expiresAt: timestamp(rules.expiresAtMs) }),
    requestedAt: timestamp(review.openedAtMs),
    ...(review.closedAtMs !== undefined && { closedAt: timestamp(review.closedAtMs) }),
  };
}

function callNames({ connection, action, effect }: ListedCall): ReviewCallSummary {
  return { connection, action, effect };
}

/** Converts a review to its form in the answer, for no person in particular. */
export function reviewAnswer(review: AskedReview): Omit<Review, "mayDecide"> {
  const { data, call, operation, rules, decisions } = review;
  const { call: _names, ...summary } = reviewSummary(review);
  return {
    ...summary,
    data,
    ...(call !== undefined && { call: callAnswer(call, operation) }),
    outputsSchema: rules.outputs,
    decisions: decisions.map(decisionRecord),
  };
}

function callAnswer(call: NonNullable<AskedReview["call"]>, operation: AskedReview["operation"]): ReviewCall {
  const { account, args, nodeId, revision } = call;
  const named = account?.name === undefined ? {} : { account: account.name };
  return { ...callNames(call), ...named, arguments: args, nodeId, actionRevision: revision, ...targetOf(operation) };
}

/** The receiver of a call. An operation without a base URL is not sent. */
function targetOf(operation: AskedReview["operation"]): Pick<ReviewCall, "method" | "path" | "origin"> {
  if (operation?.baseUrl === undefined) return {};
  const { origin, pathname } = new URL(operation.baseUrl);
  const path = `${pathname.replace(/\/$/, "")}/${operation.path.replace(/^\//, "")}`;
  return { method: operation.method, path, origin };
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
