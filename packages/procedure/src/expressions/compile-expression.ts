import type { JsonObject } from "@procedo/contract";
import { EvaluationFailure } from "./evaluation-failure.ts";
import { toJson } from "./exit.ts";
import type { Evaluation, Expression } from "./expression.ts";
import { openFrame } from "./frame.ts";
import type { Frame } from "./frame.ts";
import { lowerExpression } from "./lower.ts";
import { textOf } from "./lowering.ts";
import type { Run } from "./lowering.ts";
import { schemaType } from "./schema-type.ts";
import { expressionLimit } from "./scope-types.ts";
import type { ScopeTypes } from "./scope-types.ts";
import { describe, mayBe } from "./static-type.ts";
import type { StaticType } from "./static-type.ts";
import { parseExpression } from "./syntax.ts";
import type { ExpressionProblem } from "./syntax.ts";

/** The outcome of compiling an expression. */
export type CompiledExpression =
  | {
      readonly ok: true;
      /** The expression, ready to evaluate. */
      readonly expression: Expression;
    }
  | {
      readonly ok: false;
      /** The faults of the expression. */
      readonly problems: readonly ExpressionProblem[];
    };

type Returns = "bool" | "string" | "number" | "any";

/** Scope and result type of an expression. */
export interface ExpressionOptions {
  /**
   * The required type of the result. A violation is a problem, or a failure if only the evaluation shows it.
   * @defaultValue "any"
   */
  readonly returns?: Returns;
  /** JSON Schema of `args`, `{}` for any value. Puts `args` in scope, as in guards. @defaultValue that of `types` */
  readonly args?: JsonObject;
}

/**
 * Parses and checks a CEL expression once. README.md in this folder describes the language. The stages:
 *
 * - `syntax.ts` parses the text with the library's grammar.
 * - `lower.ts` and the `lower-*.ts` beside it check each part against `static-type.ts` and compile it to a closure; the
 *   types come from `scope-types.ts` and `schema-type.ts`.
 * - The closures calculate with `value.ts`: `arithmetic.ts`, `equality.ts`, `decimal.ts`, `time.ts`, `functions.ts`.
 *   `frame.ts` holds their step budget; a failure is an `EvaluationFailure`.
 * - `exit.ts` converts the result to JSON.
 * - `template-scanner.ts` and `compile-template.ts` embed expressions in JSON values.
 *
 * @example
 * ```ts
 * import { compileExpression, scopeTypes } from "@procedo/procedure";
 *
 * const types = scopeTypes({ input: { properties: { amount: { type: "integer" } } }, outputs: new Map() });
 * const compiled = compileExpression("input.amount * 2 > 1000", types, { returns: "bool" });
 * ```
 */
export function compileExpression(
  source: string,
  types: ScopeTypes,
  options: ExpressionOptions = {},
): CompiledExpression {
  const scope = options.args === undefined ? types : { ...types, args: schemaType(options.args) };
  const returns = options.returns ?? "any";
  const program = compileProgram(source, scope, new Set());
  if ("problems" in program) return { ok: false, problems: program.problems };
  if (returns !== "any" && (program.type.kind === "optional" || !mayBe(program.type, returns))) {
    const problem = {
      message: `The expression must give ${wanted[returns]}, but gives ${describe(program.type)}.`,
      offset: 0,
    };
    return { ok: false, problems: [problem] };
  }
  return { ok: true, expression: { source, evaluate: (frame) => evaluate(program, openFrame(frame), returns) } };
}

/** A checked expression that runs on a frame. `compileTemplate` runs several on one frame. */
export interface Program {
  readonly source: string;
  readonly type: StaticType;
  readonly weight: number;
  /** Throws `EvaluationFailure`. */
  readonly run: Run;
}

export function compileProgram(
  source: string,
  types: ScopeTypes,
  reads: Set<string>,
): Program | { readonly problems: readonly ExpressionProblem[] } {
  const { budget } = types;
  if (budget !== undefined && (budget.expressions -= 1) < 0) {
    return { problems: [{ message: `A document has at most ${expressionLimit} expressions.`, offset: 0 }] };
  }
  const parsed = parseExpression(source);
  if ("problem" in parsed) return { problems: [parsed.problem] };
  const { root, problems } = lowerExpression(parsed.ast, types, reads);
  return problems.length > 0 ? { problems } : { source, type: root.type, weight: root.weight, run: root.run };
}

const wanted = { bool: "true or false", string: "text", number: "a number" };
const typeofWanted = { bool: "boolean", string: "string", number: "number" };

function evaluate(program: Program, frame: Frame, returns: Returns): Evaluation {
  try {
    const value = toJson(program.run(frame), frame);
    if (returns === "any" || typeof value === typeofWanted[returns]) return { ok: true, value };
    return { ok: false, message: `${program.source} must give ${wanted[returns]}, but does not` };
  } catch (error) {
    return failureOf(error, program.source);
  }
}

/**
 * The failure that a run's record shows. A limit of the runtime, such as the length of a text or the depth of the
 * stack, ends the evaluation like a limit of our own. Any other error is a bug and is rethrown.
 */
export function failureOf(error: unknown, source: string): Extract<Evaluation, { ok: false }> {
  if (error instanceof RangeError) {
    return { ok: false, message: `${source} is too large to be evaluated: ${error.message}`, code: "limit" };
  }
  if (!(error instanceof EvaluationFailure)) throw error;
  const message = `${error.subject === undefined ? source : textOf(error.subject)} ${error.message}`;
  return error.isFatal ? { ok: false, message, code: "limit" } : { ok: false, message };
}
