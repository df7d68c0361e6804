import { ProcedoError } from "@procedo/contract";
import type { AuditEntry, Scope, Storage, UndeliveredStatus } from "@procedo/storage";
import type { AuditFact, AuditLog } from "../audit/audit-log.ts";

/** How many deliveries one call has sent again, and how to continue. */
export interface ResentDeliveries {
  readonly resent: number;
  /** There is more to look through: hand it to the next call. */
  readonly nextCursor: string | undefined;
}

/** Looked through in one transaction of storage. */
const pageSize = 500;

/** One call is over within moments, however many deliveries there are. */
const pagesPerCall = 10;

/**
 * Sends deliveries again that ended without being delivered and whose events occurred at `sinceMs` or later, oldest first,
 * each once however often that is asked for at the same time. One audit entry tells of all that one call sends: it is
 * written with the first page that sends something. A call that dies between two pages leaves the rest as it was.
 *
 * @throws ProcedoError `invalid_cursor`
 */
export async function resendSince(
  ports: { readonly deliveries: Pick<Storage["deliveries"], "resendUndelivered">; readonly audit: AuditLog },
  request: {
    readonly scope: Scope;
    readonly webhookId: string;
    readonly statuses: readonly UndeliveredStatus[];
    readonly sinceMs: number;
    readonly cursor?: string | undefined;
    readonly repeatMs: number;
    readonly fact: AuditFact;
  },
): Promise<ResentDeliveries> {
  const { deliveries, audit } = ports;
  const { fact, cursor: first, ...wanted } = request;
  let cursor = first;
  let resent = 0;
  for (let page = 0; page < pagesPerCall; page++) {
    const resend = (entry?: AuditEntry) =>
      deliveries.resendUndelivered({
        ...wanted,
        limit: pageSize,
        ...(cursor !== undefined && { cursor }),
        ...(entry !== undefined && { audit: entry }),
      });
    const answer = await (resent === 0 ? audit.record(fact, resend) : resend());
    if (answer.status === "audit_behind") throw new ProcedoError("internal", "No audit entry was to be written.");
    resent += answer.deliveries;
    cursor = answer.nextCursor;
    if (cursor === undefined) break;
  }
  return { resent, nextCursor: cursor };
}
