import type { JsonObject, JsonValue } from "@procedo/contract";
import type { StepBudget } from "./step-budget.ts";

/** What an expression may read. Plain JSON; the evaluator gives no access to anything else. */
export interface Scope {
  readonly input: JsonValue;
  /** Every node of the procedure has a key; one that was not visited yet is `{}`. */
  readonly nodes: { readonly [nodeId: string]: NodeResult };
  readonly run: RunFacts;
  /** The proposed arguments; in guards and sums only. */
  readonly args?: JsonObject;
  /** Shared by all evaluations on this scope. @defaultValue a budget for each evaluation */
  readonly budget?: StepBudget;
}

/** The latest visit of a node. A failed step has `{ error }` as its output, and `error` beside it. */
export interface NodeResult {
  readonly output?: JsonValue;
  readonly error?: string;
  /** Of a call that was refused: `nodes.<id>.error.status` and its like read it. */
  readonly errorDetails?: ErrorDetails;
}

/** What the other service answered to a call that it refused. */
export interface ErrorDetails {
  /** The status of HTTP. */
  readonly status?: number;
  /** The service's own words. */
  readonly reason?: string;
  readonly body?: JsonValue;
}

/** What is known of a run before its first step. */
export interface RunFacts {
  readonly runId: string;
  readonly procedureId: string;
  readonly procedureVersion: string;
  readonly environment: string;
  /** ISO 8601 time of the run's creation: the only time that an expression sees, so evaluating twice gives the same. */
  readonly createdAt: string;
  /** The person or key that started the run. */
  readonly startedBy: string;
}

/** What evaluating gives: a JSON value, nothing (an optional path that is absent), or a message for the run's record. */
export type Evaluation =
  | { readonly ok: true; readonly value: JsonValue | undefined }
  /** `limit`: a limit of expressions was reached, and would be again. */
  | { readonly ok: false; readonly message: string; readonly code?: "limit" };

/** A parsed expression. Evaluating has no effect, is bounded in steps, and never throws. */
export interface Expression {
  readonly source: string;
  evaluate(scope: Scope): Evaluation;
}

/** A JSON value in which strings may hold `{{ expression }}`; rendering fills them in, in one pass. */
export interface Template {
  render(scope: Scope): Evaluation;
  /** Root paths that the template reads (`input`, `nodes.vendor`), for checks between nodes. */
  readonly reads: ReadonlySet<string>;
}
