import type { SqliteContext } from "./context.ts";
import { prepare, prepareTuple } from "./statement.ts";

/** The rows of firings and their places in the queue, within a write. */
export interface SqliteFirings {
  /** The number of the trigger's firing with this id. */
  find(scope: number, triggerId: string, firingId: string): number | undefined;
  /** Stores a firing unless its id exists. @returns whether it was stored */
  add(firing: NewFiring): boolean;
  /** The number of the firing if it is claimed under this epoch. */
  findClaimed(scope: number, firingId: string, epoch: number): number | undefined;
  /** Whether the trigger has at least this many pending and waiting firings. */
  hasBacklog(scope: number, triggerId: string, count: number): boolean;
  /** Returns a claimed firing to the queue. */
  release(firing: number, dueAfterMs: number): void;
  /** Ends a firing of the queue without a run. */
  end(firing: number, status: "skipped" | "failed", reason: string, error?: string): void;
  /** Ends a claimed firing of the trigger with its run. @returns whether it is claimed under this epoch */
  start(scope: number, claim: FiringOfRun, run: number): void;
  /** Ends all firings of a trigger that have not ended. */
  endAll(scope: number, triggerId: string, reason: string): void;
  /** Ends firings of a scope that have not ended, at most as many as the limit. @returns their number */
  endSome(scope: number, limit: number, reason: string): number;
}

export interface FiringOfRun {
  readonly triggerId: string;
  readonly firingId: string;
  readonly epoch: number;
}

export interface NewFiring {
  readonly scope: number;
  readonly triggerId: string;
  readonly firingId: string;
  readonly requestedBy?: string | undefined;
  readonly scheduledAtMs?: number | null | undefined;
  readonly occurredAtMs?: number | null | undefined;
  readonly refireOf?: string | undefined;
  readonly event?: number | null | undefined;
  readonly skipped?: { readonly reason: string; readonly count: number } | undefined;
}

export function sqliteFirings({ db, now }: SqliteContext): SqliteFirings {
  const insert = prepare(
    db,
    `INSERT INTO firings (firing_id, scope, trigger_id, status, reason, count, requested_by, scheduled_at_ms,
                          occurred_at_ms, received_at_ms, refire_of, event)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (scope, firing_id) DO NOTHING`,
  );
  const enqueue = prepare(
    db,
    "INSERT INTO firing_queue (firing, scope, trigger_id, due_at_ms, is_requested) VALUES (?, ?, ?, ?, ?)",
  );
  const selectOne = prepareTuple<[firing: number]>(
    db,
    "SELECT firing FROM firings WHERE scope = ? AND firing_id = ? AND trigger_id = ?",
  );
  const selectClaimed = prepareTuple<[firing: number]>(
    db,
    `SELECT firing FROM firings JOIN firing_queue USING (firing)
      WHERE firings.scope = ? AND firing_id = ? AND is_claimed = 1 AND epoch = ?`,
  );
  const selectNth = prepareTuple<[1]>(
    db,
    `SELECT 1 FROM firing_queue INDEXED BY firing_queue_in_order WHERE scope = ? AND trigger_id = ?
      LIMIT 1 OFFSET +?`,
  );
  const selectQueued = prepareTuple<[firing: number]>(
    db,
    "SELECT firing FROM firing_queue INDEXED BY firing_queue_in_order WHERE scope = ? AND trigger_id = ?",
  );
  const selectQueuedOfScope = prepareTuple<[firing: number]>(
    db,
    "SELECT firing FROM firing_queue INDEXED BY firing_queue_in_order WHERE scope = ? LIMIT +?",
  );
  const release = prepare(db, "UPDATE firing_queue SET due_at_ms = ?, is_claimed = 0 WHERE firing = ?");
  const dequeue = prepare(db, "DELETE FROM firing_queue WHERE firing = ?");
  const end = prepare(db, "UPDATE firings SET status = ?, reason = ?, error = ? WHERE firing = ?");
  const start = prepare(db, "UPDATE firings SET status = 'started', run = ?, may_be_open = 1 WHERE firing = ?");

  const firings: SqliteFirings = {
    find: (scope, triggerId, firingId) => selectOne.get(scope, firingId, triggerId)?.[0],

    add({ scope, triggerId, firingId, requestedBy, skipped, ...of }) {
      const atMs = now();
      const { scheduledAtMs = null, occurredAtMs = null, refireOf = null, event = null } = of;
      const place = [skipped === undefined ? "pending" : "skipped", skipped?.reason ?? null, skipped?.count ?? 1];
      const facts = [requestedBy ?? null, scheduledAtMs, occurredAtMs, atMs, refireOf, event];
      const stored = insert.run(firingId, scope, triggerId, ...place, ...facts);
      if (stored.changes === 0) return false;
      if (skipped === undefined) {
        enqueue.run(stored.lastInsertRowid, scope, triggerId, atMs, requestedBy === undefined ? 0 : 1);
      }
      return true;
    },

    findClaimed: (scope, firingId, epoch) => selectClaimed.get(scope, firingId, epoch)?.[0],

    hasBacklog: (scope, triggerId, count) => selectNth.get(scope, triggerId, count - 1) !== undefined,

    release: (firing, dueAfterMs) => void release.run(now() + dueAfterMs, firing),

    end(firing, status, reason, error) {
      dequeue.run(firing);
      end.run(status, reason, error ?? null, firing);
    },

    start(scope, { firingId, epoch }, run) {
      const firing = firings.findClaimed(scope, firingId, epoch) ?? 0;
      dequeue.run(firing);
      start.run(run, firing);
    },

    endAll(scope, triggerId, reason) {
      for (const [firing] of selectQueued.all(scope, triggerId)) firings.end(firing, "skipped", reason);
    },

    endSome(scope, limit, reason) {
      const queued = selectQueuedOfScope.all(scope, limit);
      for (const [firing] of queued) firings.end(firing, "skipped", reason);
      return queued.length;
    },
  };
  return firings;
}
