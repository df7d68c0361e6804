import type { JsonObject, JsonValue } from "@procedo/contract";
import type { StepBudget } from "./step-budget.ts";

/** The values that an expression may read. Plain JSON; the evaluator gives access to nothing else. */
export interface Scope {
  /** The run's input. */
  readonly input: JsonValue;
  /** Every node of the procedure has a key. A node that was not visited yet is `{}`. */
  readonly nodes: { readonly [nodeId: string]: NodeResult };
  /** The facts of the run. */
  readonly run: RunFacts;
  /** The proposed arguments, in guards and sums only. */
  readonly args?: JsonObject;
  /** Shared by all evaluations on this scope. @defaultValue one budget per evaluation */
  readonly budget?: StepBudget;
}

/** Values of other names, for expressions whose types are `valueTypes`. */
export interface ValueScope {
  /** The values by name. */
  readonly values: JsonObject;
  /** Shared by all evaluations on this scope. @defaultValue one budget per evaluation */
  readonly budget?: StepBudget;
}

/** The latest visit of a node. A failed step has the output `{ error }` and `error` beside it. */
export interface NodeResult {
  /** Output of the step; `{ error }` for a failed step. */
  readonly output?: JsonValue;
  /** Message of a failed step. */
  readonly error?: string;
  /** Details of a refused call: `nodes.<id>.error.status` and similar paths read them. */
  readonly errorDetails?: ErrorDetails;
}

/** The other service's answer to a call that it refused. */
export interface ErrorDetails {
  /** The HTTP status. */
  readonly status?: number;
  /** The reason in the service's own words. */
  readonly reason?: string;
  /** The JSON of the answer. */
  readonly body?: JsonValue;
}

/** The facts about a run that are known before its first step. */
export interface RunFacts {
  /** Identifier of the run. */
  readonly runId: string;
  /** The procedure that the run executes. */
  readonly procedureId: string;
  /** The version that the run executes. */
  readonly procedureVersion: string;
  /** The environment of the run. */
  readonly environment: string;
  /**
   * ISO 8601 time of the run's creation: the only time that an expression can read, so that repeated evaluations agree.
   */
  readonly createdAt: string;
  /** The person or key that started the run. */
  readonly startedBy: string;
}

/**
 * The result of an evaluation: a JSON value, `undefined` for an absent optional path, or a message for the run's
 * record.
 */
export type Evaluation =
  | {
      readonly ok: true;
      /** The value; `undefined` for an absent optional path. */
      readonly value: JsonValue | undefined;
    }
  /** `limit`: a limit of expressions was reached; another evaluation would reach it again. */
  | { readonly ok: false; readonly message: string; readonly code?: "limit" };

/** A parsed expression. An evaluation has no effect, is bounded in steps, and never throws. */
export interface Expression {
  /** The expression's text. */
  readonly source: string;
  /** Evaluates the expression on a scope. */
  evaluate(scope: Scope | ValueScope): Evaluation;
}

/** A JSON value in which strings may contain `{{ expression }}`. Rendering fills them in, in one pass. */
export interface Template {
  /** Fills in the expressions with their values on a scope. */
  render(scope: Scope | ValueScope): Evaluation;
  /** Root paths that the template reads (`input`, `nodes.vendor`), for checks between nodes. */
  readonly reads: ReadonlySet<string>;
}
