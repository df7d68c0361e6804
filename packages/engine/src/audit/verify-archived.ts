import { environments } from "@procedo/contract";
import type { ArchivedHead, Page } from "@procedo/storage";
import { createHeadsDigest, type ArchiveDetails, type HeadsDigest } from "../retention/archive-fact.ts";
import type { AddProblem } from "./audit-report.ts";
import type { VerifyPorts } from "./verify-workspace.ts";

const pageSize = 1_000;

/**
 * Whether the runs that are stored as archived are those of which the workspace's chain says so. Answers how many there
 * are.
 *
 * @param told what each entry says, by its `seq`
 */
export async function verifyArchived(
  { storage, workspace }: VerifyPorts,
  told: ReadonlyMap<number, ArchiveDetails>,
  signal: AbortSignal | undefined,
  add: AddProblem,
): Promise<number> {
  const found = new Map<number, HeadsDigest>([...told.keys()].map((seq) => [seq, createHeadsDigest()]));
  let archived = 0;
  for (const environment of environments) {
    const query = { scope: { workspace, environment }, limit: pageSize };
    let cursor: string | undefined;
    do {
      signal?.throwIfAborted();
      const page: Page<ArchivedHead> = await storage.retention.stubs(
        cursor === undefined ? query : { ...query, cursor },
      );
      for (const stub of page.items) {
        archived += 1;
        const { runId, auditSeq } = stub;
        if (told.get(auditSeq)?.environment === environment) found.get(auditSeq)?.add(stub);
        else add({ kind: "run_deleted", environment, runId, message: unrecorded(runId) });
      }
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }
  for (const [seq, { file, ...expected }] of told) {
    const { runs = 0, headsDigest } = found.get(seq)?.end() ?? {};
    if (runs === expected.runs && headsDigest === expected.headsDigest) continue;
    const message =
      runs === expected.runs
        ? `Entry ${seq} says that ${runs} runs were archived in "${file}", and others are stored as these.`
        : `Entry ${seq} says that ${expected.runs} runs were archived in "${file}", and storage knows of ${runs}.`;
    add({ kind: "archived_changed", seq, message });
  }
  return archived;
}

function unrecorded(runId: string): string {
  return `The rows of run "${runId}" are gone, and no entry of the workspace's chain says that it was archived.`;
}
