import { environments } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import type { Slices } from "../journal/slices.ts";
import { createProblemList, type AuditReport } from "./audit-report.ts";
import { verifyArchived } from "./verify-archived.ts";
import { verifyChanges } from "./verify-changes.ts";
import { verifyJournals } from "./verify-journals.ts";
import type { AuditPublicKey, SignedStatement } from "./signature.ts";

export interface VerifyPorts {
  readonly storage: Pick<Storage, "audit" | "procedures" | "retention" | "runs">;
  readonly workspace: string;
  readonly slices: Slices;
  readonly chainKey: Uint8Array;
  readonly publicKey: AuditPublicKey;
}

/** Options of {@link Audit.verify}. */
export interface VerifyRequest {
  /**
   * A checkpoint that was kept outside this storage, as `Audit.latestCheckpoint` answered it. Without one a chain whose
   * newest entries were cut off cannot be told from one to which nothing was added.
   */
  readonly kept?: SignedStatement;
  readonly signal?: AbortSignal;
}

/**
 * Reads everything again, in pages: first the workspace's chain with its checkpoints, then what was archived, then the
 * journal of every run.
 */
export async function verifyWorkspace(ports: VerifyPorts, request: VerifyRequest): Promise<AuditReport> {
  const found = createProblemList();
  const { head, archives, ...told } = await verifyChanges(ports, request, found.add);
  const archived = await verifyArchived(ports, { head, archives }, request.signal, found.add);
  let runs = 0;
  for (const environment of environments) {
    runs += await verifyJournals(ports, environment, request.signal, found.add);
  }
  return { runs, archived, ...told, ...found.report() };
}
