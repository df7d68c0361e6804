import type { JsonObject, JsonValue } from "@procedo/contract";
import type { Entry, ReviewAnswer, ReviewedCall, ReviewKind } from "@procedo/procedure";
import type { JournalRow } from "@procedo/storage";
import { createRowCodec } from "./row-codec.ts";

/** One executed node as a person reads it: what went in, what came out, when, and how often it was tried. */
export interface StepRecord {
  readonly nodeId: string;
  /** Which visit of the node, from 1. */
  readonly visit: number;
  readonly kind: "start" | "tool_call" | "condition" | "human_review" | "end";
  readonly status: "running" | "completed" | "failed" | "awaiting_review";
  readonly startedAtMs: number;
  readonly endedAtMs: number | undefined;
  readonly input: JsonValue | undefined;
  readonly output: JsonValue | undefined;
  readonly error: string | undefined;
  readonly attempts: readonly AttemptRecord[];
  readonly reviews: readonly ReviewRecord[];
  /** Sequence number of the journal row that holds the step's last entry. */
  readonly seq: number;
}

export interface AttemptRecord {
  readonly attempt: number;
  readonly idempotencyKey: string;
  readonly connection: string;
  readonly action: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number | undefined;
  readonly outcome: "ok" | "error" | "unknown" | undefined;
  readonly message: string | undefined;
}

export interface ReviewRecord {
  readonly reviewId: string;
  readonly kind: ReviewKind;
  readonly title: string;
  readonly data: JsonObject;
  /** The call that an approval sends, as it was shown. */
  readonly call: ReviewedCall | undefined;
  readonly digest: string;
  readonly openedAtMs: number;
  readonly closedAtMs: number | undefined;
  readonly answer: ReviewAnswer | undefined;
}

/** All entries of a journal in order, each with the row that holds it. */
export function readEntries(
  runId: string,
  journal: readonly JournalRow[],
): readonly { readonly seq: number; readonly entry: Entry }[] {
  const codec = createRowCodec(runId);
  return journal.flatMap(({ seq, body }) => codec.decode(seq, body).map((entry) => ({ seq, entry })));
}

type Draft = { -readonly [K in keyof StepRecord]: StepRecord[K] } & {
  attempts: AttemptRecord[];
  reviews: ReviewRecord[];
};

/** The steps that a journal tells of, in the order in which they began. Pure. */
export function stepsOf(entries: readonly { readonly seq: number; readonly entry: Entry }[]): readonly StepRecord[] {
  const steps: Draft[] = [];

  const step = (nodeId: string, kind: StepRecord["kind"], at: { seq: number; atMs: number }, visit: number): Draft => {
    const open = steps.findLast((known) => known.nodeId === nodeId && known.visit === visit);
    if (open !== undefined) {
      open.seq = at.seq;
      return open;
    }
    const begun: Draft = {
      nodeId,
      visit,
      kind,
      status: "running",
      startedAtMs: at.atMs,
      endedAtMs: undefined,
      input: undefined,
      output: undefined,
      error: undefined,
      attempts: [],
      reviews: [],
      seq: at.seq,
    };
    steps.push(begun);
    return begun;
  };
  const end = (draft: Draft | undefined, atMs: number, output: JsonValue | undefined, error?: string): void => {
    if (draft === undefined) return;
    draft.status = error === undefined ? "completed" : "failed";
    draft.endedAtMs = atMs;
    draft.output = output;
    draft.error = error;
  };

  for (const { seq, entry } of entries) {
    const at = { seq, atMs: entry.atMs };
    switch (entry.type) {
      case "started": {
        const started = step("start", "start", at, 1);
        started.input = entry.input;
        end(started, entry.atMs, entry.input);
        break;
      }
      case "chose":
        end(step(entry.nodeId, "condition", at, entry.visit), entry.atMs, { branch: entry.branch });
        break;
      case "intent": {
        const called = step(entry.nodeId, "tool_call", at, entry.visit);
        called.status = "running";
        called.input = entry.frozen.args;
        called.attempts.push({
          attempt: entry.attempt,
          idempotencyKey: entry.key,
          connection: entry.frozen.connection,
          action: entry.frozen.action,
          startedAtMs: entry.atMs,
          endedAtMs: undefined,
          outcome: undefined,
          message: undefined,
        });
        break;
      }
      case "outcome": {
        const called = step(entry.nodeId, "tool_call", at, entry.visit);
        const { result } = entry;
        const message =
          result.status === "ok" ? undefined : result.status === "error" ? result.error.message : result.reason;
        const index = called.attempts.findLastIndex(({ attempt }) => attempt === entry.attempt);
        const tried = called.attempts[index];
        if (tried !== undefined) {
          called.attempts[index] = { ...tried, endedAtMs: entry.atMs, outcome: result.status, message };
        }
        if (entry.retryAtMs !== undefined) break;
        if (result.status === "ok") end(called, entry.atMs, result.output);
        if (result.status === "error") end(called, entry.atMs, { error: result.error.message }, result.error.message);
        break;
      }
      case "raised": {
        const failed = step(entry.nodeId, entry.kind, at, entry.visit);
        // A step whose event could not be rendered has done its work all the same.
        if (failed.status === "completed") failed.error = entry.error.message;
        else end(failed, entry.atMs, { error: entry.error.message }, entry.error.message);
        break;
      }
      case "asked": {
        const { review } = entry;
        const asking = step(
          entry.nodeId,
          review.kind === "human_review" ? "human_review" : "tool_call",
          at,
          entry.visit,
        );
        asking.status = "awaiting_review";
        asking.input ??= review.data;
        const { reviewId, kind, title, data, call, digest } = review;
        asking.reviews.push({
          reviewId,
          kind,
          title,
          data,
          call,
          digest,
          openedAtMs: entry.atMs,
          closedAtMs: undefined,
          answer: undefined,
        });
        break;
      }
      case "answered":
        answerReview(steps, entry.reviewId, entry.answer, entry.atMs, end);
        break;
      case "ended": {
        if (entry.nodeId === undefined) break;
        const open = steps.findLast(({ nodeId }) => nodeId === entry.nodeId);
        if (entry.result.status === "failed") {
          const underWay = open?.status === "running" || open?.status === "awaiting_review";
          if (underWay) end(open, entry.atMs, open.output, entry.result.error);
        } else {
          end(step(entry.nodeId, "end", at, (open?.visit ?? 0) + 1), entry.atMs, entry.result.output);
        }
        break;
      }
      case "recovered":
      case "emitted":
      case "cancel_requested":
      case "overtaken":
        break;
    }
  }
  return steps;
}

function answerReview(
  steps: readonly Draft[],
  reviewId: string,
  answer: ReviewAnswer,
  atMs: number,
  end: (draft: Draft | undefined, atMs: number, output: JsonValue | undefined, error?: string) => void,
): void {
  const asked = steps.findLast(({ reviews }) => reviews.some((review) => review.reviewId === reviewId));
  if (asked === undefined) return;
  asked.reviews = asked.reviews.map((review) =>
    review.reviewId === reviewId ? { ...review, answer, closedAtMs: atMs } : review,
  );
  const kind = asked.reviews.find((review) => review.reviewId === reviewId)?.kind;
  switch (answer.status) {
    case "rejected":
      end(asked, atMs, { error: answer.reason }, answer.reason);
      break;
    case "expired":
      end(asked, atMs, undefined, "The review expired.");
      break;
    case "approved":
      if (kind === "human_review") end(asked, atMs, answer.outputs ?? { approved: true });
      else if (kind === "outcome_unknown" && answer.outputs !== undefined) end(asked, atMs, answer.outputs);
      else asked.status = "running";
      break;
    case "cancelled":
    case "settled":
      break;
  }
}
