import type { JsonObject, JsonValue } from "@procedo/contract";
import type { CallResult, Cursor, DecisionFact, Entry, ReviewAnswer, RunState } from "@procedo/procedure";
import type { Notification } from "@procedo/storage";
import { outcomeKey } from "../reviews/ask.ts";

/** What a notification says, as JSON text in its body. A decided review's is the array of all its decisions instead. */
export type NotificationBody =
  | { readonly type: "cancel"; readonly by: string; readonly reason?: string }
  | { readonly type: "expired" }
  | { readonly type: "late_answer"; readonly result: CallResult };

/** The one effect key of cancelling: a run is cancelled once. */
export const cancelKey = "cancel";

/** A person's decision as it is stored: the fact, and what the decision brings along. */
export interface DecisionBody extends DecisionFact {
  readonly idempotencyKey: string;
  readonly outputs?: JsonObject;
  readonly reason?: string;
}

/** The entries that a notification becomes in the run's present state; one that comes too late is only noted. */
export function entriesOf(state: RunState, notification: Notification, atMs: number): readonly Entry[] {
  const { effectKey } = notification;
  const body = JSON.parse(notification.body) as NotificationBody | readonly DecisionBody[];
  const overtaken: Entry = { type: "overtaken", atMs, effectKey, body: body as JsonValue };
  const { cursor } = state;
  if (cursor.at === "ended") return [overtaken];

  if (isDecisions(body)) {
    if (cursor.at !== "review" || cursor.review.effectKey !== effectKey) return [overtaken];
    return [{ type: "answered", atMs, reviewId: cursor.review.reviewId, answer: answerOf(body) }];
  }
  switch (body.type) {
    case "cancel":
      return [
        { type: "cancel_requested", atMs, by: body.by, ...(body.reason === undefined ? {} : { reason: body.reason }) },
      ];
    case "expired":
      if (cursor.at !== "review" || cursor.review.effectKey !== effectKey) return [overtaken];
      return [{ type: "answered", atMs, reviewId: cursor.review.reviewId, answer: { status: "expired" } }];
    case "late_answer": {
      const intent = awaited(cursor);
      if (intent === undefined || outcomeKey(intent) !== effectKey) return [overtaken];
      const { nodeId, visit, call, attempt } = intent;
      const outcome: Entry = { type: "outcome", atMs, nodeId, visit, call, attempt, result: body.result, late: true };
      if (cursor.at !== "review") return [outcome];
      return [{ type: "answered", atMs, reviewId: cursor.review.reviewId, answer: { status: "settled" } }, outcome];
    }
  }
}

/** The call whose outcome is open and not in this worker's own hands. */
function awaited(cursor: Cursor) {
  switch (cursor.at) {
    case "calling":
      return cursor.lost ? cursor.intent : undefined;
    case "unknown":
    case "review":
      return cursor.intent;
    default:
      return undefined;
  }
}

function isDecisions(body: NotificationBody | readonly DecisionBody[]): body is readonly DecisionBody[] {
  return Array.isArray(body);
}

/** One rejection ends a review; of several approvals the last outputs count. */
function answerOf(decisions: readonly DecisionBody[]): ReviewAnswer {
  const facts = decisions.map(factOf);
  const rejection = decisions.find(({ approved }) => !approved);
  if (rejection !== undefined) return { status: "rejected", reason: rejection.reason ?? "Rejected.", decisions: facts };
  const outputs = decisions.findLast((decision) => decision.outputs !== undefined)?.outputs;
  return { status: "approved", decisions: facts, ...(outputs === undefined ? {} : { outputs }) };
}

function factOf(body: DecisionBody): DecisionFact {
  const { decisionId, person, via, approved, atMs, address, digest } = body;
  return { decisionId, person, via, approved, atMs, digest, ...(address === undefined ? {} : { address }) };
}
