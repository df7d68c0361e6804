import type { Storage } from "@procedo/storage";
import type { AuditLog } from "../audit/audit-log.ts";
import type { Log } from "../ports/log.ts";
import { pausedByService } from "./show-trigger.ts";
import type { StoredTrigger, StoredTriggers } from "./stored-triggers.ts";
import type { TriggerPause } from "./triggers.ts";

export interface PausePorts {
  readonly storage: Pick<Storage, "triggers">;
  readonly workspace: string;
  readonly triggers: StoredTriggers;
  readonly audit: AuditLog;
  readonly clock: { now(): number };
  readonly log: Log;
}

/**
 * Pauses a trigger whose newest firings or runs failed as often in a row as its `pauseAfterFailures`. Failures before it
 * was last changed or resumed do not count. Its events are held, so that none is lost.
 *
 * @returns the pause, if it is paused now
 */
export async function pauseIfFailing(ports: PausePorts, trigger: StoredTrigger): Promise<TriggerPause | undefined> {
  const { environment, triggerId, body } = trigger;
  const limit = body.pauseAfterFailures;
  if (body.paused !== undefined || limit === null) return body.paused;
  if (!(await hasFailed(ports, trigger, limit))) return undefined;
  const reason = limit === 1 ? "A firing or its run failed." : `${limit} firings or runs failed in a row.`;
  const fact = {
    by: pausedByService,
    via: pausedByService,
    action: "trigger.paused",
    subject: `${environment}/${triggerId}`,
    details: { events: "hold", reason },
  };
  let written: TriggerPause | undefined;
  const { body: now } = await ports.triggers.change({ environment, triggerId }, fact, ({ body: before, revision }) => {
    written = undefined;
    // A change since then counts as a repair.
    if (before.paused !== undefined || revision !== trigger.revision) return { body: before };
    written = { atMs: ports.clock.now(), by: pausedByService, reason, events: "hold" };
    return { body: { ...before, paused: written } };
  });
  // Other starts under way may have found it paused already.
  if (written !== undefined) ports.log.error("A trigger was paused after failures.", { triggerId, environment });
  return now.paused;
}

/** Whether as many of the newest firings and their runs as the limit have failed, without one that completed between them. */
async function hasFailed(
  { storage, workspace }: PausePorts,
  { environment, triggerId, body: { resumedAtMs = 0, updatedAtMs } }: StoredTrigger,
  limit: number,
): Promise<boolean> {
  const scope = { workspace, environment };
  // Costs as little as the failures in a row, which are mostly none. They may be older than the last change.
  const [state] = await storage.triggers.states({ scope, triggerIds: [triggerId] });
  if ((state?.consecutiveFailures ?? 0) < limit) return false;
  const query = { scope, triggerId, fromMs: Math.max(resumedAtMs, updatedAtMs), limit: pageSize };
  let failures = 0;
  for (let cursor: string | undefined, page = 0; page < maxPages; page++) {
    const { items, nextCursor } = await storage.triggers.list({ ...query, ...(cursor !== undefined && { cursor }) });
    for (const { status, run } of items) {
      if (run?.status === "completed") return false;
      if (status === "failed" || run?.status === "failed") failures += 1;
      if (failures === limit) return true;
    }
    cursor = nextCursor;
    if (cursor === undefined) break;
  }
  return false;
}

const pageSize = 100;

/** Bounds the search among open runs, and firings that started none. */
const maxPages = 100;
