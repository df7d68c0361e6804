import type { Environment, JsonObject, JsonValue, RunTrigger } from "@procedo/contract";
import type { RunFacts } from "../expressions/expression.ts";
import type { CallResult, RecordedExchange } from "./call-result.ts";
import type { Concluded, Prompted, Replied } from "./conversation.ts";
import type { FrozenCall } from "./frozen-call.ts";
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
  | Held
  | Emitted
  | CancelRequested
  | Superseded
  | Ended;

/** The run began, with its input. */
export interface Started {
  readonly type: "started";
  /** Time of the entry. */
  readonly atMs: number;
  /** The complete input, with the defaults of the input's schema. */
  readonly input: JsonValue;
  /** The facts of the run that are known before its first step. */
  readonly facts: RunFacts & {
    /** The environment of the run. */
    readonly environment: Environment;
  };
  /** The reference of the run, as rendered. Absent if it has none. */
  readonly reference?: string;
  /** What started the run. Absent for a start over the Runner API or in code. */
  readonly trigger?: RunTrigger & {
    /** Number of runs in the chain before this one, each started by an event of the one before. Absent: 0. */
    readonly chainDepth?: number;
  };
}

/**
 * A worker took over the run from one whose heartbeats stopped. A call with an open intent is lost with the former
 * worker, and so is a pending request to a model.
 */
export interface Recovered {
  readonly type: "recovered";
  /** Time of the entry. */
  readonly atMs: number;
  /** The worker that took over. */
  readonly workerId: string;
  /** The epoch of its claim. */
  readonly epoch: number;
}

/** A branch of a node was taken. */
export interface BranchTaken {
  readonly type: "branch_taken";
  /** Time of the entry. */
  readonly atMs: number;
  /** Id of the condition. */
  readonly nodeId: string;
  /** Number of the node's visit, from 1. */
  readonly visit: number;
  /** Name of the branch. */
  readonly branch: string;
  /** For an agent's answer: its reason, in its own words. */
  readonly reason?: string;
  /** The agent's confidence, from 0 to 1, if the node asks for it. */
  readonly confidence?: number;
}

/** Durable before the first byte of the call is sent. */
export interface Intent {
  readonly type: "intent";
  /** Time of the entry. */
  readonly atMs: number;
  /** Id of the tool_call. */
  readonly nodeId: string;
  /** Number of the node's visit, from 1. */
  readonly visit: number;
  /** Number of the call within the visit, from 1. */
  readonly call: number;
  /** From 1. Every attempt of a call has the same `key` and arguments. */
  readonly attempt: number;
  /** Number of earlier attempts that were not started; they do not count. Absent if there are none. */
  readonly notStarted?: number;
  /** Number of earlier attempts that ended in a long wait requested by the other service; they do not count. */
  readonly deferrals?: number;
  /** Idempotency key of the call. */
  readonly key: string;
  /** The call, exactly as it will be sent. */
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
  /** The time from which the call may no longer leave. */
  readonly sendByMs: number;
  /** Time limit of this attempt, in milliseconds. */
  readonly timeoutMs: number;
}

/** The amount that a call reserved from a budget. */
export interface ReservedAmount {
  /** The budget's name in storage. */
  readonly budget: string;
  /** The amount, a whole number of at least 0. */
  readonly amount: number;
}

/** An attempt of a call ended, or its outcome is unknown. */
export interface Outcome {
  readonly type: "outcome";
  /** Time of the entry. */
  readonly atMs: number;
  /** Id of the tool_call. */
  readonly nodeId: string;
  /** Number of the node's visit, from 1. */
  readonly visit: number;
  /** Number of the call within the visit, from 1. */
  readonly call: number;
  /** Number of the attempt of this call, from 1. */
  readonly attempt: number;
  /** The result of the attempt. */
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

/** A node failed without a call: because of an expression, a guard, or a limit of one value. */
export interface NodeFailed {
  readonly type: "node_failed";
  /** Time of the entry. */
  readonly atMs: number;
  /** Id of the node. */
  readonly nodeId: string;
  /** Kind of the node. */
  readonly kind: "tool_call" | "condition" | "human_review" | "end";
  /** Number of the node's visit, from 1. */
  readonly visit: number;
  /** The reason of the failure. */
  readonly error: StepError;
}

/** The reason for a review. */
export type ReviewKind = "human_review" | "guard" | "function" | "question" | "outcome_unknown";

/** A review was opened; the run waits for people. */
export interface ReviewOpened {
  readonly type: "review_opened";
  /** Time of the entry. */
  readonly atMs: number;
  /** Id of the node that opens the review. */
  readonly nodeId: string;
  /** Number of the node's visit, from 1. */
  readonly visit: number;
  /** The review, as people see it. */
  readonly review: OpenReview;
}

/** A review that waits for people. */
export interface OpenReview {
  /** Identifier of the review. */
  readonly reviewId: string;
  /** The reason for the review. */
  readonly kind: ReviewKind;
  /** The question to the reviewers. */
  readonly title: string;
  /** Exactly what the reviewer sees. */
  readonly data: JsonObject;
  /** SHA-256 over the kind, title, data and call, as shown. */
  readonly digest: string;
  /** Identifies the inbox notification that settles the review. Competing notifications use the same key. */
  readonly effectKey: string;
  /** The people who may decide, the number of approvals required, and the deadline. */
  readonly rules: ReviewRules;
  /** The call that an approval sends: the covered call, or the call that a guard or its function held back. */
  readonly call?: ReviewedCall;
  /** An approval lets this call exceed the sum limits of its node. */
  readonly waivesLimits?: true;
  /** For an agent's question: its proposal. An approval without outputs accepts it. */
  readonly proposed?: {
    /** Name of the proposed branch. */
    readonly branch: string;
    /** The agent's reason. */
    readonly reason: string;
    /** The agent's confidence, from 0 to 1. */
    readonly confidence: number;
  };
}

export interface ReviewedCall extends FrozenCall {
  /** Id of the tool_call. */
  readonly nodeId: string;
  /** SHA-256 over the call; checked before it is sent. */
  readonly digest: string;
}

/** The people who may decide on a review, the required number of approvals, and the deadline. */
export interface ReviewRules {
  /** Roles that may decide. */
  readonly roles: readonly string[];
  /** People who may decide. Without roles and people, everyone with the permission to review. */
  readonly people: readonly string[];
  /** Number of different people who have to approve. */
  readonly approvals: number;
  /** The person who may not decide. */
  readonly excludes?: string;
  /** Nodes of this run. A person who approved a review of one of them, in any visit, may not decide. */
  readonly excludesApproversOf?: readonly string[];
  /** Earlier decisions are refused. Absent: the review can be decided at once. */
  readonly notBeforeMs?: number;
  /** Time at which the review expires. Absent: never. */
  readonly expiresAtMs?: number;
  /** JSON Schema of the outputs that a decision may carry; `false`: none; `true`: any object. */
  readonly outputs: JsonObject | boolean;
}

/** A review was closed. */
export interface ReviewClosed {
  readonly type: "review_closed";
  /** Time of the entry. */
  readonly atMs: number;
  /** Identifier of the review. */
  readonly reviewId: string;
  /** How the review was closed. */
  readonly answer: ReviewAnswer;
}

/** How a review was closed. */
export type ReviewAnswer =
  | {
      readonly status: "approved";
      /** The outputs of the approval. Absent: it had none. */
      readonly outputs?: JsonObject;
      /** The decisions, in order. */
      readonly decisions: readonly DecisionFact[];
    }
  | {
      readonly status: "rejected";
      /** The reason of the rejection. */
      readonly reason: string;
      /** The decisions, in order. */
      readonly decisions: readonly DecisionFact[];
    }
  | {
      readonly status: "expired";
      /** The decisions, in order. */
      readonly decisions: readonly DecisionFact[];
    }
  /** The run was cancelled before enough people had decided. */
  | {
      readonly status: "cancelled";
      /** The decisions, in order. */
      readonly decisions: readonly DecisionFact[];
    }
  /** A late answer of the call made the review void; the accompanying `outcome` contains the answer. */
  | { readonly status: "settled" };

/** A decision: the person, the time, the credential, and the digest of the content that was shown. */
export interface DecisionFact {
  /** Identifier of the decision. */
  readonly decisionId: string;
  /** The person who decided. */
  readonly person: string;
  /** The key or session that the person used. */
  readonly via: string;
  /** Whether the decision is an approval. */
  readonly approved: boolean;
  /** Time of the decision. */
  readonly atMs: number;
  /** Network address from which the decision came. */
  readonly address?: string;
  /** Digest of the content that this person saw. */
  readonly digest: string;
  /** Outputs that this person supplied with an approval. */
  readonly outputs?: JsonObject;
  /** The reason of a rejection. */
  readonly reason?: string;
}

/** A call waits until a person has authorized its connection. */
export interface Held {
  readonly type: "held";
  /** Time of the entry. */
  readonly atMs: number;
  /** Id of the tool_call. */
  readonly nodeId: string;
  /** Number of the node's visit, from 1. */
  readonly visit: number;
  /** Name of the connection. */
  readonly connection: string;
  /** Identifier of the connection. */
  readonly connectionId: string;
  /** Why the call cannot be made. */
  readonly reason: string;
  /** When the step fails unless the connection was authorized, in milliseconds since the epoch. */
  readonly untilMs: number;
}

/** A node emitted a custom event. */
export interface Emitted {
  readonly type: "emitted";
  /** Time of the entry. */
  readonly atMs: number;
  /** Id of the tool_call. */
  readonly nodeId: string;
  /** Number of the node's visit, from 1. */
  readonly visit: number;
  /** `custom.<name>` */
  readonly event: string;
  /** Payload of the event. */
  readonly payload: JsonObject;
}

/** A cancellation was requested. */
export interface CancelRequested {
  readonly type: "cancel_requested";
  /** Time of the entry. */
  readonly atMs: number;
  /** The person who cancelled the run. */
  readonly by: string;
  /** The person's reason. Absent: none was given. */
  readonly reason?: string;
}

/** A notification that arrived too late to change anything; kept for audits. */
export interface Superseded {
  readonly type: "superseded";
  /** Time of the entry. */
  readonly atMs: number;
  /** The effect key of the notification. */
  readonly effectKey: string;
  /** Body of the notification. */
  readonly body: JsonValue;
}

/** The run completed or failed. */
export interface Ended {
  readonly type: "ended";
  /** Time of the entry. */
  readonly atMs: number;
  /** How the run ended. */
  readonly result: RunResult;
  /** The end node that was reached, or the node at which the run failed. */
  readonly nodeId?: string;
}

/** How a run ended. */
export type RunResult =
  | {
      readonly status: "completed";
      /** Output of the run. */
      readonly output: JsonObject;
    }
  | {
      readonly status: "failed";
      /** Message of the failure. */
      readonly error: string;
    };
