import type { ASTNode } from "@marcbachmann/cel-js";

/**
 * Ends one evaluation. It never leaves this folder: the compiled expression converts it to an `Evaluation`. Its message
 * names source text, fields and kinds, but never the data.
 */
export class EvaluationFailure extends Error {
  /** The part of the source that failed. The innermost part that knows its own source sets it. */
  subject: ASTNode | undefined;
  /** A limit was reached. Unlike other failures, it is not absorbed by `||`, `&&`, `all` and `exists`. */
  readonly isFatal: boolean;

  /** @param predicate the failure of the part of the source, as a predicate: `divides by zero` */
  constructor(predicate: string, subject?: ASTNode, isFatal = false) {
    super(predicate);
    this.subject = subject;
    this.isFatal = isFatal;
  }
}

export function fail(predicate: string, subject?: ASTNode): never {
  throw new EvaluationFailure(predicate, subject);
}

export function failAtLimit(predicate: string): never {
  throw new EvaluationFailure(predicate, undefined, true);
}
