import {
  decisionErrorCode,
  jsonObjectSchema,
  requestProblems,
  reviewDecisionSchema,
  scopeQuerySchema,
  successSchema,
  type JsonObject,
  type ReviewDecision,
} from "@procedo/contract";
import type { DecideRequest } from "@procedo/engine";
import { ProcedoError } from "@procedo/engine";
import { defineOperation, reply } from "../operation.ts";
import { invalidRequest } from "../request/invalid-request.ts";

export const decideReview = defineOperation({
  id: "decideReview",
  method: "POST",
  path: "/api/runner-proxy/review/:runId",
  tag: "Reviews",
  summary: "Submit a review decision",
  description:
    "Decides the review that the run waits for. Repeating the `idempotencyKey` for the same run gets the answer to the " +
    "original decision, regardless of the body. Use by another person is answered with 409 and the code `idempotency_conflict`. " +
    "The request of a session need not name the environment: it is that of the run.",
  permission: "review",
  findsRun: "review_not_found",
  query: scopeQuerySchema,
  // Read as any object but described as a decision: a repeated decision is answered before its body is validated.
  body: { schema: jsonObjectSchema, describedBy: reviewDecisionSchema },
  answers: { 200: { description: "The decision is recorded.", schema: successSchema } },
  errors: [
    "review_not_found",
    "already_decided",
    "another_review_open",
    "too_early",
    "review_digest_mismatch",
    "invalid_decision",
    "idempotency_key_reused",
    "idempotency_conflict",
  ],
  handle: async ({ engine, environment, params, principal, body }) => {
    const place = { environment, runId: params.runId, by: principal };
    const decision = reviewDecisionSchema.safeParse(body);
    if (decision.success) await engine.reviews.decide({ ...place, ...given(decision.data) });
    else if (!(await isRepeated(body, (request) => engine.reviews.decide({ ...place, ...request })))) {
      const problems = requestProblems(decision.error);
      throw invalidRequest("body", problems, decisionErrorCode(problems));
    }
    return reply(200, { success: true });
  },
});

function given({ outputs, rejectionReason, reviewId, reviewDigest, ...decision }: ReviewDecision) {
  return {
    ...decision,
    ...(outputs !== undefined && { outputs }),
    ...(rejectionReason !== undefined && { rejectionReason }),
    ...(reviewId !== undefined && { reviewId }),
    ...(reviewDigest !== undefined && { reviewDigest }),
  };
}

/**
 * Whether an invalid body repeats an earlier decision. Probes with a rejection without a reason, which the engine
 * answers only for a known idempotency key, and never records.
 */
async function isRepeated(
  { idempotencyKey }: JsonObject,
  decide: (request: Pick<DecideRequest, "approved" | "idempotencyKey">) => Promise<unknown>,
): Promise<boolean> {
  if (typeof idempotencyKey !== "string") return false;
  try {
    await decide({ approved: false, idempotencyKey });
    return true;
  } catch (error) {
    if (ProcedoError.isError(error) && error.code === "invalid_decision") return false;
    throw error;
  }
}
