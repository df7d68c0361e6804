import { ProcedoError } from "@procedo/contract";
import { compileProcedure, type CompileResult, type Problem } from "@procedo/procedure";
import type { RecordStore } from "@procedo/storage";
import { keyReviewers } from "../keys/key-reviewers.ts";
import type { Outside } from "../egress/outside.ts";
import { surroundingsOf, type SurroundingPorts, type CheckedWhere } from "./surroundings.ts";
import { hasReviews, unansweredReviews } from "./unanswered-reviews.ts";

/**
 * Compiles a document against the models, the connections and the keys of the environments that its caller has to do with; the
 * graver finding of all counts for each place.
 */
export type CompileDocument = (
  document: unknown,
  where: CheckedWhere,
  /** Is told while documents of connections are read. */
  outside?: Outside,
) => Promise<CompileResult>;

/** Reviews without people that a document's author is told of. */
const problemLimit = 200;

export interface CompilePorts extends SurroundingPorts {
  readonly storage: { readonly records: Pick<RecordStore, "list"> };
  readonly workspace: string;
}

export function createDocumentCompiler(ports: CompilePorts): CompileDocument {
  const { storage, workspace } = ports;
  return async (document, where, outside) => {
    const compiled = compileProcedure(document, await surroundingsOf(ports, document, where, outside));
    if (!hasReviews(document)) return compiled;
    const reviewers = await keyReviewers(storage.records, workspace);
    if (reviewers === undefined) return compiled;
    const wrong = new Set(compiled.problems.map(({ severity, path }) => (severity === "error" ? path : undefined)));
    const unanswered = unansweredReviews(document, reviewers, where).filter(({ path }) => !wrong.has(path));
    return { ...compiled, problems: [...compiled.problems, ...unanswered.slice(0, problemLimit)] };
  };
}

export function invalidDocument(problems: readonly Problem[]): ProcedoError {
  const errors = problems.filter(({ severity }) => severity === "error");
  const count = errors.length === 1 ? "1 problem" : `${errors.length} problems`;
  return new ProcedoError(
    "invalid_document",
    `The procedure cannot be published: ${count}. The first: ${errors[0]?.message ?? ""}`,
    { details: errors.map(({ path, message, nodeId }) => ({ path, message, nodeId })) },
  );
}
