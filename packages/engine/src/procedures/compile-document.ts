import { ProcedoError, type Environment } from "@procedo/contract";
import { compileProcedure, type CompileResult, type Problem } from "@procedo/procedure";
import type { RecordStore } from "@procedo/storage";
import { keyReviewers } from "../access/key-reviewers.ts";
import type { Outside } from "../outgoing/outside.ts";
import { surroundingsOf, type SurroundingPorts } from "./surroundings.ts";
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

export interface CheckedWhere {
  /** Where the version is to be a default: its connections have to be there. */
  readonly defaultIn: readonly Environment[];
  /** Of no other environment's connections and keys is anything told. */
  readonly reach: readonly Environment[];
}

export interface CompilePorts extends SurroundingPorts {
  readonly storage: { readonly records: Pick<RecordStore, "list"> };
  readonly workspace: string;
}

export function createDocumentCompiler(ports: CompilePorts): CompileDocument {
  const { storage, workspace } = ports;
  return async (document, where, outside) => {
    const compiled = compileProcedure(document, await surroundingsOf(ports, document, where, outside));
    if (!compiled.ok || !hasReviews(compiled.procedure.document)) return compiled;
    const reviewers = await keyReviewers(storage.records, workspace);
    if (reviewers === undefined) return compiled;
    const unanswered = unansweredReviews(compiled.procedure.document, reviewers, where);
    return { ...compiled, problems: [...compiled.problems, ...unanswered] };
  };
}

export function invalidDocument(problems: readonly Problem[]): ProcedoError {
  const errors = problems.filter(({ severity }) => severity === "error");
  const count = errors.length === 1 ? "1 problem" : `${errors.length} problems`;
  return new ProcedoError(
    "invalid_document",
    `The procedure cannot be published: ${count}. The first: ${errors[0]?.message ?? ""}`,
    { details: errors.map(({ path, message }) => ({ path, message })) },
  );
}
