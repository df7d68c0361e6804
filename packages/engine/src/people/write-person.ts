import { ProcedoError } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import type { AuditFact, AuditLog } from "../audit/audit-log.ts";
import { refuseRevoked } from "../access/principal.ts";
import { personKind, personRecord, type PersonBody, type PersonRow } from "./person-record.ts";

export interface WritePorts {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
  readonly audit: AuditLog;
}

/** A change of one person, planned on the record as it was read. */
export interface PlannedChange {
  /** The record that changes; revision 0 for a new one. */
  readonly row: Pick<PersonRow, "personId" | "revision">;
  /** The new body; `undefined` removes the record. */
  readonly body: PersonBody | undefined;
  readonly fact: AuditFact;
  /**
   * Checks what the change requires of other people, immediately before the write. It holds at the write: each change of
   * a person has an entry in the chain, so that a change which was made since the check leaves this entry behind, and
   * the check is repeated.
   */
  readonly check?: () => Promise<void>;
}

/** Attempts against concurrent changes of the same person. */
const maxTries = 5;

/**
 * Writes a change of one person with its entry in the chain.
 *
 * @param plan reads the person and plans the change; `undefined` if nothing has to change. Called again after a
 *   concurrent change of the person
 * @throws ProcedoError `email_taken`; `revision_conflict`; the errors of `plan` and its check
 */
export async function writePerson(ports: WritePorts, plan: () => Promise<PlannedChange | undefined>): Promise<void> {
  const { storage, workspace, audit } = ports;
  for (let tries = 0; tries < maxTries; tries++) {
    const planned = await plan();
    if (planned === undefined) return;
    const { row, body, fact, check } = planned;
    const result = await audit.record(fact, async (entry) => {
      if (check !== undefined) {
        await check();
        refuseRevoked(fact);
      }
      const { personId: id, revision: ifRevision } = row;
      if (body === undefined) {
        return await storage.records.remove({ workspace, kind: personKind, id, ifRevision, audit: entry });
      }
      const record = personRecord(workspace, id, body);
      return await storage.records.put({ record, ifRevision, audit: entry });
    });
    if (typeof result === "object" && result.status === "taken") throw emailTaken();
    if (result === "removed" || (typeof result === "object" && result.status === "stored")) return;
  }
  throw new ProcedoError("revision_conflict", "Other requests changed this person at the same time. Try again.");
}

function emailTaken(): ProcedoError {
  return new ProcedoError(
    "email_taken",
    "Another person has this e-mail address or this account, or the address was invited at the same moment.",
  );
}
