import { ProcedoError, type Environment } from "@procedo/contract";
import { compileProcedure, type CompileResult, type Problem } from "@procedo/procedure";
import { surroundingsOf, type SurroundingPorts } from "./surroundings.ts";

/** Compiles a document against the models and the connections of these environments; the graver finding of all counts for each place. */
export type CompileDocument = (document: unknown, environments: readonly Environment[]) => Promise<CompileResult>;

export function createDocumentCompiler(ports: SurroundingPorts): CompileDocument {
  return async (document, environments) =>
    compileProcedure(document, await surroundingsOf(ports, document, environments));
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
