import { ProcedoError, type JsonObject } from "@procedo/contract";
import type { Entry } from "@procedo/procedure";
import type { JournalRow, Storage } from "@procedo/storage";
import { visitRows, type JournalPorts, type RunPlaceInStorage } from "./read-journal.ts";

export interface PastPorts extends JournalPorts {
  readonly storage: Pick<Storage, "retention" | "runs">;
}

/**
 * Location of a run's history: its journal, whose rows were visited, or the archive, after which the output remains
 * here.
 */
export type Past =
  { readonly kind: "journal" } | { readonly kind: "archived"; readonly output: JsonObject | undefined };

/**
 * Reads a run's journal in slices. A run that is archived meanwhile is read in its state before or after that: if the
 * result is `archived`, the visited rows may be incomplete.
 */
export async function readPast(
  ports: PastPorts,
  run: RunPlaceInStorage,
  visit: (row: JournalRow, entries: readonly Entry[]) => void,
): Promise<Past> {
  let ended = false;
  const rows = await visitRows(ports, run, (row, entries) => {
    ended = entries.at(-1)?.type === "ended";
    visit(row, entries);
  });
  if (rows > 0 && ended) return { kind: "journal" };
  return (await readStub(ports.storage, run)) ?? { kind: "journal" };
}

/** The remains of an archived run; `undefined` for a run that was not archived. */
export async function readStub(
  storage: Pick<Storage, "retention">,
  { scope, runId }: RunPlaceInStorage,
): Promise<Extract<Past, { kind: "archived" }> | undefined> {
  const stub = await storage.retention.stub({ scope, runId });
  if (stub === undefined) return undefined;
  return {
    kind: "archived",
    output: stub.output === undefined ? undefined : (JSON.parse(stub.output) as JsonObject),
  };
}

/** The error for a request that needs more than the remains of an archived run. */
export function runArchived(runId: string): ProcedoError {
  const message = `Run "${runId}" was archived: its record is in the archive, its status and output are here.`;
  return new ProcedoError("run_archived", message);
}
