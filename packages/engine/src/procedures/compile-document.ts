import { ProcedoError, type Environment } from "@procedo/contract";
import { compileProcedure, type CompileResult, type Problem } from "@procedo/procedure";
import type { ResolveConnection } from "../connections/resolved-connection.ts";
import { surroundingsOf } from "./surroundings.ts";

/** Compiles a document against the connections of these environments; the graver finding of all counts for each place. */
export type CompileDocument = (document: unknown, environments: readonly Environment[]) => Promise<CompileResult>;

export function createDocumentCompiler(resolveConnection: ResolveConnection): CompileDocument {
  return async (document, environments) =>
    compileProcedure(document, await surroundingsOf(document, environments, resolveConnection));
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
