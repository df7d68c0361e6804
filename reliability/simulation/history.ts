import type { CompiledProcedure, DecisionFact } from "@procedo/procedure";
import type { Environment, JsonValue } from "@procedo/contract";
import type { JournalRow, RunCommit, Scope } from "@procedo/storage";

/**
 * What the simulated world saw, apart from what the engine says about itself: the checkers compare the two. Times are
 * those of the world.
 */
export interface History {
  /** Each run that storage has, with its rows in the order in which storage took them. */
  readonly runs: Map<string, KeptRun>;
  readonly starts: AcknowledgedStart[];
  readonly decisions: SubmittedDecision[];
  readonly cancels: AcknowledgedCancel[];
  readonly requests: LedgerRequest[];
  readonly lateAnswers: LateAnswer[];
  /** Runs whose journal was damaged on the way to a worker, and from when on. */
  readonly damaged: Map<string, { readonly epoch: number }>;
  /** Whether storage's clock has jumped forward: then it may take a live worker for dead. */
  clockJumped: boolean;
  /** How far wall clocks jumped, each time. */
  readonly wallJumpsMs: number[];
  readonly violations: Violation[];
  /** Compiled documents by `procedureId@version`. */
  readonly procedures: Map<string, CompiledProcedure>;
  /** What the engines logged. */
  readonly logs: string[];
}

export type InvariantName =
  "I1" | "I2" | "I3" | "I4" | "I5" | "I6" | "I7" | "I8" | "I9" | "I10" | "I11" | "I12" | "liveness" | "unexpected";

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
  /** Known from the answer; before it, the review that was meant. */
  readonly reviewId: string;
  readonly person: string;
  readonly approved: boolean;
  readonly idempotencyKey: string;
  /** Why it has to be refused, when it has to. */
  readonly flaw: string | undefined;
  /** What the caller was told; `undefined` while nothing was. */
  answer: "recorded" | "approved" | "rejected" | "replayed" | "refused" | undefined;
}

export interface AcknowledgedCancel {
  readonly runId: string;
  readonly environment: Environment;
  readonly atMs: number;
}

/** A call as it left an engine, and what the ledger made of it. */
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
  /** The same by the ledger's wall clock. */
  readonly sentWallMs: number;
  /** Times at which the ledger did the work because of this request. */
  readonly doneAtMs: number[];
  /** What the engine was told in the end, as JSON text. */
  answer: { readonly atMs: number; readonly ok: boolean; readonly text: string } | undefined;
}

/** Storage accepted what became of a call after the engine had given up on it. */
export interface LateAnswer {
  readonly runId: string;
  readonly effectKey: string;
  readonly body: string;
}

export type { DecisionFact };

/** As long as an idempotency key is kept. */
const keyLifeMs = 30 * 86_400_000;

/** Whether keys may have run out, because so much time has passed by the clocks: then one may start another run. */
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
    damaged: new Map(),
    clockJumped: false,
    wallJumpsMs: [],
    violations: [],
    procedures: new Map(),
    logs: [],
  };
}
