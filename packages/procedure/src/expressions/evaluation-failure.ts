import type { ASTNode } from "@marcbachmann/cel-js";

/**
 * Ends one evaluation. It never leaves this folder: the compiled expression turns it into an `Evaluation`.
 * It speaks of source text, fields and kinds, never of the data that was read.
 */
export class EvaluationFailure extends Error {
  /** The part of the source that failed; the innermost part that knows itself sets it. */
  subject: ASTNode | undefined;
  /** A limit was reached; unlike other failures, `||`, `&&`, `all` and `exists` do not absorb it. */
  readonly isFatal: boolean;

  /** @param predicate What the part of the source does wrong: `divides by zero`. */
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
