import { serialize } from "@marcbachmann/cel-js";
import type { ASTNode } from "@marcbachmann/cel-js";
import { EvaluationFailure } from "./evaluation-failure.ts";
import type { Frame } from "./frame.ts";
import type { Literal } from "./overload.ts";
import type { ScopeTypes } from "./scope-types.ts";
import type { StaticType } from "./static-type.ts";
import type { Value } from "./value.ts";

/** Evaluates a part of an expression; throws `EvaluationFailure`. */
export type Run = (frame: Frame) => Value;

/** A part of an expression, checked and compiled to a closure. */
export interface Lowered {
  readonly type: StaticType;
  readonly run: Run;
  /** Steps of one evaluation, without the steps that macros and long texts deduct at run time. */
  readonly weight: number;
  /** The value itself, if the source is a literal. */
  readonly literal?: Literal;
}

/** A macro's variable. */
export interface Variable {
  readonly type: StaticType;
  readonly slot: number;
}

/** Lowers the parts of one expression. Every rule of the language obtains its operands here. */
export interface Lowering {
  readonly types: ScopeTypes;
  readonly variables: ReadonlyMap<string, Variable>;
  /** Root paths read so far. */
  readonly reads: Set<string>;
  /** A part that may be absent. */
  optional(node: ASTNode): Lowered;
  /** A part that must be present. If its type allows absence, that is a problem. */
  required(node: ASTNode): Lowered;
  /** Records a problem and returns a placeholder for the faulty part. */
  problem(node: ASTNode, message: string): Lowered;
  /** The same lowering with one more variable. */
  withVariable(name: string, type: StaticType): { readonly inner: Lowering; readonly slot: number };
}

/** The weight of a part with these operands. */
export function weigh(operands: readonly Lowered[]): number {
  return operands.reduce((sum, operand) => sum + operand.weight, 1);
}

/** Makes failures of this part name it as their subject, unless an inner part is named already. */
export function located(node: ASTNode, run: Run): Run {
  return (frame) => {
    try {
      return run(frame);
    } catch (error) {
      if (error instanceof EvaluationFailure) error.subject ??= node;
      throw error;
    }
  };
}

/** The part's source text for a message. */
export function textOf(node: ASTNode): string {
  const text = serialize(node);
  return text.length > 120 ? `${text.slice(0, 117)}...` : text;
}
