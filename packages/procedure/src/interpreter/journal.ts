import type { Environment, JsonObject, JsonValue } from "@procedo/contract";
import type { RunFacts } from "../expressions/expression.ts";
import type { Concluded, Prompted, Replied } from "./conversation.ts";
import type { StepError } from "./step-error.ts";

/**
 * What a run's journal says: each entry is a fact about the past, written by the run's one owner. State is their fold
 * (`fold.ts`), so an entry carries whatever the owner evaluated, drew at random, read from a clock or got from outside.
 * Times are milliseconds since the epoch.
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
 * A worker took the run over from one that stopped beating. A call whose intent stands open is lost with it, and so is what
 * a model was being asked.
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
  /** Of an agent's answer: why, in its own words. */
  readonly reason?: string;
  /** How sure the agent was, from 0 to 1, where the node asks for it. */
  readonly confidence?: number;
}

/** A call as it will be sent: rendered, checked, and nothing left to decide. */
export interface FrozenCall {
  readonly connection: string;
  /** Which connection of that name it was; another one that took the name gets nothing. */
  readonly connectionId: string;
  readonly action: string;
  /** Names what the action was when the call was frozen. */
  readonly revision: string;
  readonly effect: "read" | "idempotent" | "once";
  /** How long the other service keeps the call's idempotency key, in milliseconds. Absent: a day. */
  readonly idempotencyKeyTtlMs?: number;
  /** The call is dispatched to a client that polls. No owner of the run makes it, so none can lose it. */
  readonly dispatched?: true;
  readonly args: JsonObject;
}

/** Durable before the call's first byte leaves. */
export interface Intent {
  readonly type: "intent";
  readonly atMs: number;
  readonly nodeId: string;
  readonly visit: number;
  /** Number of the call within the visit, from 1. */
  readonly call: number;
  /** From 1; every attempt of a call has the same `key` and arguments. */
  readonly attempt: number;
  /** How many of the attempts before it were not started; they do not count. Absent when all were. */
  readonly notStarted?: number;
  /** How many of the attempts before it ended in a long wait that the other service asked for; they do not count. */
  readonly deferrals?: number;
  readonly key: string;
  readonly frozen: FrozenCall;
  /** Digest of the call as a person approved it; whatever attempt is made, it has to be this call. */
  readonly approvedDigest?: string;
  /** Why an earlier attempt of this call may have taken effect. A later attempt that fails does not settle that. */
  readonly uncertainReason?: string;
  /** When the first attempt was intended that may have reached the other service: the idempotency key is at most that old. */
  readonly firstSentAtMs?: number;
  /** A person had the call sent again, whatever the age of its idempotency key. */
  readonly waivesKeyAge?: true;
  /** What the call adds to each sum that bounds its node; reserved in storage before this was written. */
  readonly reserved?: readonly ReservedAmount[];
  readonly sendByMs: number;
  readonly timeoutMs: number;
}

/** What a call has taken from a budget. */
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
  /** Present when the same call will be made again. */
  readonly retryAtMs?: number;
  /** The other service asked for a wait of more than an hour, so the attempt does not count. */
  readonly deferred?: true;
  /** It came after the run had stopped waiting for it. */
  readonly late?: true;
  /** What went over the wire, where the integration tells it; nothing follows from it. */
  readonly exchange?: RecordedExchange;
}

/** A request and its answer as the record keeps them: without secrets, and within the limits of a step. */
export interface RecordedExchange {
  readonly request: RecordedMessage & { readonly method: string; readonly url: string };
  /** Left out when none came. */
  readonly response?: RecordedMessage & { readonly status: number };
  /** What was left out of the record. */
  readonly note?: string;
}

/** A message of a recorded conversation. */
export interface RecordedMessage {
  readonly headers: { readonly [name: string]: string };
  /** Of a good answer it is the result's output, and left out. */
  readonly body?: JsonValue;
}

/** The result of a call: its output, an error, or an unknown outcome. */
export type CallResult =
  | { readonly status: "ok"; readonly output: JsonValue }
  /** The call did not do its work, or answered that it failed. */
  | { readonly status: "error"; readonly error: StepError }
  /**
   * The request may have been sent and its answer is not known. `answered`: the other side has said what it had to say, and
   * it does not tell; no late answer will.
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

/** What asks for a review. */
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
  /** SHA-256 over kind, title, data and call as shown. */
  readonly digest: string;
  /** Names the inbox notification that settles it; whatever else could settle the same thing uses the same key. */
  readonly effectKey: string;
  readonly rules: ReviewRules;
  /** What is sent after an approval: the covered call, or the call that a guard or its function held back. */
  readonly call?: ReviewedCall;
  /** An approval lets this call go beyond the sums that bound its node. */
  readonly waivesLimits?: true;
  /** Of an agent's question: what it proposed; an approval without outputs takes it. */
  readonly proposed?: { readonly branch: string; readonly reason: string; readonly confidence: number };
}

export interface ReviewedCall extends FrozenCall {
  readonly nodeId: string;
  /** SHA-256 over the call; checked when it is sent. */
  readonly digest: string;
}

/** Who may decide on a review, how many approvals it needs, and when. */
export interface ReviewRules {
  readonly roles: readonly string[];
  readonly people: readonly string[];
  readonly approvals: number;
  /** The person who may not decide. */
  readonly excludes?: string;
  /** Nodes of this run: who approved a review of one of them, in whichever visit, may not decide. */
  readonly excludesApproversOf?: readonly string[];
  readonly notBeforeMs?: number;
  readonly expiresAtMs?: number;
  /** JSON Schema of the outputs that a decision may carry; `false`: none. `true`: any object. */
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
  /** A late answer of the call made the question void; the `outcome` beside it says what it was. */
  | { readonly status: "settled" };

/** Who decided, when, from where, and what they saw. */
export interface DecisionFact {
  readonly decisionId: string;
  readonly person: string;
  /** The key or session that the person used. */
  readonly via: string;
  readonly approved: boolean;
  readonly atMs: number;
  readonly address?: string;
  /** Digest of what was shown to this person. */
  readonly digest: string;
  /** What this person supplied with an approval. */
  readonly outputs?: JsonObject;
  /** Of a rejection. */
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

/** A notification that came too late to change anything; kept for the auditor. */
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
