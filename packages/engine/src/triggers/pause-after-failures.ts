import type { FiringRow, FiringStatus, Storage } from "@procedo/storage";
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

/** Whether the newest ended firings, as many as the limit, are failures. */
async function hasFailed(
  { storage, workspace }: PausePorts,
  { environment, triggerId, body: { resumedAtMs = 0, updatedAtMs } }: StoredTrigger,
  limit: number,
): Promise<boolean> {
  const newest = async (status: FiringStatus): Promise<readonly FiringRow[]> => {
    const scope = { workspace, environment };
    const query = { scope, triggerId, status, fromMs: Math.max(resumedAtMs, updatedAtMs), limit: maxLooked };
    const found: FiringRow[] = [];
    // A page may be short or empty, and still be followed by others.
    for (let cursor: string | undefined, page = 0; page < maxPages; page++) {
      const { items, nextCursor } = await storage.triggers.list({ ...query, ...(cursor !== undefined && { cursor }) });
      found.push(...items);
      cursor = nextCursor;
      if (cursor === undefined || found.length >= maxLooked) break;
    }
    return found;
  };
  const firings = [...(await newest("failed")), ...(await newest("started"))]
    .filter(({ status, run }) => status === "failed" || run?.status === "failed" || run?.status === "completed")
    .sort((one, other) => other.receivedAtMs - one.receivedAtMs)
    .slice(0, limit);
  return (
    firings.length === limit && firings.every(({ status, run }) => status === "failed" || run?.status === "failed")
  );
}

/** Enough for the highest limit, as long as few of the newest runs are open. */
const maxLooked = 100;

/** Bounds the search among firings of other statuses. */
const maxPages = 100;
