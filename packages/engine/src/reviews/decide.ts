import {
  decisionErrorCode,
  maxJsonDepth,
  normalName,
  ProcedoError,
  requestProblems,
  reviewDecisionSchema,
  type Environment,
  type JsonObject,
  type ReviewDecision,
} from "@procedo/contract";
import type { OpenReview, ReviewRules } from "@procedo/procedure";
import type { ClaimedRun, DecideResult, NewDecision, ReviewRow, Scope, Storage } from "@procedo/storage";
import { mayNotDecide, type EarlierApproval } from "../access/may-decide.ts";
import { actor, authorize, refuseRevoked, type Principal } from "../access/principal.ts";
import { copyJson } from "../json/json-copy.ts";
import type { Clock } from "../ports/clock.ts";
import type { Ids } from "../ports/ids.ts";
import type { DecisionBody } from "../inbox/notification.ts";
import type { CheckOutputs } from "./check-outputs.ts";
import { hasExpired, tooEarlyReason } from "./decision-rights.ts";
import { approvalsOf, decisionsOn } from "./earlier-approvals.ts";
import type { ReviewRowBody } from "./review-row.ts";

/** A decision on the open review of a run. */
export interface DecideRequest {
  /** The environment of the run. */
  readonly environment: Environment;
  /** The run that waits for the decision. */
  readonly runId: string;
  /** `true` approves, `false` rejects. One rejection ends the review. */
  readonly approved: boolean;
  /** On approval: replaces the review's result, or states the outcome of a call whose outcome is unknown. */
  readonly outputs?: JsonObject;
  /** Required if `approved` is false. */
  readonly rejectionReason?: string;
  /** UUID version 4, new for each decision. A repeat by the same person gets the original answer. */
  readonly idempotencyKey: string;
  /** The review that the person has seen; refused if another review is open. */
  readonly reviewId?: string;
  /** Digest of the content that the person has seen; refused if the content differs. */
  readonly reviewDigest?: string;
  /** The person or key that decides. */
  readonly by: Principal;
}

/** The answer to a decision. */
export interface Decided {
  /** The review that was decided. */
  readonly reviewId: string;
  /** `recorded`: more approvals are needed. */
  readonly status: "recorded" | "approved" | "rejected" | "replayed";
}

export interface DecidePorts {
  readonly storage: Pick<Storage, "reviews">;
  readonly workspace: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly checkOutputs: CheckOutputs;
  /** The worker of this process, if it has capacity for the run that resumes. */
  readonly claimFor: (environment: Environment) => string | undefined;
  readonly adopt: (claim: ClaimedRun) => void;
  /** Called after each decision that this process recorded. */
  readonly onDecision: (environment: Environment, reviewId: string) => void;
  /** The run's open review, if that worker keeps the run in memory. */
  readonly openReview: (scope: Scope, runId: string) => OpenReview | undefined;
  /** Resumes such a run in that worker, together with its decision; `undefined` if storage was not called. */
  readonly resume: (decision: NewDecision, by: Principal) => Promise<DecideResult | undefined>;
}

const maxOutputBytes = 256 * 1024;

/**
 * Records one person's decision on the review that a run waits for. The call that an approval sends was fixed when the
 * review opened; a decision cannot change it.
 *
 * @throws ProcedoError `unauthorized`, with nothing recorded, if the key was deleted in the meantime;
 *   `invalid_decision`, `permission_denied`, `review_not_found`, `already_decided`, `another_review_open`, `too_early`,
 *   `review_digest_mismatch`, `idempotency_key_reused`; `idempotency_conflict` if another person has used the
 *   idempotency key
 */
export async function decide(ports: DecidePorts, given: DecideRequest): Promise<Decided> {
  const { environment, runId, by } = given;
  authorize(by, "review", environment);
  const scope: Scope = { workspace: ports.workspace, environment };
  const decidedHere = await decideOnRemembered(ports, given, scope);
  if (decidedHere !== undefined) return decidedHere;

  const reviews = await ports.storage.reviews.ofRun({ scope, runId });
  refuseRevoked(by);
  // A repeat gets the original answer, even if its body differs.
  for (const review of reviews) {
    const first = decisionBy(review, given.idempotencyKey);
    if (first === undefined) continue;
    checkDecider(first, by);
    return { reviewId: review.reviewId, status: "replayed" };
  }

  const request = { ...parsed(given), environment, runId, by };
  const review = pickReview(reviews, request);
  const { rules } = JSON.parse(review.body) as ReviewRowBody;
  const openReview = { ...review, kind: review.kind as OpenReview["kind"], rules };
  check(ports, request, openReview, { approvals: approvalsOf(reviews), outputs: hasOutputs(review) });
  const decision = newDecision(ports, scope, request, openReview);
  const result = await ports.storage.reviews.decide(decision);
  return answer(ports, review, request, result);
}

/**
 * Decides without reading storage, if the run is parked in this process and one approval is enough: the run then
 * resumes with the same durable write, and no read precedes it. `undefined` if that does not hold or a check fails; the
 * caller then reads storage.
 */
async function decideOnRemembered(
  ports: DecidePorts,
  given: DecideRequest,
  scope: Scope,
): Promise<Decided | undefined> {
  const { runId, approved, by } = given;
  if (ports.claimFor(scope.environment) === undefined) return undefined;
  const review = ports.openReview(scope, runId);
  if (review?.rules.approvals !== 1 || review.rules.excludesApproversOf !== undefined) return undefined;
  if ((given.reviewId ?? review.reviewId) !== review.reviewId) return undefined;
  let decision: NewDecision;
  try {
    const request = { ...parsed(given), runId, by: given.by };
    check(ports, request, review, { approvals: [], outputs: false });
    decision = newDecision(ports, scope, request, review);
  } catch (error) {
    if (ProcedoError.isError(error)) return undefined;
    throw error;
  }
  const result = await ports.resume(decision, by);
  if (result?.status !== "recorded") return undefined;
  return answer(ports, { ...review, runId }, { environment: scope.environment, approved, by }, result);
}

function newDecision(
  ports: DecidePorts,
  scope: Scope,
  request: ReviewDecision & Pick<DecideRequest, "by" | "runId">,
  review: Pick<OpenReview, "reviewId" | "digest" | "rules">,
): NewDecision {
  const { by, runId, approved, outputs, rejectionReason } = request;
  const { reviewId, digest, rules } = review;
  const { via, by: person } = actor(by);
  const idempotencyKey = keyOf(request.idempotencyKey);
  const decisionId = ports.ids("dec");
  const atMs = ports.clock.now();
  const body: DecisionBody = {
    decisionId,
    person,
    via,
    approved,
    atMs,
    digest,
    idempotencyKey,
    ...(by.address === undefined ? {} : { address: by.address }),
    ...(outputs === undefined || !approved ? {} : { outputs }),
    ...(approved ? {} : { reason: rejectionReason ?? "" }),
  };
  const claimFor = ports.claimFor(scope.environment);
  return {
    scope,
    runId,
    reviewId,
    decisionId,
    person,
    approved,
    idempotencyKey,
    body: JSON.stringify(body),
    approvalsNeeded: rules.approvals,
    atMs,
    ...(claimFor === undefined ? {} : { claimFor }),
  };
}

/** The decision in the contract's form: decisions from code are validated like those from requests. */
function parsed(given: DecideRequest): ReviewDecision {
  const { approved, outputs, rejectionReason, idempotencyKey, reviewId, reviewDigest } = given;
  const copy = outputs === undefined ? undefined : copyJson(outputs, { depth: maxJsonDepth, bytes: maxOutputBytes });
  if (copy?.ok === false) throw invalid("/outputs", copy.message);
  const decision = reviewDecisionSchema.safeParse({
    approved,
    idempotencyKey,
    ...(copy !== undefined && { outputs: copy.value }),
    ...(rejectionReason !== undefined && { rejectionReason }),
    ...(reviewId !== undefined && { reviewId }),
    ...(reviewDigest !== undefined && { reviewDigest }),
  });
  if (decision.success) return decision.data;
  const problems = requestProblems(decision.error);
  const details = problems.map(({ path, message }) => ({ path, message }));
  const first = details[0];
  const message = `The decision is not valid: ${first?.path.slice(1) ?? ""} ${first?.message ?? ""}.`;
  throw new ProcedoError(decisionErrorCode(problems), message, { details });
}

/** The review that a decision is about: the open one, unless the decision names another. */
function pickReview(
  reviews: readonly ReviewRow[],
  { reviewId, runId }: Pick<DecideRequest, "runId"> & { readonly reviewId?: string | undefined },
): ReviewRow {
  const open = reviews.find(({ status }) => status === "open");
  if (open !== undefined && (reviewId === undefined || reviewId === open.reviewId)) return open;
  const named = reviewId === undefined ? reviews.at(-1) : reviews.find((review) => review.reviewId === reviewId);
  if (named === undefined) throw notFound(runId);
  if (open !== undefined) {
    const message = `Review "${named.reviewId}" is closed; review "${open.reviewId}" is open now. Look at that one.`;
    throw new ProcedoError("another_review_open", message);
  }
  throw overError(named);
}

function overError(review: ReviewRow): ProcedoError {
  switch (review.status) {
    case "approved":
    case "rejected":
      return new ProcedoError("already_decided", `Review "${review.reviewId}" was already ${review.status}.`);
    case "settled":
      return new ProcedoError(
        "already_decided",
        `Review "${review.reviewId}" no longer needs a decision: the outcome of its call is known now.`,
      );
    case "expired":
    case "cancelled":
    case "open":
      return notFound(review.runId);
  }
}

/** The earlier decisions in the run. */
interface Before {
  readonly approvals: readonly EarlierApproval[];
  /** Whether an earlier approval of the same review has outputs. */
  readonly outputs: boolean;
}

function check(
  ports: DecidePorts,
  request: ReviewDecision & Pick<DecideRequest, "by" | "runId">,
  { rules, digest, kind }: Pick<OpenReview, "rules" | "digest" | "kind">,
  before: Before,
): void {
  const { approved, outputs, by, reviewDigest } = request;
  const refusal = mayNotDecide(rules, by, before.approvals);
  if (refusal !== undefined) throw new ProcedoError("permission_denied", refusal);
  if (reviewDigest !== undefined && reviewDigest !== digest) {
    throw new ProcedoError(
      "review_digest_mismatch",
      "The open review differs from the one that you looked at. Load the review again.",
    );
  }
  const nowMs = ports.clock.now();
  if (hasExpired(rules, nowMs)) throw notFound(request.runId);
  const early = tooEarlyReason(rules, nowMs);
  if (early !== undefined) {
    throw new ProcedoError("too_early", early, { retryAfterMs: (rules.notBeforeMs ?? nowMs) - nowMs });
  }
  if (!approved) return;
  if (outputs !== undefined) checkOutputs(ports, rules.outputs, outputs);
  else if (kind === "human_review" && !before.outputs) checkNoOutputs(ports, rules.outputs);
}

/**
 * The first approval must have the outputs that a node requires; a later one may replace them. Therefore a review is
 * never complete without them, even if several people decide at the same moment.
 */
function checkNoOutputs(ports: DecidePorts, wanted: ReviewRules["outputs"]): void {
  const details = typeof wanted === "boolean" ? [] : ports.checkOutputs(wanted, {});
  if (details.length === 0) return;
  throw new ProcedoError("invalid_decision", "This review requires outputs, and the approval has none.", {
    details: details.map(({ path, message }) => ({ path: `/outputs${path}`, message })),
  });
}

function checkOutputs(ports: DecidePorts, allowed: ReviewRules["outputs"], outputs: JsonObject): void {
  if (allowed === false) {
    throw invalid("/outputs", "cannot be given here: an approval sends exactly the call that was shown");
  }
  const details = allowed === true ? [] : ports.checkOutputs(allowed, outputs);
  if (details.length > 0) {
    throw new ProcedoError("invalid_decision", "The outputs do not fit the schema of this review.", {
      details: details.map(({ path, message }) => ({ path: `/outputs${path}`, message })),
    });
  }
}

function answer(
  ports: DecidePorts,
  review: Pick<ReviewRow, "reviewId" | "runId">,
  { environment, approved, by }: Pick<DecideRequest, "environment" | "approved" | "by">,
  result: DecideResult,
): Decided {
  const { reviewId } = review;
  switch (result.status) {
    case "recorded":
      ports.onDecision(environment, reviewId);
      if (result.claimed !== undefined) ports.adopt(result.claimed);
      if (!result.closed) return { reviewId, status: "recorded" };
      return { reviewId, status: approved ? "approved" : "rejected" };
    case "replayed":
      checkDecider(JSON.parse(result.body) as DecisionBody, by);
      return { reviewId, status: "replayed" };
    case "key_reused":
      throw new ProcedoError(
        "idempotency_key_reused",
        "This idempotency key was used for a decision on another run. Use a new one.",
      );
    case "already_voted":
      throw new ProcedoError("already_decided", "You have already decided on this review.");
    case "not_open":
      throw result.review === undefined ? notFound(review.runId) : overError(result.review);
  }
}

function hasOutputs(review: ReviewRow): boolean {
  return decisionsOn(review).some(({ outputs }) => outputs !== undefined);
}

/** The decision that was submitted under an idempotency key. */
function decisionBy(review: ReviewRow, idempotencyKey: unknown): DecisionBody | undefined {
  if (typeof idempotencyKey !== "string") return undefined;
  const key = keyOf(idempotencyKey);
  return decisionsOn(review).find((decision) => decision.idempotencyKey === key);
}

/** Repeats a decision only to the person who made it: any other person would seem to have decided. */
function checkDecider(first: Pick<DecisionBody, "person">, by: Principal): void {
  if (normalName(first.person) === actor(by).by) return;
  throw new ProcedoError(
    "idempotency_conflict",
    "Another person has used this idempotency key for a decision on this run. Use a new key for a decision of your own.",
  );
}

/** UUIDs are compared in lower case. */
function keyOf(uuid: string): string {
  return uuid.toLowerCase();
}

function notFound(runId: string): ProcedoError {
  return new ProcedoError("review_not_found", `Run "${runId}" does not exist or is not waiting for a review.`);
}

function invalid(path: string, message: string): ProcedoError {
  return new ProcedoError("invalid_decision", `${path.slice(1)} ${message}.`, { details: [{ path, message }] });
}
