import type { JsonObject } from "@procedo/contract";
import type { DecideRequest, ReviewSummary, StartedRun } from "@procedo/engine";
import type { CrashInput } from "./crash-procedure.ts";
import type { Failpoint } from "./failpoints.ts";

/** How a node process is set up: the JSON of its first argument. */
export interface NodeSetup {
  readonly databasePath: string;
  readonly keyPath: string;
  readonly ledgerUrl: string;
  readonly ledgerToken: string;
  readonly leaseMs: number;
  /** How far its clock is ahead of the machine's, in milliseconds. @defaultValue 0 */
  readonly clockAheadMs?: number;
  /** Armed before anything is opened. */
  readonly failpoint?: Failpoint;
}

/** What the parent asks of a node, by the name of the request. */
export interface NodeRequests {
  readonly start: {
    readonly request: { readonly input: CrashInput; readonly key: string };
    readonly answer: Pick<StartedRun, "runId">;
  };
  readonly decide: { readonly request: Omit<DecideRequest, "by" | "environment">; readonly answer: unknown };
  readonly cancel: { readonly request: { readonly runId: string }; readonly answer: Record<string, never> };
  readonly show: {
    readonly request: { readonly reviewId: string };
    readonly answer: { readonly data: JsonObject };
  };
  readonly look: { readonly request: Record<string, never>; readonly answer: Look };
  /** Stops the engine and ends the process: nothing is answered. */
  readonly drain: { readonly request: { readonly drainMs: number }; readonly answer: never };
  readonly arm: { readonly request: { readonly failpoint?: Failpoint }; readonly answer: Record<string, never> };
}

export type RequestName = keyof NodeRequests;

/** What is left to do: runs that are being executed or asleep, and what people are asked. */
export interface Look {
  readonly running: number;
  readonly reviews: readonly AskedReview[];
}

export interface AskedReview extends Pick<ReviewSummary, "runId" | "reviewId" | "digest" | "nodeId"> {
  readonly kind: string;
  readonly rules: { readonly notBeforeMs?: number };
}

export interface NodeRequest<Name extends RequestName = RequestName> {
  readonly id: number;
  readonly name: Name;
  readonly request: NodeRequests[Name]["request"];
}

/** What a node tells: where it is, and the answers; an answer is sent when what it acknowledges is durable. */
export type NodeMessage =
  /** The code is loaded; nothing is opened yet. */
  | { readonly type: "loaded" }
  /** The engine works. */
  | { readonly type: "ready" }
  /** The first rows of this process are durable. */
  | { readonly type: "progress" }
  | { readonly type: "answer"; readonly id: number; readonly value: unknown }
  | { readonly type: "refusal"; readonly id: number; readonly code: string; readonly message: string };
