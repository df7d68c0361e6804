import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeDocument, importDocument, type ImportedApi, type ImportProblem } from "@procedo/integrations/openapi";

const folder = join(import.meta.dirname, "../../shared/specs");
if (!existsSync(folder)) {
  throw new Error(
    `This suite reads the documents in ${folder}, which is not there. Without them, run pnpm verify alone.`,
  );
}

/** Where a document of `../shared/specs` lies. */
export function pathOf(kind: "invalid" | "real", file: string): string {
  return join(folder, kind, file);
}

/** What importing a file says, whether or not it gives anything. */
export interface Imported {
  /** `undefined`: the document was refused. */
  readonly api: ImportedApi | undefined;
  readonly problems: readonly ImportProblem[];
}

/** Imports a file, as the command and a connection do. */
export function importFile(path: string): Imported {
  const decoded = decodeDocument(readFileSync(path));
  if (!decoded.ok) return { api: undefined, problems: [decoded.problem] };
  const result = importDocument(decoded.text);
  return result.ok ? { api: result.api, problems: result.api.problems } : { api: undefined, problems: result.problems };
}

/** The text of a document that is to be imported by a connection. */
export function textOf(path: string): string {
  const decoded = decodeDocument(readFileSync(path));
  if (!decoded.ok) throw new Error(decoded.problem.message);
  return decoded.text;
}
