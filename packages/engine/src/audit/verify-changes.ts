import { chainHash, chainStart } from "../journal/chain.ts";
import { readArchiveDetails, type ArchiveDetails } from "./archive-fact.ts";
import type { AddProblem, AuditReport } from "./audit-report.ts";
import { readCheckpoint, type ReadCheckpoint } from "./checkpoint.ts";
import { signatureProblem, type SignedStatement } from "./signature.ts";
import { verifyListedRuns } from "./verify-listed-runs.ts";
import { verifyDocument } from "./verify-document.ts";
import type { VerifyPorts, VerifyRequest } from "./verify-ports.ts";

/** Counts of the chain, its head when it was read, and its records of archived runs by the entry's `seq`. */
export interface VerifiedChanges extends Pick<AuditReport, "changes" | "checkpoints" | "coveredToMs"> {
  readonly head: ChainHead;
  readonly archives: ReadonlyMap<number, ArchiveDetails>;
}

export interface ChainHead {
  readonly seq: number;
  readonly hash: string;
}

/** Entries per read. Those of checkpoints may be long. */
const pageSize = 50;

/**
 * Verifies the workspace's chain: whether each entry follows from the entry before it, whether published documents are
 * unchanged, and whether storage still contains the runs that checkpoints list.
 */
export async function verifyChanges(
  ports: VerifyPorts,
  { kept, signal }: VerifyRequest,
  add: AddProblem,
): Promise<VerifiedChanges> {
  const { storage, workspace, chainKey, publicKey } = ports;
  const archives = new Map<number, ArchiveDetails>();
  let changes = 0;
  let checkpoints = 0;
  let coveredToMs: number | undefined;
  let seq = 0;
  let previous = chainStart;
  let foundKept = kept === undefined;

  for (;;) {
    signal?.throwIfAborted();
    const entries = await storage.audit.list({ workspace, afterSeq: seq, limit: pageSize });
    for (const entry of entries) {
      changes += 1;
      if (entry.seq !== seq + 1 || entry.hash !== chainHash(chainKey, previous, workspace, entry.seq, entry.body)) {
        const message = `Entry ${seq + 1} of the workspace's chain does not follow from the one before it.`;
        add({ kind: "changes_broken", seq: seq + 1, message });
      }
      // Continues from the stored entry, so that a second break is found too.
      seq = entry.seq;
      previous = entry.hash;

      await verifyDocument(ports, entry, add);
      const archive = readArchiveDetails(entry);
      if (archive !== undefined) archives.set(seq, archive);
      const checkpoint = readCheckpoint(entry, workspace, publicKey);
      if (checkpoint === undefined) continue;
      checkpoints += 1;
      const problem = typeof checkpoint === "string" ? checkpoint : gapBefore(checkpoint, coveredToMs);
      if (problem !== undefined) {
        add({ kind: "checkpoint_invalid", seq, message: `The checkpoint in entry ${seq} is not valid. ${problem}` });
      }
      if (typeof checkpoint === "string") continue;
      if (checkpoint.signed.statement === kept?.statement) foundKept = true;
      if (checkpoint.statement.last) coveredToMs = checkpoint.statement.toMs;
      await verifyListedRuns(ports, checkpoint, signal, add);
    }
    if (entries.length < pageSize) break;
  }
  if (kept !== undefined && !foundKept) add(missingKept(kept, ports, seq));
  return { changes, checkpoints, coveredToMs, head: { seq, hash: previous }, archives };
}

/** The records of archived runs in the entries that follow from a head. */
export async function archivesSince(
  { storage, workspace, chainKey }: VerifyPorts,
  { seq, hash }: ChainHead,
): Promise<ReadonlyMap<number, ArchiveDetails>> {
  const archives = new Map<number, ArchiveDetails>();
  let last = { seq, hash };
  for (;;) {
    const entries = await storage.audit.list({ workspace, afterSeq: last.seq, limit: pageSize });
    for (const entry of entries) {
      if (entry.seq !== last.seq + 1) return archives;
      if (entry.hash !== chainHash(chainKey, last.hash, workspace, entry.seq, entry.body)) return archives;
      const archive = readArchiveDetails(entry);
      if (archive !== undefined) archives.set(entry.seq, archive);
      last = entry;
    }
    if (entries.length < pageSize) return archives;
  }
}

function gapBefore({ statement }: ReadCheckpoint, coveredToMs: number | undefined): string | undefined {
  return statement.fromMs > (coveredToMs ?? 0)
    ? "It leaves out a period that earlier checkpoints do not cover."
    : undefined;
}

function missingKept(kept: SignedStatement, { publicKey }: VerifyPorts, lastSeq: number): Parameters<AddProblem>[0] {
  const message =
    signatureProblem(kept, publicKey) === undefined
      ? `The checkpoint that was kept elsewhere is not in the workspace's chain, which ends at entry ${lastSeq}.`
      : "The checkpoint that was kept elsewhere was not signed with this engine's key.";
  return { kind: "changes_cut", seq: lastSeq + 1, message };
}
