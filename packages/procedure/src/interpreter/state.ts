import type { Environment, JsonValue } from "@procedo/contract";
import type { NodeResult, RunFacts } from "../expressions/expression.ts";
import type { AgentState } from "./conversation.ts";
import type { FrozenCall } from "./frozen-call.ts";
import type { Held, Intent, OpenReview, ReservedAmount, RunResult, Started } from "./journal.ts";

/** The complete state that a run's future depends on: the fold of its journal. Immutable. */
export interface RunState {
  /** The facts of the run that are known before its first step. */
  readonly facts: RunFacts & {
    /** The environment of the run. */
    readonly environment: Environment;
  };
  /** What started the run; `undefined` for a start over the Runner API or in code. */
  readonly trigger: Started["trigger"] | undefined;
  /** The run's input. */
  readonly input: JsonValue;
  /** The latest visit of each node. */
  readonly nodes: { readonly [nodeId: string]: NodeResult };
  /** Number of visits of each node. */
  readonly visits: { readonly [nodeId: string]: number };
  /** The position of the run. */
  readonly cursor: Cursor;
  /** Approved calls that no visit has used yet, by the node that they belong to. */
  readonly approved: { readonly [nodeId: string]: ApprovedCall };
  /** The conversation and calls of the current node's agent in this visit; `undefined` outside such a node. */
  readonly agent: AgentState | undefined;
  /** The requested cancellation; `undefined` if none was requested. */
  readonly cancel:
    | {
        /** The person who cancelled the run. */
        readonly by: string;
        /** The person's reason. Absent: none was given. */
        readonly reason?: string;
      }
    | undefined;
  /** The wait for a connection's authorization since the last call; `undefined` if there was none. */
  readonly held: Held | undefined;
  /** The run's consumption of its limits so far. */
  readonly counts: RunCounts;
}

/** The run's consumption of its limits so far. */
export interface RunCounts {
  /** Number of visits of nodes. */
  readonly nodeVisits: number;
  /** Attempts of calls, without those that were not started. */
  readonly toolCalls: number;
  /** Attempts to ask a model: those on record, and those lost with their worker. */
  readonly modelCalls: number;
  /** Tokens of prompts and replies together. */
  readonly tokens: number;
  /** Number of replacements of a lost owner. */
  readonly recoveries: number;
  /** Events that were published: opened reviews, emitted events, and the end. */
  readonly events: number;
}

/** The position of the run. */
export type Cursor =
  /** Arrived at a node; nothing of this visit is on record yet. */
  | { readonly at: "node"; readonly nodeId: string }
  /** The prompt is durable or about to be; the model has to be asked, or asked again. */
  | { readonly at: "asking"; readonly nodeId: string; readonly turn: number; readonly attempt: number }
  /** The model could not answer; the same prompt is sent again, not before `retryAtMs`. */
  | {
      readonly at: "model_backoff";
      readonly nodeId: string;
      readonly turn: number;
      readonly attempt: number;
      readonly failedAtMs: number;
      readonly retryAtMs: number;
    }
  /** The model has answered; its reply has to be judged. */
  | { readonly at: "replied"; readonly nodeId: string }
  /** A call of the agent has its outcome; the agent has to receive it. */
  | { readonly at: "answered"; readonly nodeId: string }
  /** A call has to be made (again) exactly as frozen. */
  | { readonly at: "ready"; readonly nodeId: string; readonly call: ReadyCall }
  /** The intent is durable, and the outcome is open. `lost`: the owner that made the call is gone. */
  | { readonly at: "calling"; readonly nodeId: string; readonly intent: Intent; readonly lost: boolean }
  /** The call failed, and another attempt may succeed, not before `retryAtMs`. */
  | {
      readonly at: "backoff";
      readonly nodeId: string;
      readonly call: ReadyCall;
      readonly failedAtMs: number;
      readonly retryAtMs: number;
      /** The attempt that failed. */
      readonly failed: Intent;
    }
  /** The request may have been sent, and no answer is known. A review was not opened yet. */
  | {
      readonly at: "unknown";
      readonly nodeId: string;
      readonly intent: Intent;
      readonly reason: string;
      /** Time of that entry. */
      readonly atMs: number;
      readonly lost: boolean;
      /** An answer was received, but it does not tell the result; no other answer will follow. */
      readonly answered?: true;
    }
  /** A review is open. `intent`: the call whose outcome the review settles. */
  | { readonly at: "review"; readonly nodeId: string; readonly review: OpenReview; readonly intent?: Intent }
  /** The step succeeded; its event still has to be emitted. */
  | { readonly at: "emit"; readonly nodeId: string }
  /** The run cannot continue; only its end has to be written. */
  | { readonly at: "failed"; readonly nodeId: string; readonly error: string }
  /** The run has ended. */
  | { readonly at: "ended"; readonly result: RunResult };

/** A frozen call and the number of its next attempt. */
export interface ReadyCall {
  /** The call, exactly as it will be sent. */
  readonly frozen: FrozenCall;
  /** Number of the call within the visit, from 1. */
  readonly call: number;
  /** Number of the next attempt, from 1. */
  readonly attempt: number;
  /** Number of earlier attempts that were not started. */
  readonly notStarted?: number;
  /** Number of earlier attempts that ended in a long wait requested by the other service. */
  readonly deferrals?: number;
  /** Digest of the approved call; absent if this attempt's call needed no approval. */
  readonly approvedDigest?: string;
  /** The reason why an earlier attempt may have taken effect. */
  readonly uncertainReason?: string;
  /** Time of the intent of the first attempt that may have reached the other service. */
  readonly firstSentAtMs?: number;
  /** A person decided to send it again, regardless of the age of its idempotency key. */
  readonly waivesKeyAge?: true;
  /** The amounts that earlier attempts reserved for it. */
  readonly reserved?: readonly ReservedAmount[];
  /** A person allowed it to exceed the sum limits of its node. */
  readonly waivesLimits?: true;
}

/** An approved call. It is sent exactly as approved. */
export interface ApprovedCall {
  /** The call, exactly as it was shown. */
  readonly frozen: FrozenCall;
  /** SHA-256 over the call. */
  readonly digest: string;
  /** The review that approved it. */
  readonly reviewId: string;
}

/** Number of the next call within the visit, from 1. */
export function nextCall({ agent }: RunState): number {
  return (agent?.calls.length ?? 0) + 1;
}

/** The next attempt of the same call. The effect of an earlier attempt stays uncertain. */
export function again(intent: Intent, uncertainReason?: string): ReadyCall {
  const {
    frozen,
    call,
    attempt,
    notStarted,
    deferrals,
    approvedDigest,
    reserved,
    firstSentAtMs = intent.atMs,
  } = intent;
  return {
    frozen,
    call,
    attempt: attempt + 1,
    ...(notStarted === undefined ? {} : { notStarted }),
    ...(deferrals === undefined ? {} : { deferrals }),
    ...(approvedDigest === undefined ? {} : { approvedDigest }),
    ...(uncertainReason === undefined ? {} : { uncertainReason, firstSentAtMs }),
    ...(reserved === undefined ? {} : { reserved }),
  };
}

/** The failed attempt of a backoff, with its uncertainty about earlier attempts. */
export function uncertainIntent({
  failed,
  call: { uncertainReason, firstSentAtMs },
}: Extract<Cursor, { at: "backoff" }>): Intent {
  return {
    ...failed,
    ...(uncertainReason === undefined ? {} : { uncertainReason }),
    ...(firstSentAtMs === undefined ? {} : { firstSentAtMs }),
  };
}

/** The error of a cancelled run. */
export function cancelMessage({ cancel }: Pick<RunState, "cancel">): string {
  if (cancel === undefined) return "Cancelled.";
  return cancel.reason === undefined ? `Cancelled by ${cancel.by}` : `Cancelled by ${cancel.by}: ${cancel.reason}`;
}
