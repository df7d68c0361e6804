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
  /** Id of the node. */
  readonly nodeId: string;
  /** Number of the visit of the node, from 1. */
  readonly visit: number;
  /** Kind of the node. */
  readonly kind: "start" | "tool_call" | "condition" | "human_review" | "end";
  /** Status of the step. */
  readonly status: "running" | "completed" | "failed" | "awaiting_review";
  /** Time at which the run reached the node, in milliseconds since the epoch. */
  readonly startedAtMs: number;
  /** Time at which the step ended, in milliseconds since the epoch; `undefined` before that. */
  readonly endedAtMs: number | undefined;
  /** The arguments of the latest call, if there are several. */
  readonly input: JsonValue | undefined;
  /** Output of the step; `{ error }` for a failed step, `undefined` before the end. */
  readonly output: JsonValue | undefined;
  /** Message of a failed step. */
  readonly error: string | undefined;
  /** The reason for the branch, for an answered question. */
  readonly reason: string | undefined;
  /** The agent's confidence in the branch, from 0 to 1, where the node asks for it. */
  readonly confidence: number | undefined;
  /** Attempts of all calls, in order. */
  readonly attempts: readonly AttemptRecord[];
  /** The calls of the step, in order. */
  readonly calls: readonly CallRecord[];
  /** The reviews that the step opened, in order. */
  readonly reviews: readonly ReviewRecord[];
  /** The conversation with the agent; empty if no agent executes the node. */
  readonly turns: readonly TurnRecord[];
  /** The wait of its call for a connection, while a person has to authorize that first. */
  readonly authorization: AuthorizationWait | undefined;
  /** Sequence number of the journal row that holds the step's last entry. */
  readonly seq: number;
}

/** A call that waits until a person has authorized its connection. */
export interface AuthorizationWait {
  /** Name of the connection. */
  readonly connection: string;
  /** Identifier of the connection. */
  readonly connectionId: string;
  /** Why the call cannot be made. */
  readonly reason: string;
  /** Time since which it waits, in milliseconds since the epoch. */
  readonly sinceMs: number;
  /** Time at which the wait ends without an authorization, in milliseconds since the epoch. */
  readonly untilMs: number;
}

/** A call of the step, with any number of attempts. */
export interface CallRecord {
  /** Number of the call, from 1. */
  readonly call: number;
  /** The arguments of the call, exactly as sent. */
  readonly arguments: JsonObject;
  /** Time of the first attempt, in milliseconds since the epoch. */
  readonly startedAtMs: number;
  /** `undefined` until its outcome is known. */
  readonly endedAtMs: number | undefined;
  /** The result of a successful call. */
  readonly output: JsonValue | undefined;
  /** Message of a failed call, or the reason why its outcome is unknown. */
  readonly error: string | undefined;
  /** The answer of the other service, if it refused the call. */
  readonly errorDetails?: ErrorDetails;
}

/** One attempt of a call, with its exact arguments, exchange and outcome. */
export interface AttemptRecord {
  /** Number of the call within the step, from 1. */
  readonly call: number;
  /** Number of the attempt of this call, from 1. */
  readonly attempt: number;
  /** Idempotency key of the call, the same for each of its attempts. */
  readonly idempotencyKey: string;
  /** Name of the connection. */
  readonly connection: string;
  /** Name of the action. */
  readonly action: string;
  /** Time of the attempt's intent, in milliseconds since the epoch. */
  readonly startedAtMs: number;
  /** Time of its outcome, in milliseconds since the epoch; `undefined` while it is under way. */
  readonly endedAtMs: number | undefined;
  /** `not_started`: the worker stopped before the call, or the service refused the access token. Nothing was done. */
  readonly outcome: "ok" | "error" | "unknown" | "not_started" | undefined;
  /** The reason of a failure or of an unknown outcome. */
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
  /** Time of the prompt, in milliseconds since the epoch. */
  readonly startedAtMs: number;
  /** Time of the reply, or of the failure of the last attempt. */
  readonly endedAtMs: number | undefined;
  /** The messages that were added before the model was asked. */
  readonly added: readonly PromptMessage[];
  /** Each request to the model. The last request may have a reply. */
  readonly asks: readonly AskRecord[];
  /** The reply of the model; `undefined` before it answered, or if it did not. */
  readonly reply: ModelReply | undefined;
  /** `undefined` before the next event of the step, and if the run ended first. */
  readonly stop: TurnStop | undefined;
}

/** One request to a model, with its result. */
export interface AskRecord {
  /** Number of the request with this prompt, from 1. */
  readonly attempt: number;
  /** The model that the answer names, otherwise the requested model. */
  readonly modelId: string;
  /** Time of its result, in milliseconds since the epoch. */
  readonly endedAtMs: number;
  /** Response time of the model, in milliseconds. */
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
  /** Identifier of the review. */
  readonly reviewId: string;
  /** The reason for the review. */
  readonly kind: ReviewKind;
  /** The question to the reviewers. */
  readonly title: string;
  /** The data that the reviewers see. */
  readonly data: JsonObject;
  /** The call that an approval sends, as shown to the reviewers. */
  readonly call: ReviewedCall | undefined;
  /** The answer that an approval accepts, for an agent's question. */
  readonly proposed: OpenReview["proposed"];
  /** SHA-256 over the kind, title, data and call, as shown. */
  readonly digest: string;
  /** Time of its opening, in milliseconds since the epoch. */
  readonly openedAtMs: number;
  /** Time of its closing, in milliseconds since the epoch; `undefined` while it is open. */
  readonly closedAtMs: number | undefined;
  /** How the review was closed; `undefined` while it is open. */
  readonly answer: ReviewAnswer | undefined;
}
