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

/** One executed node as a person reads it: its input, output, times and attempts. */
export interface StepRecord {
  readonly nodeId: string;
  /** Number of the visit of the node, from 1. */
  readonly visit: number;
  readonly kind: "start" | "tool_call" | "condition" | "human_review" | "end";
  readonly status: "running" | "completed" | "failed" | "awaiting_review";
  readonly startedAtMs: number;
  readonly endedAtMs: number | undefined;
  /** The arguments of the latest call, if there are several. */
  readonly input: JsonValue | undefined;
  readonly output: JsonValue | undefined;
  readonly error: string | undefined;
  /** The reason for the branch, for an answered question. */
  readonly reason: string | undefined;
  /** The agent's confidence in the branch, from 0 to 1, where the node asks for it. */
  readonly confidence: number | undefined;
  /** Attempts of all calls, in order. */
  readonly attempts: readonly AttemptRecord[];
  readonly calls: readonly CallRecord[];
  readonly reviews: readonly ReviewRecord[];
  /** The conversation with the agent; empty if no agent executes the node. */
  readonly turns: readonly TurnRecord[];
  /** Sequence number of the journal row that holds the step's last entry. */
  readonly seq: number;
}

/** A call of the step, with any number of attempts. */
export interface CallRecord {
  /** Number of the call, from 1. */
  readonly call: number;
  readonly arguments: JsonObject;
  readonly startedAtMs: number;
  /** `undefined` until its outcome is known. */
  readonly endedAtMs: number | undefined;
  readonly output: JsonValue | undefined;
  readonly error: string | undefined;
  /** The answer of the other service, if it refused the call. */
  readonly errorDetails?: ErrorDetails;
}

/** One attempt of a call, with its exact arguments, exchange and outcome. */
export interface AttemptRecord {
  /** Number of the call within the step, from 1. */
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
  /** Planned time of the next attempt. */
  readonly retryAtMs: number | undefined;
  /** The request and its response, if the integration reports them. */
  readonly exchange: RecordedExchange | undefined;
}

/** A prompt to a model, and its reply. */
export interface TurnRecord {
  /** Number of the turn, from 1. */
  readonly turn: number;
  readonly startedAtMs: number;
  /** Time of the reply, or of the failure of the last attempt. */
  readonly endedAtMs: number | undefined;
  /** The messages that were added before the model was asked. */
  readonly added: readonly PromptMessage[];
  /** Each request to the model. The last request may have a reply. */
  readonly asks: readonly AskRecord[];
  readonly reply: ModelReply | undefined;
  /** `undefined` before the next event of the step, and if the run ended first. */
  readonly stop: TurnStop | undefined;
}

/** One request to a model, with its result. */
export interface AskRecord {
  readonly attempt: number;
  /** The model that the answer names, otherwise the requested model. */
  readonly modelId: string;
  readonly endedAtMs: number;
  readonly latencyMs: number;
  /** Why the model gave no answer. */
  readonly error: string | undefined;
}

/**
 * The consequence of a reply: its call was made (`called`); the model was asked for a correction (`corrected`); the
 * reply answered the question (`answered`) or ended the calls (`concluded`); a review was opened (`reviewed`); or the
 * step failed.
 */
export type TurnStop = "called" | "corrected" | "answered" | "concluded" | "reviewed" | "failed";

/** A review as the run's record shows it, with its decisions. */
export interface ReviewRecord {
  readonly reviewId: string;
  readonly kind: ReviewKind;
  readonly title: string;
  readonly data: JsonObject;
  /** The call that an approval sends, as shown to the reviewers. */
  readonly call: ReviewedCall | undefined;
  /** The answer that an approval accepts, for an agent's question. */
  readonly proposed: OpenReview["proposed"];
  readonly digest: string;
  readonly openedAtMs: number;
  readonly closedAtMs: number | undefined;
  readonly answer: ReviewAnswer | undefined;
}
