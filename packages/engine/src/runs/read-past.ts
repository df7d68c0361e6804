import { ProcedoError, type JsonObject } from "@procedo/contract";
import type { Entry } from "@procedo/procedure";
import type { JournalRow, Storage } from "@procedo/storage";
import { visitRows, type JournalPorts, type RunPlaceInStorage } from "../journal/read-journal.ts";

export interface PastPorts extends JournalPorts {
  readonly storage: Pick<Storage, "retention" | "runs">;
}

/** What storage has of a run: its rows, which were visited, or, when it was archived, the output that its stub kept. */
export type Past =
  { readonly kind: "journal" } | { readonly kind: "archived"; readonly output: JsonObject | undefined };

/**
 * Reads a run's journal in slices. A run that is being archived is read as it was before or as it is after: where it
 * answers `archived`, what was visited is not all of it.
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

/** What is left of a run, once it was archived. */
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

/** For whoever asks for more than is left of an archived run. */
export function runArchived(runId: string): ProcedoError {
  const message = `Run "${runId}" was archived: its record is in the archive, its status and output are here.`;
  return new ProcedoError("run_archived", message);
}
