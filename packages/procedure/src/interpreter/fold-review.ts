import type { CompiledProcedure } from "../compiled.ts";
import type { ReviewClosed, ReviewOpened, OpenReview, ReviewAnswer } from "./journal.ts";
import { callSucceeded } from "./agent-calls.ts";
import { approvedAnswer } from "./approved-answer.ts";
import { failure, leave, nodeOf, outOfPlace, visited } from "./node-visit.ts";
import { again, cancelMessage, uncertainIntent, nextCall, type ReadyCall, type RunState } from "./state.ts";

/** The effect of reviews and their answers on the state. Pure; a part of `fold.ts`. */

export function foldReviewOpened(state: RunState, entry: ReviewOpened): RunState {
  const { nodeId, review } = entry;
  const { cursor } = state;
  if (cursor.at === "unknown") {
    const intent = { ...cursor.intent, uncertainReason: cursor.reason };
    return { ...state, cursor: { at: "review", nodeId, review, intent } };
  }
  // The call was waiting for its repetition, but its idempotency key is too old for that.
  if (cursor.at === "backoff" && review.kind === "outcome_unknown") {
    return { ...state, cursor: { at: "review", nodeId, review, intent: uncertainIntent(cursor) } };
  }
  return { ...visited(state, nodeId), cursor: { at: "review", nodeId, review } };
}

export function foldReviewClosed(procedure: CompiledProcedure, state: RunState, entry: ReviewClosed): RunState {
  const { cursor } = state;
  if (cursor.at !== "review" || cursor.review.reviewId !== entry.reviewId) throw outOfPlace(entry, state);
  const { nodeId, review, intent } = cursor;
  const { answer } = entry;
  switch (answer.status) {
    case "expired":
      return {
        ...state,
        cursor: { at: "failed", nodeId, error: `Review "${review.title}" expired without a decision.` },
      };
    case "cancelled":
      return { ...state, cursor: { at: "failed", nodeId, error: cancelMessage(state) } };
    case "settled":
      // The outcome entry that follows closes the call, so the call has to be open again.
      if (intent === undefined) throw outOfPlace(entry, state);
      return { ...state, cursor: { at: "calling", nodeId, intent, lost: false } };
    case "rejected":
      return rejectReview(procedure, state, nodeId, review.kind, answer.reason);
    case "approved":
      return approveReview(procedure, state, entry, answer, cursor);
  }
}

function rejectReview(
  procedure: CompiledProcedure,
  state: RunState,
  nodeId: string,
  kind: OpenReview["kind"],
  reason: string,
): RunState {
  const node = procedure.nodes.get(nodeId);
  if ((kind === "guard" || kind === "function") && node?.kind === "tool_call" && node.onRejected !== undefined) {
    return leave(state, nodeId, failure(state.agent, reason), node.onRejected);
  }
  return { ...state, cursor: { at: "failed", nodeId, error: reason } };
}

function approveReview(
  procedure: CompiledProcedure,
  state: RunState,
  entry: ReviewClosed,
  { outputs }: Extract<ReviewAnswer, { readonly status: "approved" }>,
  { nodeId, review, intent }: Extract<RunState["cursor"], { readonly at: "review" }>,
): RunState {
  switch (review.kind) {
    case "human_review": {
      const node = nodeOf(procedure, nodeId, "human_review");
      const left = leave(state, nodeId, { output: outputs ?? { approved: true } }, node.to);
      if (review.call === undefined) return left;
      const { nodeId: covered, digest, ...frozen } = review.call;
      return { ...left, approved: { ...left.approved, [covered]: { frozen, digest, reviewId: review.reviewId } } };
    }
    case "guard":
    case "function": {
      if (review.call === undefined) throw outOfPlace(entry, state);
      const { nodeId: _node, digest: approvedDigest, ...frozen } = review.call;
      const ready: ReadyCall = {
        frozen,
        call: nextCall(state),
        attempt: 1,
        approvedDigest,
        ...(review.waivesLimits === true && { waivesLimits: true }),
      };
      return { ...state, cursor: { at: "ready", nodeId, call: ready } };
    }
    case "question": {
      const output = approvedAnswer(review.proposed, outputs);
      const to = output && nodeOf(procedure, nodeId, "condition").to.get(output.branch);
      if (output === undefined || to === undefined) throw outOfPlace(entry, state);
      return leave(state, nodeId, { output }, to);
    }
    case "outcome_unknown": {
      if (intent === undefined) throw outOfPlace(entry, state);
      if (outputs !== undefined) return callSucceeded(procedure, state, intent, outputs);
      return {
        ...state,
        cursor: { at: "ready", nodeId, call: { ...again(intent, intent.uncertainReason), waivesKeyAge: true } },
      };
    }
  }
}
