import type { Environment } from "@procedo/contract";
import type { JournalRow, Page, RunRow } from "@procedo/storage";
import { firstBrokenRow } from "../journal/chain.ts";
import { readEntries } from "../journal/run-record.ts";
import type { AddProblem } from "./audit-report.ts";
import type { VerifyPorts } from "./verify-workspace.ts";

const pageSize = 100;

/**
 * Reads the journal of every run of an environment, whether a checkpoint lists it or not. Answers how many there are. Runs
 * that were archived have none here.
 */
export async function verifyJournals(
  { storage, workspace, chainKey }: VerifyPorts,
  environment: Environment,
  signal: AbortSignal | undefined,
  add: AddProblem,
): Promise<number> {
  const scope = { workspace, environment };
  let runs = 0;
  let cursor: string | undefined;
  do {
    const query = { scope, limit: pageSize };
    const page: Page<RunRow> = await storage.runs.list(cursor === undefined ? query : { ...query, cursor });
    for (const row of page.items) {
      signal?.throwIfAborted();
      const { runId } = row;
      const journal = await storage.runs.journal({ scope, runId });
      if (journal.length === 0 && (await storage.retention.stub({ scope, runId })) !== undefined) continue;
      runs += 1;
      const brokenAt = journal.length === 0 ? 1 : firstBrokenRow(chainKey, runId, journal);
      if (brokenAt !== undefined) {
        const message = `Row ${brokenAt} of run "${runId}" does not follow from the row before it.`;
        add({ kind: "run_broken", environment, runId, seq: brokenAt, message });
      } else if (row.endedAtMs !== undefined && !tellsItsEnd(runId, journal)) {
        const message = `Run "${runId}" has ended, and its journal stops before the end, at row ${journal.length}.`;
        add({ kind: "run_cut", environment, runId, seq: journal.length + 1, message });
      }
    }
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return runs;
}

/** A run that has ended tells so in its last row: a cut shows also before a checkpoint lists the run. */
function tellsItsEnd(runId: string, journal: readonly JournalRow[]): boolean {
  try {
    return readEntries(runId, journal).some(({ entry }) => entry.type === "ended");
  } catch {
    return false;
  }
}
