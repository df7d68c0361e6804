import type { Environment, JsonValue } from "@procedo/contract";
import type { NodeResult, RunFacts } from "../expressions/expression.ts";
import type { FrozenCall, Intent, OpenReview, RunResult } from "./journal.ts";

/** Everything about a run that its future depends on: the fold of its journal. Immutable. */
export interface RunState {
  readonly facts: RunFacts & { readonly environment: Environment };
  readonly input: JsonValue;
  readonly nodes: { readonly [nodeId: string]: NodeResult };
  readonly visits: { readonly [nodeId: string]: number };
  readonly cursor: Cursor;
  /** Approved calls that no visit has used yet, by the node which they cover. */
  readonly approved: { readonly [nodeId: string]: ApprovedCall };
  readonly cancel: { readonly by: string; readonly reason?: string } | undefined;
  readonly counts: RunCounts;
}

export interface RunCounts {
  readonly nodeVisits: number;
  readonly toolCalls: number;
  /** How often a lost owner was replaced. */
  readonly recoveries: number;
}

/** Where the run stands. */
export type Cursor =
  /** Arrived at a node; nothing of this visit is on record yet. */
  | { readonly at: "node"; readonly nodeId: string }
  /** A call is to be made (again) exactly as frozen. */
  | { readonly at: "ready"; readonly nodeId: string; readonly call: ReadyCall }
  /** The intent is durable, the outcome open. `lost`: the owner that held the call is gone. */
  | { readonly at: "calling"; readonly nodeId: string; readonly intent: Intent; readonly lost: boolean }
  /** The call failed in a way that is worth another attempt, not before `retryAtMs`. */
  | { readonly at: "backoff"; readonly nodeId: string; readonly call: ReadyCall; readonly retryAtMs: number }
  /** The request may have been sent and no answer is known; nobody was asked yet. */
  | {
      readonly at: "unknown";
      readonly nodeId: string;
      readonly intent: Intent;
      readonly reason: string;
      readonly lost: boolean;
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
  /** Digest of what was approved; absent when nobody had to approve this attempt's call. */
  readonly approvedDigest?: string;
  /** Why an earlier attempt may have done its work. */
  readonly doubted?: string;
}

export interface ApprovedCall {
  readonly frozen: FrozenCall;
  readonly digest: string;
  readonly reviewId: string;
}

/** What a cancelled run's error says. */
export function cancelMessage({ cancel }: Pick<RunState, "cancel">): string {
  if (cancel === undefined) return "Cancelled.";
  return cancel.reason === undefined ? `Cancelled by ${cancel.by}` : `Cancelled by ${cancel.by}: ${cancel.reason}`;
}
