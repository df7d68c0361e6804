import type { Environment } from "@procedo/contract";
import type { Storage } from "@procedo/storage";
import type { AuditLog } from "../audit/audit-log.ts";
import { webhookBody, webhookKind, webhookRecord, withActivity } from "../webhooks/webhook-record.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Receiver } from "./receivers.ts";

/** Deactivates a webhook because of its receiver's answers. */
export interface Deactivation {
  readonly environment: Environment;
  readonly webhookId: string;
  /** The webhook as the sender saw it. A webhook that was changed since stays active. */
  readonly seen: Receiver;
  readonly reason: string;
}

export interface DeactivationPorts {
  readonly storage: Pick<Storage, "records">;
  readonly workspace: string;
  readonly audit: AuditLog;
  readonly clock: Pick<Clock, "now">;
  readonly log: Log;
}

/**
 * Deactivates the webhook, logs it and writes the audit entry. Of all processes that find a reason at the same time,
 * one does so.
 *
 * @throws ProcedoError `storage_unavailable`
 */
export async function deactivate(
  { storage, workspace, audit, clock, log }: DeactivationPorts,
  senderId: string,
  { environment, webhookId, seen, reason }: Deactivation,
): Promise<void> {
  for (;;) {
    const row = await storage.records.get({ workspace, kind: webhookKind, id: webhookId });
    if (row === undefined) return;
    const body = webhookBody(row);
    const changed = body.url !== seen.url || body.activeSinceMs !== seen.activeSinceMs;
    if (!body.isActive || changed) return;
    const off = withActivity(body, false, { atMs: clock.now(), because: reason, isByService: true });
    const record = webhookRecord(workspace, environment, webhookId, off);
    const fact = {
      action: "webhook.deactivated",
      by: "procedo",
      via: senderId,
      subject: `${environment}/${webhookId}`,
    };
    const result = await audit.record({ ...fact, details: { reason } }, (entry) =>
      storage.records.put({ record, ifRevision: row.revision, audit: entry }),
    );
    if (result.status !== "stored") continue;
    log.warn("A webhook was deactivated.", { workspace, environment, webhookId, reason });
    return;
  }
}
