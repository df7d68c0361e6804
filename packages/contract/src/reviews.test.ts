import { expect, test } from "vitest";
import { listReviewsQuerySchema, reviewSchema, reviewSummarySchema, type ListReviewsQuery } from "./reviews.ts";

const at = "2026-01-31T09:30:00.000Z";
const summary = {
  reviewId: "rev_1",
  runId: "run_1",
  procedureId: "vendor-payment",
  procedureVersion: "v1",
  environment: "live",
  startedBy: "sam@example.test",
  nodeId: "approve",
  kind: "human_review",
  status: "open",
  title: "Pay 12 to ACME?",
  digest: "d",
  reviewers: { roles: ["reviewer"], people: [] },
  excludesStarter: false,
  excludesApproversOf: [],
  approvalsNeeded: 2,
  approvalsGiven: 1,
  mayDecide: { allowed: true },
  expiresAt: at,
  requestedAt: at,
};
const decision = {
  decisionId: "dec_1",
  person: "ada@example.test",
  via: "key_1",
  approved: true,
  address: "203.0.113.7",
  digest: "d",
  decidedAt: at,
};
const review = { ...summary, data: { amount: 12 }, outputsSchema: true, decisions: [decision] };

test("a review records each decision: person, time, address, and digest of the shown data", () => {
  expect(reviewSchema.parse(review)).toEqual(review);
  for (const name of ["person", "decidedAt", "digest"]) {
    expect(reviewSchema.safeParse({ ...review, decisions: [{ ...decision, [name]: undefined }] }).success).toBe(false);
  }
});

test("a review shows the call that an approval sends", () => {
  const names = { connection: "ledger", action: "post_payments", effect: "once" };
  const call = { ...names, arguments: { amount: 12 }, nodeId: "pay", actionRevision: "r1" };
  const target = { method: "POST", path: "/v1/payments", origin: "https://api.bank.example" };
  for (const shown of [call, { ...call, ...target }]) {
    expect(reviewSchema.parse({ ...review, call: shown })).toEqual({ ...review, call: shown });
  }
  expect(reviewSummarySchema.parse({ ...summary, call: names })).toEqual({ ...summary, call: names });
  expect(reviewSummarySchema.safeParse({ ...summary, call }).success).toBe(false);
});

test("a review names the reason why the caller may not decide it", () => {
  const refused = { allowed: false, reason: "The person who started the run may not decide this review." };
  expect(reviewSummarySchema.parse({ ...summary, mayDecide: refused })).toMatchObject({ mayDecide: refused });
  expect(reviewSummarySchema.safeParse({ ...summary, mayDecide: { allowed: false } }).success).toBe(false);
});

test("outputs may be any object, none, or fit a schema", () => {
  for (const outputsSchema of [true, false, { type: "object" }]) {
    expect(reviewSchema.safeParse({ ...review, outputsSchema }).success).toBe(true);
  }
  expect(reviewSchema.safeParse({ ...review, outputsSchema: "any" }).success).toBe(false);
});

test.each(["human_review", "guard", "function", "question", "outcome_unknown"])(
  "a review may be of kind %s",
  (kind) => {
    expect(reviewSummarySchema.safeParse({ ...summary, kind }).success).toBe(true);
  },
);

test("a review in a list does not contain its shown data", () => {
  expect(reviewSummarySchema.parse(summary)).toEqual(summary);
  expect(reviewSummarySchema.safeParse(review).success).toBe(false);
});

test("reviews are filtered by status, procedure, kind and time, and by nothing unknown", () => {
  expect(listReviewsQuerySchema.parse({ status: "open", procedureId: "p" })).toMatchObject({ status: "open" });
  for (const more of [
    { kind: "guard", decidable: "true", order: "expires" },
    { status: "approved", closedFrom: at },
  ]) {
    expect(listReviewsQuerySchema.parse(more)).toMatchObject(more);
  }
  expect(listReviewsQuerySchema.parse({ q: "INV-1", status: "open" })).toMatchObject({ q: "INV-1" });
  expect(listReviewsQuerySchema.safeParse({ q: "INV-1", order: "expires" }).success).toBe(false);
  expect(listReviewsQuerySchema.safeParse({ decidable: "false" }).success).toBe(false);
  expect(listReviewsQuerySchema.safeParse({ status: "pending" }).success).toBe(false);
  expect(listReviewsQuerySchema.safeParse({ assignee: "me" }).success).toBe(false);
});

test.each<[string, ListReviewsQuery]>([
  ["order", { status: "approved", order: "expires" }],
  ["order", { closedFrom: at, order: "expires" }],
  ["decidable", { status: "rejected", decidable: "true" }],
  ["decidable", { closedFrom: at, decidable: "true" }],
  ["closedFrom", { status: "open", closedFrom: at }],
])("filters that no review can meet are refused at %s: %j", (parameter, query) => {
  const { error } = listReviewsQuerySchema.safeParse(query);
  expect(error?.issues.map(({ path }) => path)).toEqual([[parameter]]);
});
