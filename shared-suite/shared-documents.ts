import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeDocument, importDocument, type ImportedApi, type ImportProblem } from "@procedo/integrations/openapi";

const folder = join(import.meta.dirname, "../../shared/specs");
if (!existsSync(folder)) {
  throw new Error(
    `This suite reads the documents in ${folder}, which is not there. Without them, run pnpm verify alone.`,
  );
}

/** The path of a document in `../shared/specs`. */
export function pathOf(kind: "invalid" | "real", file: string): string {
  return join(folder, kind, file);
}

/** The result of importing a file, with or without operations. */
export interface Imported {
  /** `undefined`: the document was refused. */
  readonly api: ImportedApi | undefined;
  readonly problems: readonly ImportProblem[];
}

/** Imports a file in the way of the command and of a connection. */
export function importFile(path: string): Imported {
  const decoded = decodeDocument(readFileSync(path));
  if (!decoded.ok) return { api: undefined, problems: [decoded.problem] };
  const result = importDocument(decoded.text);
  return result.ok ? { api: result.api, problems: result.api.problems } : { api: undefined, problems: result.problems };
}

/** The text of a document for import by a connection. */
export function textOf(path: string): string {
  const decoded = decodeDocument(readFileSync(path));
  if (!decoded.ok) throw new Error(decoded.problem.message);
  return decoded.text;
}
