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

/** How a call that was handed out and failed goes on. */
export type SettleHandedOut = (intent: Intent, failure: Failure) => Settlement;

/**
 * The entries that a notification becomes in the run's present state; one that comes too late is only noted. `votes`: the
 * decisions so far on the review that is open, for the case that they come to nothing.
 */
export function entriesOf(
  state: RunState,
  notification: Notification,
  atMs: number,
  votes: readonly DecisionBody[] = [],
  settle: SettleHandedOut = noHandOut,
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
      const asked: Entry = { type: "cancel_requested", atMs, by, ...(reason === undefined ? {} : { reason }) };
      if (cursor.at !== "review") return [asked];
      const answer: ReviewAnswer = { status: "cancelled", decisions: votes.map(decisionFact) };
      return [asked, { type: "review_closed", atMs, reviewId: cursor.review.reviewId, answer }];
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
      const told = {
        result,
        late: true,
        ...(retryAtMs !== undefined && { retryAtMs }),
        ...(deferred !== undefined && { deferred }),
        ...(exchange !== undefined && { exchange }),
      } as const;
      const outcome: Entry = { type: "outcome", atMs, nodeId, visit, call, attempt, ...told };
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
      // A doubt that is known already is no news.
      if (key !== effectKey || (isLapse && cursor.at !== "calling")) return [superseded];
      const { nodeId, visit, call, attempt } = intent;
      const late = cursor.at === "calling" ? {} : ({ late: true } as const);
      const told = toldBy(body, intent, settle);
      // The repetition tells more than an answer that leaves the doubt.
      if (cursor.at === "backoff" && told.result.status === "unknown") return [superseded];
      const outcome: Entry = { type: "outcome", atMs, nodeId, visit, call, attempt, ...told, ...late };
      if (cursor.at !== "review") return [outcome];
      return [
        { type: "review_closed", atMs, reviewId: cursor.review.reviewId, answer: { status: "settled" } },
        outcome,
      ];
    }
  }
}

function toldBy(body: ClientNotification, intent: Intent, settle: SettleHandedOut): Settlement {
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

function noHandOut(): never {
  throw new Error("A notification about a handed-out call needs to know how it goes on.");
}

/** The call whose outcome is open and not in this worker's own hands. */
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

/** Whether an earlier attempt's answer settles the call: it was made, and no other attempt of it is under way. */
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

/** One rejection ends a review; of several approvals the last outputs count. */
function answerOf(decisions: readonly DecisionBody[]): ReviewAnswer {
  const facts = decisions.map(decisionFact);
  const rejection = decisions.find(({ approved }) => !approved);
  if (rejection !== undefined) return { status: "rejected", reason: rejection.reason ?? "Rejected.", decisions: facts };
  const outputs = decisions.findLast((decision) => decision.outputs !== undefined)?.outputs;
  return { status: "approved", decisions: facts, ...(outputs === undefined ? {} : { outputs }) };
}
