import type { Environment, JsonObject, JsonValue } from "@procedo/contract";
import type { RunFacts } from "../expressions/expression.ts";
import type { Concluded, Prompted, Replied } from "./conversation.ts";
import type { StepError } from "./step-error.ts";

/**
 * The journal of a run: each entry is a fact about the past, written by the run's one owner. The state is the fold of
 * the entries (`fold.ts`), so an entry contains every value that the owner evaluated, drew at random, read from a clock
 * or received from outside. Times are milliseconds since the epoch.
 */
export type Entry =
  | Started
  | Recovered
  | BranchTaken
  | Prompted
  | Replied
  | Concluded
  | Intent
  | Outcome
  | NodeFailed
  | ReviewOpened
  | ReviewClosed
  | Emitted
  | CancelRequested
  | Superseded
  | Ended;

/** The run began, with its input. */
export interface Started {
  readonly type: "started";
  readonly atMs: number;
  readonly input: JsonValue;
  readonly facts: RunFacts & { readonly environment: Environment };
}

/**
 * A worker took over the run from one whose heartbeats stopped. A call with an open intent is lost with the former
 * worker, and so is a pending request to a model.
 */
export interface Recovered {
  readonly type: "recovered";
  readonly atMs: number;
  readonly workerId: string;
  readonly epoch: number;
}

/** A branch of a node was taken. */
export interface BranchTaken {
  readonly type: "branch_taken";
  readonly atMs: number;
  readonly nodeId: string;
  readonly visit: number;
  readonly branch: string;
  /** For an agent's answer: its reason, in its own words. */
  readonly reason?: string;
  /** The agent's confidence, from 0 to 1, if the node asks for it. */
  readonly confidence?: number;
}

/** A call exactly as it will be sent: rendered and checked, with no decision left. */
export interface FrozenCall {
  readonly connection: string;
  /** Id of the connection. Another connection that later has the same name does not receive the call. */
  readonly connectionId: string;
  readonly action: string;
  /** Identifies the definition of the action when the call was frozen. */
  readonly revision: string;
  readonly effect: "read" | "idempotent" | "once";
  /** How long the other service keeps the call's idempotency key, in milliseconds. Absent: one day. */
  readonly idempotencyKeyTtlMs?: number;
  /**
   * The call is dispatched to a client that polls. The owner of the run does not make it, so that it cannot be lost
   * with the owner.
   */
  readonly dispatched?: true;
  readonly args: JsonObject;
}

/** Durable before the first byte of the call is sent. */
export interface Intent {
  readonly type: "intent";
  readonly atMs: number;
  readonly nodeId: string;
  readonly visit: number;
  /** Number of the call within the visit, from 1. */
  readonly call: number;
  /** From 1. Every attempt of a call has the same `key` and arguments. */
  readonly attempt: number;
  /** Number of earlier attempts that were not started; they do not count. Absent if there are none. */
  readonly notStarted?: number;
  /** Number of earlier attempts that ended in a long wait requested by the other service; they do not count. */
  readonly deferrals?: number;
  readonly key: string;
  readonly frozen: FrozenCall;
  /** Digest of the call that a person approved. Every attempt has to make this call. */
  readonly approvedDigest?: string;
  /**
   * The reason why an earlier attempt of this call may have taken effect. The failure of a later attempt does not
   * settle that.
   */
  readonly uncertainReason?: string;
  /**
   * Time of the intent of the first attempt that may have reached the other service: the idempotency key is at most
   * that old.
   */
  readonly firstSentAtMs?: number;
  /** A person decided to send the call again, regardless of the age of its idempotency key. */
  readonly waivesKeyAge?: true;
  /**
   * The call's contribution to each sum that limits its node. It was reserved in storage before this entry was written.
   */
  readonly reserved?: readonly ReservedAmount[];
  readonly sendByMs: number;
  readonly timeoutMs: number;
}

/** The amount that a call reserved from a budget. */
export interface ReservedAmount {
  /** The budget's name in storage. */
  readonly budget: string;
  readonly amount: number;
}

/** An attempt of a call ended, or its outcome is unknown. */
export interface Outcome {
  readonly type: "outcome";
  readonly atMs: number;
  readonly nodeId: string;
  readonly visit: number;
  readonly call: number;
  readonly attempt: number;
  readonly result: CallResult;
  /** Present if the same call will be made again. */
  readonly retryAtMs?: number;
  /** The other service requested a wait of more than an hour, so the attempt does not count. */
  readonly deferred?: true;
  /** The outcome arrived after the run had stopped waiting for it. */
  readonly late?: true;
  /** The recorded request and answer, if the integration provides them. They have no effect on the run. */
  readonly exchange?: RecordedExchange;
}

/** A recorded request and its answer, without secrets and within the limits of a step. */
export interface RecordedExchange {
  readonly request: RecordedMessage & { readonly method: string; readonly url: string };
  /** Absent if none was received. */
  readonly response?: RecordedMessage & { readonly status: number };
  /** A note about omitted parts. */
  readonly note?: string;
}

/** A message of a recorded conversation. */
export interface RecordedMessage {
  readonly headers: { readonly [name: string]: string };
  /** Absent for a successful answer, whose body is the result's output. */
  readonly body?: JsonValue;
}

/** The result of a call: its output, an error, or an unknown outcome. */
export type CallResult =
  | { readonly status: "ok"; readonly output: JsonValue }
  /** The call did not do its work, or the service answered that it failed. */
  | { readonly status: "error"; readonly error: StepError }
  /**
   * The request may have been sent, and its result is not known. `answered`: the other side has answered, but the
   * answer does not tell the result; no late answer will follow.
   */
  | { readonly status: "unknown"; readonly reason: string; readonly answered?: true };

/** A node failed without a call: because of an expression, a guard, or a limit of one value. */
export interface NodeFailed {
  readonly type: "node_failed";
  readonly atMs: number;
  readonly nodeId: string;
  readonly kind: "tool_call" | "condition" | "human_review" | "end";
  readonly visit: number;
  readonly error: StepError;
}

/** The reason for a review. */
export type ReviewKind = "human_review" | "guard" | "function" | "question" | "outcome_unknown";

/** A review was opened; the run waits for people. */
export interface ReviewOpened {
  readonly type: "review_opened";
  readonly atMs: number;
  readonly nodeId: string;
  readonly visit: number;
  readonly review: OpenReview;
}

/** A review that waits for people. */
export interface OpenReview {
  readonly reviewId: string;
  readonly kind: ReviewKind;
  readonly title: string;
  /** Exactly what the reviewer sees. */
  readonly data: JsonObject;
  /** SHA-256 over the kind, title, data and call, as shown. */
  readonly digest: string;
  /** Identifies the inbox notification that settles the review. Competing notifications use the same key. */
  readonly effectKey: string;
  readonly rules: ReviewRules;
  /** The call that an approval sends: the covered call, or the call that a guard or its function held back. */
  readonly call?: ReviewedCall;
  /** An approval lets this call exceed the sum limits of its node. */
  readonly waivesLimits?: true;
  /** For an agent's question: its proposal. An approval without outputs accepts it. */
  readonly proposed?: { readonly branch: string; readonly reason: string; readonly confidence: number };
}

export interface ReviewedCall extends FrozenCall {
  readonly nodeId: string;
  /** SHA-256 over the call; checked before it is sent. */
  readonly digest: string;
}

/** The people who may decide on a review, the required number of approvals, and the deadline. */
export interface ReviewRules {
  readonly roles: readonly string[];
  readonly people: readonly string[];
  readonly approvals: number;
  /** The person who may not decide. */
  readonly excludes?: string;
  /** Nodes of this run. A person who approved a review of one of them, in any visit, may not decide. */
  readonly excludesApproversOf?: readonly string[];
  readonly notBeforeMs?: number;
  readonly expiresAtMs?: number;
  /** JSON Schema of the outputs that a decision may carry; `false`: none; `true`: any object. */
  readonly outputs: JsonObject | boolean;
}

/** A review was closed. */
export interface ReviewClosed {
  readonly type: "review_closed";
  readonly atMs: number;
  readonly reviewId: string;
  readonly answer: ReviewAnswer;
}

/** How a review was closed. */
export type ReviewAnswer =
  | { readonly status: "approved"; readonly outputs?: JsonObject; readonly decisions: readonly DecisionFact[] }
  | { readonly status: "rejected"; readonly reason: string; readonly decisions: readonly DecisionFact[] }
  | { readonly status: "expired"; readonly decisions: readonly DecisionFact[] }
  /** The run was cancelled before enough people had decided. */
  | { readonly status: "cancelled"; readonly decisions: readonly DecisionFact[] }
  /** A late answer of the call made the review void; the accompanying `outcome` contains the answer. */
  | { readonly status: "settled" };

/** A decision: the person, the time, the credential, and the digest of the content that was shown. */
export interface DecisionFact {
  readonly decisionId: string;
  readonly person: string;
  /** The key or session that the person used. */
  readonly via: string;
  readonly approved: boolean;
  readonly atMs: number;
  readonly address?: string;
  /** Digest of the content that this person saw. */
  readonly digest: string;
  /** Outputs that this person supplied with an approval. */
  readonly outputs?: JsonObject;
  /** The reason of a rejection. */
  readonly reason?: string;
}

/** A node emitted a custom event. */
export interface Emitted {
  readonly type: "emitted";
  readonly atMs: number;
  readonly nodeId: string;
  readonly visit: number;
  /** `custom.<name>` */
  readonly event: string;
  readonly payload: JsonObject;
}

/** A cancellation was requested. */
export interface CancelRequested {
  readonly type: "cancel_requested";
  readonly atMs: number;
  readonly by: string;
  readonly reason?: string;
}

/** A notification that arrived too late to change anything; kept for audits. */
export interface Superseded {
  readonly type: "superseded";
  readonly atMs: number;
  readonly effectKey: string;
  readonly body: JsonValue;
}

/** The run completed or failed. */
export interface Ended {
  readonly type: "ended";
  readonly atMs: number;
  readonly result: RunResult;
  /** The end node that was reached, or the node at which the run failed. */
  readonly nodeId?: string;
}

/** How a run ended. */
export type RunResult =
  { readonly status: "completed"; readonly output: JsonObject } | { readonly status: "failed"; readonly error: string };
