import { ProcedoError } from "@procedo/contract";
import { compileProcedure, type CompileResult, type Problem } from "@procedo/procedure";
import type { RecordStore } from "@procedo/storage";
import { keyReviewers } from "../keys/key-reviewers.ts";
import type { Outside } from "../egress/outside.ts";
import { surroundingsOf, type SurroundingPorts, type CheckedWhere } from "./surroundings.ts";
import { hasReviews, unansweredReviews } from "./unanswered-reviews.ts";

/**
 * Compiles a document against the models, connections and keys of the environments in `where`. For each place in the
 * document, the most serious finding counts.
 */
export type CompileDocument = (
  document: unknown,
  where: CheckedWhere,
  /** Notified while documents of connections are read. */
  outside?: Outside,
) => Promise<CompileResult>;

/** The most warnings about reviews that no one can complete. */
const problemLimit = 200;

export interface CompilePorts extends SurroundingPorts {
  readonly storage: { readonly records: Pick<RecordStore, "get" | "find" | "list"> };
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
