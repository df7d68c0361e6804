import type { Environment } from "@procedo/contract";
import { compileProcedure, type CompileResult } from "@procedo/procedure";
import type { ResolveConnection } from "../connections/resolved-connection.ts";
import { surroundingsOf } from "./surroundings.ts";

/** Compiles a document against the connections of these environments; the graver finding of all counts for each place. */
export type CompileDocument = (document: unknown, environments: readonly Environment[]) => Promise<CompileResult>;

export function createDocumentCompiler(resolveConnection: ResolveConnection): CompileDocument {
  return async (document, environments) =>
    compileProcedure(document, await surroundingsOf(document, environments, resolveConnection));
}
