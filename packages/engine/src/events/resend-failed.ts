import type { DeliveryRow, Scope, Storage } from "@procedo/storage";
import type { AuditFact, AuditLog } from "../audit/audit-log.ts";

/** What one call has sent again, and how to go on. */
export interface ResentDeliveries {
  readonly resent: number;
  /** There is more to look through: hand it to the next call. */
  readonly nextCursor: string | undefined;
}

/** Rows carry their events' data; so many are in memory at once. */
const pageSize = 100;

/** One call is over within moments, however many deliveries there are. */
const pagesPerCall = 10;

/**
 * Sends deliveries again that have failed and were made at `sinceMs` or later, newest first, each once however often it is
 * asked for at the same time. One audit entry tells of all that one call sends: the first of them is written with it.
 *
 * @throws ProcedoError `invalid_cursor`
 */
export async function resendFailed(
  ports: { readonly deliveries: Pick<Storage["deliveries"], "list" | "resend">; readonly audit: AuditLog },
  request: {
    readonly scope: Scope;
    readonly webhookId: string;
    readonly sinceMs: number;
    readonly cursor?: string | undefined;
    readonly repeatMs: number;
    readonly fact: AuditFact;
  },
): Promise<ResentDeliveries> {
  const { deliveries, audit } = ports;
  const { scope, webhookId, sinceMs, repeatMs, fact } = request;
  let { cursor } = request;
  let resent = 0;
  for (let page = 0; page < pagesPerCall; page++) {
    const { items, nextCursor } = await deliveries.list({
      scope,
      webhookId,
      limit: pageSize,
      ...(cursor === undefined ? {} : { cursor }),
    });
    const failed = items.filter(({ status, createdAtMs }) => status === "failed" && createdAtMs >= sinceMs);
    const again = ({ deliveryId }: DeliveryRow) => ({ scope, webhookId, deliveryId, repeatMs });
    let at = 0;
    while (resent === 0 && at < failed.length) {
      const delivery = failed[at++];
      if (delivery === undefined) break;
      const result = await audit.record(fact, (entry) => deliveries.resend({ ...again(delivery), audit: entry }));
      if (result.status === "resent") resent += 1;
    }
    const results = await Promise.all(failed.slice(at).map((delivery) => deliveries.resend(again(delivery))));
    resent += results.filter(({ status }) => status === "resent").length;
    cursor = nextCursor;
    if (cursor === undefined || items.every(({ createdAtMs }) => createdAtMs < sinceMs)) {
      return { resent, nextCursor: undefined };
    }
  }
  return { resent, nextCursor: cursor };
}
