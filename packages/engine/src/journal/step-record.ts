import type { JsonObject, JsonValue } from "@procedo/contract";
import type {
  ErrorDetails,
  ModelReply,
  OpenReview,
  PromptMessage,
  RecordedExchange,
  ReviewAnswer,
  ReviewedCall,
  ReviewKind,
} from "@procedo/procedure";

/** One executed node as a person reads it: what went in, what came out, when, and how often it was tried. */
export interface StepRecord {
  readonly nodeId: string;
  /** Which visit of the node, from 1. */
  readonly visit: number;
  readonly kind: "start" | "tool_call" | "condition" | "human_review" | "end";
  readonly status: "running" | "completed" | "failed" | "awaiting_review";
  readonly startedAtMs: number;
  readonly endedAtMs: number | undefined;
  /** Of several calls, what the latest was given. */
  readonly input: JsonValue | undefined;
  readonly output: JsonValue | undefined;
  readonly error: string | undefined;
  /** Why the branch was taken, of an answered question. */
  readonly reason: string | undefined;
  /** How sure the agent was of it, from 0 to 1, where the node asks for that. */
  readonly confidence: number | undefined;
  /** Of all calls, in their order. */
  readonly attempts: readonly AttemptRecord[];
  readonly calls: readonly CallRecord[];
  readonly reviews: readonly ReviewRecord[];
  /** The conversation with the agent; empty where none executes the node. */
  readonly turns: readonly TurnRecord[];
  /** Sequence number of the journal row that holds the step's last entry. */
  readonly seq: number;
}

/** A call of the step, with any number of attempts. */
export interface CallRecord {
  /** From 1. */
  readonly call: number;
  readonly arguments: JsonObject;
  readonly startedAtMs: number;
  /** `undefined` until its outcome is known. */
  readonly endedAtMs: number | undefined;
  readonly output: JsonValue | undefined;
  readonly error: string | undefined;
  /** The answer of the other service, where it refused the call. */
  readonly errorDetails?: ErrorDetails;
}

/** One attempt of a call, with its exact arguments, exchange and outcome. */
export interface AttemptRecord {
  /** Which call of the step it belongs to, from 1. */
  readonly call: number;
  readonly attempt: number;
  readonly idempotencyKey: string;
  readonly connection: string;
  readonly action: string;
  readonly startedAtMs: number;
  readonly endedAtMs: number | undefined;
  /** `not_started`: the worker stopped before the call, and the service was not asked. */
  readonly outcome: "ok" | "error" | "unknown" | "not_started" | undefined;
  readonly message: string | undefined;
  /** When the call was to be made again. */
  readonly retryAtMs: number | undefined;
  /** The request and its response, where the integration reports them. */
  readonly exchange: RecordedExchange | undefined;
}

/** A prompt to a model, and its reply. */
export interface TurnRecord {
  /** From 1. */
  readonly turn: number;
  readonly startedAtMs: number;
  /** When the reply was there, or the last attempt had failed. */
  readonly endedAtMs: number | undefined;
  /** The messages that were added before the model was asked. */
  readonly added: readonly PromptMessage[];
  /** Each time that the model was asked; the last one may have a reply. */
  readonly asks: readonly AskRecord[];
  readonly reply: ModelReply | undefined;
  /** `undefined` while that is open, and where the run ended in between. */
  readonly stop: TurnStop | undefined;
}

/** Once that a model was asked, with what came of it. */
export interface AskRecord {
  readonly attempt: number;
  /** As the answer names it, else as it was asked for. */
  readonly modelId: string;
  readonly endedAtMs: number;
  readonly latencyMs: number;
  /** Why there was no answer. */
  readonly error: string | undefined;
}

/**
 * What came of a reply: its call was made; the model was told what was wrong; it answered the question; it wanted no
 * further call; a person was asked; or it was the end of the step.
 */
export type TurnStop = "called" | "corrected" | "answered" | "concluded" | "reviewed" | "failed";

/** A review as the run's record shows it, with its decisions. */
export interface ReviewRecord {
  readonly reviewId: string;
  readonly kind: ReviewKind;
  readonly title: string;
  readonly data: JsonObject;
  /** The call that an approval sends, as it was shown. */
  readonly call: ReviewedCall | undefined;
  /** The answer that an approval takes, of an agent's question. */
  readonly proposed: OpenReview["proposed"];
  readonly digest: string;
  readonly openedAtMs: number;
  readonly closedAtMs: number | undefined;
  readonly answer: ReviewAnswer | undefined;
}
