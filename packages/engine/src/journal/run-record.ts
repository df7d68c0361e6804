import {
  approvedAnswer,
  isNotStarted,
  type ReviewOpened,
  type Entry,
  type Outcome,
  type ReviewAnswer,
} from "@procedo/procedure";
import type { JournalRow } from "@procedo/storage";
import { createRowCodec } from "./row-codec.ts";
import { called, end, held, replied, StepDrafts, stopTurn, type Moment, type StepDraft } from "./step-drafts.ts";
import type { StepRecord } from "./step-record.ts";

/** All entries of a journal in order, each with the row that holds it. */
export function readEntries(
  runId: string,
  journal: readonly JournalRow[],
): readonly { readonly seq: number; readonly entry: Entry }[] {
  const codec = createRowCodec(runId);
  return journal.flatMap(({ seq, body }) => codec.decode(seq, body).map((entry) => ({ seq, entry })));
}

/** The steps of a journal, in the order in which they began. Pure. */
export function stepsOf(entries: readonly { readonly seq: number; readonly entry: Entry }[]): readonly StepRecord[] {
  const steps = new StepDrafts();
  for (const { seq, entry } of entries) {
    const at = { seq, atMs: entry.atMs };
    switch (entry.type) {
      case "started": {
        const started = steps.at("start", "start", at, 1);
        started.input = entry.input;
        end(started, entry.atMs, entry.input);
        break;
      }
      case "branch_taken": {
        const { branch, reason, confidence } = entry;
        const choosing = steps.at(entry.nodeId, "condition", at, entry.visit);
        stopTurn(choosing, "answered");
        choosing.confidence = confidence;
        choose(choosing, reason === undefined ? { branch } : { branch, reason }, entry.atMs);
        break;
      }
      case "prompted":
        steps.prompted(entry, at);
        break;
      case "replied": {
        const asking = steps.at(entry.nodeId, "tool_call", at, entry.visit);
        replied(asking, entry);
        if (entry.result.status === "error" && entry.retryAtMs === undefined)
          steps.fail(asking, entry.atMs, entry.result.error.message);
        break;
      }
      case "concluded":
        steps.concluded(steps.at(entry.nodeId, "tool_call", at, entry.visit), entry.text, entry.atMs);
        break;
      case "intent":
        called(steps.at(entry.nodeId, "tool_call", at, entry.visit), entry);
        break;
      case "outcome":
        settle(steps, entry, at);
        break;
      case "node_failed": {
        const failed = steps.at(entry.nodeId, entry.kind, at, entry.visit);
        // A step whose event could not be rendered has succeeded nevertheless.
        if (failed.status === "completed") failed.error = entry.error.message;
        else steps.fail(failed, entry.atMs, entry.error.message);
        break;
      }
      case "review_opened":
        ask(steps, entry, at);
        break;
      case "review_closed":
        answerReview(steps, entry.reviewId, entry.answer, entry.atMs);
        break;
      case "ended": {
        if (entry.nodeId === undefined) break;
        const open = steps.all.findLast(({ nodeId }) => nodeId === entry.nodeId);
        if (entry.result.status === "failed") {
          const underWay = open?.status === "running" || open?.status === "awaiting_review";
          if (open !== undefined && underWay) end(open, entry.atMs, open.output, entry.result.error);
        } else {
          end(steps.at(entry.nodeId, "end", at, (open?.visit ?? 0) + 1), entry.atMs, entry.result.output);
        }
        break;
      }
      case "held":
        held(steps.at(entry.nodeId, "tool_call", at, entry.visit), entry);
        break;
      case "recovered":
      case "emitted":
      case "cancel_requested":
      case "superseded":
        break;
    }
  }
  return steps.all;
}

function choose(draft: StepDraft, output: { readonly branch: string; readonly reason?: string }, atMs: number): void {
  draft.reason = output.reason;
  end(draft, atMs, output);
}

function settle(steps: StepDrafts, entry: Outcome, at: Moment): void {
  const draft = steps.at(entry.nodeId, "tool_call", at, entry.visit);
  const { result, call, attempt } = entry;
  const message = result.status === "ok" ? undefined : result.status === "error" ? result.error.message : result.reason;
  const index = draft.attempts.findLastIndex((one) => one.call === call && one.attempt === attempt);
  const tried = draft.attempts[index];
  if (tried !== undefined) {
    // A late answer may have no exchange.
    const { exchange = tried.exchange } = entry;
    const outcome = isNotStarted(result) ? "not_started" : result.status;
    draft.attempts[index] = { ...tried, endedAtMs: entry.atMs, outcome, message, retryAtMs: entry.retryAtMs, exchange };
  }
  if (entry.retryAtMs === undefined && result.status !== "unknown") steps.callEnded(draft, call, result, entry.atMs);
}

const kindOfStep = {
  human_review: "human_review",
  question: "condition",
  guard: "tool_call",
  function: "tool_call",
  outcome_unknown: "tool_call",
} as const;

function ask(steps: StepDrafts, { nodeId, visit, atMs, review }: ReviewOpened, at: Moment): void {
  const { reviewId, kind, title, data, call, digest, proposed } = review;
  const asking = steps.at(nodeId, kindOfStep[kind], at, visit);
  stopTurn(asking, "reviewed");
  asking.status = "awaiting_review";
  // The data that an agent received for a question is part of its turns.
  if (kind !== "question") asking.input ??= data;
  const open = { openedAtMs: atMs, closedAtMs: undefined, answer: undefined };
  asking.reviews.push({ reviewId, kind, title, data, call, proposed, digest, ...open });
}

function answerReview(steps: StepDrafts, reviewId: string, answer: ReviewAnswer, atMs: number): void {
  const step = steps.all.findLast(({ reviews }) => reviews.some((review) => review.reviewId === reviewId));
  if (step === undefined) return;
  step.reviews = step.reviews.map((review) =>
    review.reviewId === reviewId ? { ...review, answer, closedAtMs: atMs } : review,
  );
  switch (answer.status) {
    case "rejected":
      steps.fail(step, atMs, answer.reason);
      break;
    case "expired":
      end(step, atMs, undefined, "The review expired.");
      break;
    case "approved":
      approve(steps, step, reviewId, answer.outputs, atMs);
      break;
    case "cancelled":
    case "settled":
      break;
  }
}

function approve(
  steps: StepDrafts,
  step: StepDraft,
  reviewId: string,
  outputs: Extract<ReviewAnswer, { status: "approved" }>["outputs"],
  atMs: number,
): void {
  const review = step.reviews.find((one) => one.reviewId === reviewId);
  step.status = "running";
  switch (review?.kind) {
    case "human_review":
      end(step, atMs, outputs ?? { approved: true });
      break;
    case "question": {
      const answer = approvedAnswer(review.proposed, outputs);
      if (answer === undefined) break;
      // The agent's confidence does not apply to a branch that a person chose instead.
      if (answer.branch === review.proposed?.branch) step.confidence = review.proposed.confidence;
      choose(step, answer, atMs);
      break;
    }
    case "outcome_unknown": {
      const { call = 1 } = step.calls.at(-1) ?? {};
      if (outputs !== undefined) steps.callEnded(step, call, { status: "ok", output: outputs }, atMs);
      break;
    }
    case "guard":
    case "function":
    case undefined:
      break;
  }
}
