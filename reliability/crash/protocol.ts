import type { JsonObject } from "@procedo/contract";
import type { DecideRequest, ReviewSummary, StartedRun } from "@procedo/engine";
import type { CrashInput } from "./crash-procedure.ts";
import type { Failpoint } from "./failpoints.ts";

/** The setup of a node process: the JSON of its first argument. */
export interface NodeSetup {
  readonly databasePath: string;
  readonly keyPath: string;
  readonly ledgerUrl: string;
  readonly ledgerToken: string;
  readonly leaseMs: number;
  /** The lead of its clock over the machine's, in milliseconds. @defaultValue 0 */
  readonly clockAheadMs?: number;
  /** The failpoint that is armed before the database is opened. */
  readonly failpoint?: Failpoint;
}

/** The parent's requests to a node, by name. */
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
  /** Stops the engine and ends the process, without an answer. */
  readonly drain: { readonly request: { readonly drainMs: number }; readonly answer: never };
  readonly arm: { readonly request: { readonly failpoint?: Failpoint }; readonly answer: Record<string, never> };
}

export type RequestName = keyof NodeRequests;

/** The remaining work: runs that execute or wait, and open reviews. */
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

/** The messages of a node: its progress and its answers. An answer is sent when the acknowledged work is durable. */
export type NodeMessage =
  /** The code is loaded; nothing is opened yet. */
  | { readonly type: "loaded" }
  /** The engine works. */
  | { readonly type: "ready" }
  /** The first rows of this process are durable. */
  | { readonly type: "progress" }
  | { readonly type: "answer"; readonly id: number; readonly value: unknown }
  | { readonly type: "refusal"; readonly id: number; readonly code: string; readonly message: string };
