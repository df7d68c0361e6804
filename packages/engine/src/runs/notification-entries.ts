import type { JsonValue } from "@procedo/contract";
import type { CallResult, Cursor, Entry, Intent, ReviewAnswer, RunState } from "@procedo/procedure";
import { lapsedKeyOf, type Notification } from "@procedo/storage";
import type { Failure } from "../calls/failure.ts";
import type { Settlement } from "../calls/settle-attempt.ts";
import {
  decisionFact,
  type ClientNotification,
  type DecisionBody,
  type NotificationBody,
} from "../inbox/notification.ts";
import { attemptOfOutcome, outcomeKey } from "../journal/effect-keys.ts";
import { lapsedMessage } from "./withdraw-invocation.ts";

/** Settles a dispatched call that failed. */
export type SettleDispatched = (intent: Intent, failure: Failure) => Settlement;

/**
 * The entries for a notification in the run's current state. A notification that came too late is only recorded.
 * `votes`: the decisions so far on the open review, which are recorded when the review expires or is cancelled.
 */
export function entriesOf(
  state: RunState,
  notification: Notification,
  atMs: number,
  votes: readonly DecisionBody[] = [],
  settle: SettleDispatched = noDispatch,
): readonly Entry[] {
  const { effectKey } = notification;
  const body = JSON.parse(notification.body) as NotificationBody | readonly DecisionBody[];
  const superseded: Entry = { type: "superseded", atMs, effectKey, body: body as JsonValue };
  const { cursor } = state;
  if (cursor.at === "ended") return [superseded];

  if (isDecisions(body)) {
    if (cursor.at !== "review" || cursor.review.effectKey !== effectKey) return [superseded];
    return [{ type: "review_closed", atMs, reviewId: cursor.review.reviewId, answer: answerOf(body) }];
  }
  switch (body.type) {
    case "cancel": {
      const { by, reason } = body;
      const request: Entry = { type: "cancel_requested", atMs, by, ...(reason === undefined ? {} : { reason }) };
      if (cursor.at !== "review") return [request];
      const answer: ReviewAnswer = { status: "cancelled", decisions: votes.map(decisionFact) };
      return [request, { type: "review_closed", atMs, reviewId: cursor.review.reviewId, answer }];
    }
    case "expired":
      if (cursor.at !== "review" || cursor.review.effectKey !== effectKey) return [superseded];
      return [
        {
          type: "review_closed",
          atMs,
          reviewId: cursor.review.reviewId,
          answer: { status: "expired", decisions: votes.map(decisionFact) },
        },
      ];
    case "late_answer": {
      const intent = awaited(cursor);
      if (intent === undefined) return [superseded];
      const { result, retryAtMs, deferred, exchange } = body;
      const attempt = attemptOfOutcome(intent.key, effectKey);
      if (attempt !== intent.attempt && !settlesLaterAttempt(cursor, intent, attempt, result)) return [superseded];
      const { nodeId, visit, call } = intent;
      const facts = {
        result,
        late: true,
        ...(retryAtMs !== undefined && { retryAtMs }),
        ...(deferred !== undefined && { deferred }),
        ...(exchange !== undefined && { exchange }),
      } as const;
      const outcome: Entry = { type: "outcome", atMs, nodeId, visit, call, attempt, ...facts };
      if (cursor.at !== "review") return [outcome];
      return [
        { type: "review_closed", atMs, reviewId: cursor.review.reviewId, answer: { status: "settled" } },
        outcome,
      ];
    }
    case "returned":
    case "failed":
    case "lapsed": {
      const intent = awaited(cursor);
      if (intent === undefined) return [superseded];
      const isLapse = body.type === "lapsed";
      const key = isLapse ? lapsedKeyOf(outcomeKey(intent)) : outcomeKey(intent);
      // A lapse adds nothing to an outcome that is recorded as unknown already.
      if (key !== effectKey || (isLapse && cursor.at !== "calling")) return [superseded];
      const { nodeId, visit, call, attempt } = intent;
      const late = cursor.at === "calling" ? {} : ({ late: true } as const);
      const settlement = settlementOf(body, intent, settle);
      // The repetition reveals more than an answer that leaves the outcome unknown.
      if (cursor.at === "backoff" && settlement.result.status === "unknown") return [superseded];
      const outcome: Entry = { type: "outcome", atMs, nodeId, visit, call, attempt, ...settlement, ...late };
      if (cursor.at !== "review") return [outcome];
      return [
        { type: "review_closed", atMs, reviewId: cursor.review.reviewId, answer: { status: "settled" } },
        outcome,
      ];
    }
  }
}

function settlementOf(body: ClientNotification, intent: Intent, settle: SettleDispatched): Settlement {
  switch (body.type) {
    case "returned":
      return { result: { status: "ok", output: body.output ?? null } };
    case "lapsed":
      return settle(intent, { effect: "unknown", retryable: true, message: lapsedMessage(intent) });
    case "failed": {
      const { result } = settle(intent, { ...body.failure, retryable: false });
      return { result: result.status === "unknown" ? { ...result, answered: true } : result };
    }
  }
}

function noDispatch(): never {
  throw new Error("A notification about a dispatched call requires a function that settles the call.");
}

/** The call whose outcome is open and which this worker is not making itself. */
function awaited(cursor: Cursor) {
  switch (cursor.at) {
    case "calling":
      return cursor.lost || cursor.intent.frozen.dispatched === true ? cursor.intent : undefined;
    case "backoff":
      return cursor.failed;
    case "unknown":
    case "review":
      return cursor.intent;
    default:
      return undefined;
  }
}

/** Whether an earlier attempt's answer settles the call: the call succeeded, and no other attempt is under way. */
function settlesLaterAttempt(
  cursor: Cursor,
  intent: Intent,
  attempt: number | undefined,
  result: CallResult,
): attempt is number {
  return attempt !== undefined && attempt < intent.attempt && cursor.at !== "calling" && result.status === "ok";
}

function isDecisions(body: NotificationBody | readonly DecisionBody[]): body is readonly DecisionBody[] {
  return Array.isArray(body);
}

/** One rejection rejects the review. Of several approvals, the last one with outputs counts. */
function answerOf(decisions: readonly DecisionBody[]): ReviewAnswer {
  const facts = decisions.map(decisionFact);
  const rejection = decisions.find(({ approved }) => !approved);
  if (rejection !== undefined) return { status: "rejected", reason: rejection.reason ?? "Rejected.", decisions: facts };
  const outputs = decisions.findLast((decision) => decision.outputs !== undefined)?.outputs;
  return { status: "approved", decisions: facts, ...(outputs === undefined ? {} : { outputs }) };
}
