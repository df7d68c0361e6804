import { environments } from "@procedo/contract";
import type { ArchivedHead, Page } from "@procedo/storage";
import { createHeadsDigest, type HeadsDigest } from "./archive-fact.ts";
import type { AddProblem } from "./audit-report.ts";
import { archivesSince, type VerifiedChanges } from "./verify-changes.ts";
import type { VerifyPorts } from "./verify-ports.ts";

const pageSize = 1_000;

/**
 * Checks that the runs that storage marks as archived are those that the workspace's chain lists. Returns their number.
 * Runs that are archived during the check are only checked for an entry that records them.
 */
export async function verifyArchived(
  ports: VerifyPorts,
  { head, archives: recorded }: Pick<VerifiedChanges, "head" | "archives">,
  signal: AbortSignal | undefined,
  add: AddProblem,
): Promise<number> {
  const { storage, workspace } = ports;
  const found = new Map<number, HeadsDigest>([...recorded.keys()].map((seq) => [seq, createHeadsDigest()]));
  let since: VerifiedChanges["archives"] = new Map();
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
        if (auditSeq > head.seq && !since.has(auditSeq)) since = await archivesSince(ports, head);
        const entry = recorded.get(auditSeq) ?? since.get(auditSeq);
        if (entry?.environment === environment) found.get(auditSeq)?.add(stub);
        else add({ kind: "run_deleted", environment, runId, message: unrecorded(runId) });
      }
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }
  for (const [seq, { file, ...expected }] of recorded) {
    const { runs = 0, headsDigest } = found.get(seq)?.end() ?? {};
    if (runs === expected.runs && headsDigest === expected.headsDigest) continue;
    const message =
      runs === expected.runs
        ? `Entry ${seq} says that ${runs} runs were archived in "${file}", but storage marks other runs as these.`
        : `Entry ${seq} says that ${expected.runs} runs were archived in "${file}", but storage has ${runs} of them.`;
    add({ kind: "archived_changed", seq, message });
  }
  return archived;
}

function unrecorded(runId: string): string {
  return `The rows of run "${runId}" are gone, and no entry of the workspace's chain says that it was archived.`;
}
