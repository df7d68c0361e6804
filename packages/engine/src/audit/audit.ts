/*
 * The audit record.
 *
 *   audit-log.ts         the workspace's chain: each managed change is written with its entry
 *   fair-turns.ts        the order of concurrent changes
 *   shown-once.ts        undoes a creation when the caller did not receive the secret
 *   changes.ts           a readable entry; archive-fact.ts: the entry about archived runs
 *   list-changes.ts      the entries that match filters, newest first
 *   signature.ts         the key pair and the statements that it signs
 *   export-run.ts        one run, signed; verify-export.ts: verifies it with the public key alone
 *   checkpoints.ts       signed lists of ended runs; checkpoint-parts.ts and checkpoint.ts: their format
 *   verify-workspace.ts  verifies the whole storage (verify-ports.ts): verify-changes.ts, verify-listed-runs.ts,
 *                        verify-document.ts, verify-archived.ts, verify-journals.ts
 *   audit-report.ts      the problems that verification found
 */
import { ProcedoError, quotedValue, type AuditExport, type Environment } from "@procedo/contract";
import type { Page, Storage } from "@procedo/storage";
import type { Slices } from "../journal/slices.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { AuditLog } from "./audit-log.ts";
import type { AuditReport } from "./audit-report.ts";
import type { WorkspaceChange } from "./changes.ts";
import { createCheckpoints, type Checkpoints, type CheckpointSettings } from "./checkpoints.ts";
import { exportRun } from "./export-run.ts";
import { listChanges, readable, type ChangeQuery } from "./list-changes.ts";
import type { LargeReads } from "../journal/large-reads.ts";
import { createAuditSigner, type AuditPublicKey, type SignedStatement } from "./signature.ts";
import type { VerifyRequest } from "./verify-ports.ts";
import { verifyWorkspace } from "./verify-workspace.ts";

/** Proof of past events for auditors who do not have to trust the operator. */
export interface Audit {
  /**
   * One run as a signed record: its rows as they are stored and decoded, the document that it executed, and the last
   * row of its journal. Anyone can verify it with `verifyExport` and the public key.
   *
   * @throws ProcedoError `run_not_found`; `run_archived`: its export is in the archive; `journal_corrupted` when the stored rows are not those that were written
   */
  exportRun(
    run: { readonly environment: Environment; readonly runId: string },
    options?: Pick<LargeReads, "onRead">,
  ): Promise<AuditExport>;
  /** The key that verifies exports and checkpoints. Give it to auditors separately from the exports. */
  publicKey(): AuditPublicKey;
  /** Every managed change and every checkpoint of the workspace, oldest first. */
  changes(request?: {
    /** @defaultValue 0, the beginning */
    readonly afterSeq?: number;
    /** 1 to 1000. @defaultValue 100 */
    readonly limit?: number;
  }): Promise<readonly WorkspaceChange[]>;
  /**
   * The entries that match all filters, newest first. A page examines a bounded number of entries, so it may be short
   * or even empty although it has a `nextCursor`. `changes` returns the same entries without filters.
   *
   * @throws ProcedoError `invalid_cursor`; `journal_corrupted` when an entry cannot be read
   */
  list(request: ChangeQuery): Promise<Page<WorkspaceChange>>;
  /**
   * Reads the whole storage and reports every deviation from the records as they were written: changed rows, deleted
   * runs, truncated journals and chains. The time that it takes grows with the amount of stored data.
   */
  verify(request?: VerifyRequest): Promise<AuditReport>;
  /**
   * The last signed checkpoint, which `verify` can compare with. Keep it where people with write access to this storage
   * cannot change it.
   */
  latestCheckpoint(): Promise<SignedStatement | undefined>;
}

export interface AuditPorts {
  readonly storage: Pick<Storage, "audit" | "procedures" | "records" | "retention" | "runs">;
  readonly workspace: string;
  readonly clock: Clock;
  readonly slices: Slices;
  readonly log: Log;
  readonly audit: AuditLog;
  readonly chainKey: Uint8Array;
  /** Seed of the signing key pair. */
  readonly signingSeed: Uint8Array;
}

const defaultLimit = 100;

const minCheckpointMs = 1_000;

/** @throws ProcedoError `invalid_configuration` */
export function createAudit(
  ports: AuditPorts,
  settings: CheckpointSettings,
): { readonly audit: Audit; readonly checkpoints: Pick<Checkpoints, "start" | "stop"> } {
  const { storage, workspace } = ports;
  if (!(typeof settings.checkpointMs === "number" && settings.checkpointMs >= minCheckpointMs)) {
    const message = `checkpointMs is ${quotedValue(settings.checkpointMs)}. Give at least ${minCheckpointMs} milliseconds.`;
    throw new ProcedoError("invalid_configuration", message);
  }
  const signer = createAuditSigner(ports.signingSeed);
  const checkpoints = createCheckpoints({ ...ports, signer }, settings);
  const audit: Audit = {
    exportRun: (run, options) => exportRun({ ...ports, signer }, run, options),
    publicKey: () => signer.publicKey,
    changes: async ({ afterSeq = 0, limit = defaultLimit } = {}) => {
      const entries = await storage.audit.list({ workspace, afterSeq, limit });
      return entries.map(readable);
    },
    list: (request) => listChanges({ audit: storage.audit, workspace }, request),
    verify: (request = {}) => verifyWorkspace({ ...ports, publicKey: signer.publicKey }, request),
    latestCheckpoint: async () => (await checkpoints.latest())?.signed,
  };
  return { audit, checkpoints };
}
