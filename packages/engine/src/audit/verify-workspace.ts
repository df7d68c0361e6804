import { environments } from "@procedo/contract";
import { createProblemList, type AuditReport } from "./audit-report.ts";
import { verifyArchived } from "./verify-archived.ts";
import { verifyChanges } from "./verify-changes.ts";
import { verifyJournals } from "./verify-journals.ts";
import type { VerifyPorts, VerifyRequest } from "./verify-ports.ts";

/**
 * Verifies the whole storage, in pages: first the workspace's chain with its checkpoints, then the archived runs, then
 * the journal of every run.
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
