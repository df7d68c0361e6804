import { ProcedoError } from "@procedo/contract";
import type { AuditEntry, Scope, Storage, UndeliveredStatus } from "@procedo/storage";
import type { AuditFact, AuditLog } from "../audit/audit-log.ts";

/** The number of deliveries that one call resent, and the cursor for the next call. */
export interface ResentDeliveries {
  /** Number of deliveries that are pending again. */
  readonly resent: number;
  /** Pass it to the next call. `undefined` when all deliveries have been examined. */
  readonly nextCursor: string | undefined;
}

/** Deliveries that are examined in one transaction of storage. */
const pageSize = 500;

/** Bounds the duration of one call, however many deliveries there are. */
const pagesPerCall = 10;

/**
 * Resends undelivered deliveries of events that occurred at `sinceMs` or later, oldest first. Each is resent once, even
 * by concurrent calls. One audit entry covers all that a call resends; it is written with the first page that resends
 * something. A call that fails between two pages leaves the remaining deliveries unchanged.
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
