import type { CompiledProcedure, DecisionFact } from "@procedo/procedure";
import type { Environment, JsonValue } from "@procedo/contract";
import type { JournalRow, RunCommit, Scope } from "@procedo/storage";

/**
 * The events of the simulated world, recorded independently of the engine: checkers compare them with the engine's
 * records. Times are those of the world.
 */
export interface History {
  /** Each stored run, with its rows in the order in which storage accepted them. */
  readonly runs: Map<string, KeptRun>;
  readonly starts: AcknowledgedStart[];
  readonly decisions: SubmittedDecision[];
  readonly cancels: AcknowledgedCancel[];
  readonly requests: LedgerRequest[];
  readonly lateAnswers: LateAnswer[];
  readonly triggers: KnownTrigger[];
  /** Runs whose journal was damaged on its way to a worker, and the epoch of that claim. */
  readonly damaged: Map<string, { readonly epoch: number }>;
  /** Whether storage's clock has jumped forward: the lease of a live worker may then have expired. */
  clockJumped: boolean;
  /** The distance of each jump of the wall clocks. */
  readonly wallJumpsMs: number[];
  readonly violations: Violation[];
  /** Compiled documents by `procedureId@version`. */
  readonly procedures: Map<string, CompiledProcedure>;
  /** The log lines of the engines. */
  readonly logs: string[];
}

export type InvariantName =
  | "acknowledged"
  | "chain"
  | "results"
  | "state"
  | "owner"
  | "effects"
  | "reviews"
  | "notifications"
  | "events"
  | "triggers"
  | "environments"
  | "secrets"
  | "final"
  | "damage"
  | "liveness"
  | "unexpected";

export interface Violation {
  readonly invariant: InvariantName;
  readonly text: string;
  readonly atMs: number;
}

export interface KeptRun {
  readonly scope: Scope;
  readonly runId: string;
  readonly procedure: CompiledProcedure;
  readonly rows: KeptRow[];
  ended: boolean;
}

export interface KeptRow extends JournalRow {
  readonly epoch: number;
  readonly atMs: number;
  readonly commit: RunCommit;
}

export interface AcknowledgedStart {
  readonly runId: string;
  readonly environment: Environment;
  readonly procedureId: string;
  readonly idempotencyKey: string | undefined;
  readonly data: JsonValue;
  readonly existing: boolean;
}

export interface SubmittedDecision {
  readonly runId: string;
  readonly environment: Environment;
  /** The review of the answer; before the answer, the intended review. */
  readonly reviewId: string;
  readonly person: string;
  readonly approved: boolean;
  readonly idempotencyKey: string;
  /** The reason why it must be refused; absent if it may be accepted. */
  readonly flaw: string | undefined;
  /** The caller's answer; `undefined` before it. */
  answer: "recorded" | "approved" | "rejected" | "replayed" | "refused" | undefined;
}

export interface AcknowledgedCancel {
  readonly runId: string;
  readonly environment: Environment;
  readonly atMs: number;
}

/** A call as it left an engine, and its treatment by the ledger. */
export interface LedgerRequest {
  readonly machine: string;
  readonly runId: string;
  readonly nodeId: string;
  readonly action: string;
  readonly effect: "read" | "idempotent" | "once";
  readonly key: string;
  readonly attempt: number;
  readonly body: string;
  readonly sentAtMs: number;
  /** The same moment by the ledger's wall clock. */
  readonly sentWallMs: number;
  /** Times at which the ledger did the work because of this request. */
  readonly doneAtMs: number[];
  /** The final answer to the engine, as JSON text. */
  answer: { readonly atMs: number; readonly ok: boolean; readonly text: string } | undefined;
}

/** A late answer that storage accepted: the result of a call on which the engine had given up. */
export interface LateAnswer {
  readonly runId: string;
  readonly effectKey: string;
  readonly body: string;
}

/** A trigger as its senders and the calendar know it. */
export type KnownTrigger = {
  readonly name: string;
  readonly environment: Environment;
  /** Whether its runs may be open at the same time. */
  readonly mayOverlap: boolean;
} & (
  | {
      readonly kind: "events";
      readonly sent: Set<string>;
      readonly acknowledged: Set<string>;
    }
  | {
      readonly kind: "times";
      readonly everyMinutes: number;
      readonly catchesUp: boolean;
      /** No time at or after this one fires, in milliseconds since the epoch. */
      readonly endsAtMs: number;
    }
  /** The events of runs of this procedure. */
  | { readonly kind: "emitted"; readonly event: string; readonly procedureId: string }
);

export type { DecisionFact };

/** The retention period of an idempotency key. */
const keyLifeMs = 30 * 86_400_000;

/** Whether keys may have expired by the clocks; an expired key may start another run. */
export function keysMayHaveExpired({ wallJumpsMs }: History): boolean {
  return wallJumpsMs.some((jumpMs) => jumpMs > keyLifeMs);
}

export function createHistory(): History {
  return {
    runs: new Map(),
    starts: [],
    decisions: [],
    cancels: [],
    requests: [],
    lateAnswers: [],
    triggers: [],
    damaged: new Map(),
    clockJumped: false,
    wallJumpsMs: [],
    violations: [],
    procedures: new Map(),
    logs: [],
  };
}
