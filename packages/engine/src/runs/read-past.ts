import { ProcedoError, type JsonObject } from "@procedo/contract";
import type { JournalRow, Scope, Storage } from "@procedo/storage";

/** What storage has of a run: its rows or, when it was archived, the output that its stub kept. */
export type Past =
  | { readonly kind: "journal"; readonly rows: readonly JournalRow[] }
  | { readonly kind: "archived"; readonly output: JsonObject | undefined };

/** A run that is being archived is read as it was before or as it is after. */
export async function readPast(
  storage: Pick<Storage, "retention" | "runs">,
  run: { readonly scope: Scope; readonly runId: string },
): Promise<Past> {
  const rows = await storage.runs.journal({ scope: run.scope, runId: run.runId });
  if (rows.length > 0) return { kind: "journal", rows };
  const stub = await storage.retention.stub({ scope: run.scope, runId: run.runId });
  if (stub === undefined) return { kind: "journal", rows };
  const output = stub.output === undefined ? undefined : (JSON.parse(stub.output) as JsonObject);
  return { kind: "archived", output };
}

/** For whoever asks for more than is left of an archived run. */
export function runArchived(runId: string): ProcedoError {
  const message = `Run "${runId}" was archived: its record is in the archive, its status and output are here.`;
  return new ProcedoError("run_archived", message);
}
