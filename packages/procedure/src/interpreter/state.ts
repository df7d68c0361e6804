import type { Environment, JsonValue } from "@procedo/contract";
import type { NodeResult, RunFacts } from "../expressions/expression.ts";
import type { AgentState } from "./conversation.ts";
import type { FrozenCall, Intent, OpenReview, ReservedAmount, RunResult } from "./journal.ts";

/** Everything about a run that its future depends on: the fold of its journal. Immutable. */
export interface RunState {
  readonly facts: RunFacts & { readonly environment: Environment };
  readonly input: JsonValue;
  readonly nodes: { readonly [nodeId: string]: NodeResult };
  readonly visits: { readonly [nodeId: string]: number };
  readonly cursor: Cursor;
  /** Approved calls that no visit has used yet, by the node which they cover. */
  readonly approved: { readonly [nodeId: string]: ApprovedCall };
  /** What the agent of the node under way has said and done in this visit; `undefined` outside of such a node. */
  readonly agent: AgentState | undefined;
  readonly cancel: { readonly by: string; readonly reason?: string } | undefined;
  readonly counts: RunCounts;
}

/** What a run has used of its limits so far. */
export interface RunCounts {
  readonly nodeVisits: number;
  /** Attempts of calls, without those that were not started. */
  readonly toolCalls: number;
  /** Attempts to ask a model: those on record, and those lost with their worker. */
  readonly modelCalls: number;
  /** Of prompts and replies together. */
  readonly tokens: number;
  /** How often a lost owner was replaced. */
  readonly recoveries: number;
  /** Facts that were made known outside: reviews that were opened, events that steps emitted, and the end. */
  readonly events: number;
}

/** Where the run stands. */
export type Cursor =
  /** Arrived at a node; nothing of this visit is on record yet. */
  | { readonly at: "node"; readonly nodeId: string }
  /** The prompt is durable or about to be; the model is to be asked, or asked again. */
  | { readonly at: "asking"; readonly nodeId: string; readonly turn: number; readonly attempt: number }
  /** The model could not answer; the same prompt is put again, not before `retryAtMs`. */
  | {
      readonly at: "model_backoff";
      readonly nodeId: string;
      readonly turn: number;
      readonly attempt: number;
      readonly failedAtMs: number;
      readonly retryAtMs: number;
    }
  /** The model has answered: its reply is to be judged. */
  | { readonly at: "replied"; readonly nodeId: string }
  /** A call of the agent has its outcome: it is to be told. */
  | { readonly at: "answered"; readonly nodeId: string }
  /** A call is to be made (again) exactly as frozen. */
  | { readonly at: "ready"; readonly nodeId: string; readonly call: ReadyCall }
  /** The intent is durable, the outcome open. `lost`: the owner that held the call is gone. */
  | { readonly at: "calling"; readonly nodeId: string; readonly intent: Intent; readonly lost: boolean }
  /** The call failed in a way that is worth another attempt, not before `retryAtMs`. */
  | {
      readonly at: "backoff";
      readonly nodeId: string;
      readonly call: ReadyCall;
      readonly failedAtMs: number;
      readonly retryAtMs: number;
      /** The attempt that failed. */
      readonly failed: Intent;
    }
  /** The request may have been sent and no answer is known; nobody was asked yet. */
  | {
      readonly at: "unknown";
      readonly nodeId: string;
      readonly intent: Intent;
      readonly reason: string;
      /** When that was written down. */
      readonly atMs: number;
      readonly lost: boolean;
      /** An answer came that does not tell; no other will. */
      readonly answered?: true;
    }
  /** A review is open. `intent`: the call whose outcome is asked for. */
  | { readonly at: "review"; readonly nodeId: string; readonly review: OpenReview; readonly intent?: Intent }
  /** The step succeeded; its event is still to be emitted. */
  | { readonly at: "emit"; readonly nodeId: string }
  /** Nothing leads on; only the end is to be written. */
  | { readonly at: "failed"; readonly nodeId: string; readonly error: string }
  | { readonly at: "ended"; readonly result: RunResult };

/** A frozen call and the number of its next attempt. */
export interface ReadyCall {
  readonly frozen: FrozenCall;
  /** Number of the call within the visit, from 1. */
  readonly call: number;
  readonly attempt: number;
  /** How many of the attempts before it were not started. */
  readonly notStarted?: number;
  /** How many of the attempts before it ended in a long wait that the other service asked for. */
  readonly deferrals?: number;
  /** Digest of what was approved; absent when nobody had to approve this attempt's call. */
  readonly approvedDigest?: string;
  /** Why an earlier attempt may have taken effect. */
  readonly uncertainReason?: string;
  /** When the first attempt was intended that may have reached the other service. */
  readonly firstSentAtMs?: number;
  /** A person has it sent again, whatever the age of its idempotency key. */
  readonly waivesKeyAge?: true;
  /** What earlier attempts have reserved for it. */
  readonly reserved?: readonly ReservedAmount[];
  /** A person has let it go beyond the sums that bound its node. */
  readonly waivesLimits?: true;
}

/** A call as it was approved: it is sent exactly so. */
export interface ApprovedCall {
  readonly frozen: FrozenCall;
  readonly digest: string;
  readonly reviewId: string;
}

/** Number of the call that comes next within the visit, from 1. */
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

/** The failed attempt of a backoff, with the uncertainty that it left. */
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

/** What a cancelled run's error says. */
export function cancelMessage({ cancel }: Pick<RunState, "cancel">): string {
  if (cancel === undefined) return "Cancelled.";
  return cancel.reason === undefined ? `Cancelled by ${cancel.by}` : `Cancelled by ${cancel.by}: ${cancel.reason}`;
}
