import type { ClaimedRun, ClaimResult, JournalRow, Notification, RunStore } from "@procedo/storage";
import type { SqliteContext } from "./context.ts";
import { prepare } from "./statement.ts";
import type { WriteTurn } from "./transaction.ts";

/** The queue of runs: wakes and claims them, within a write. */
export interface SqliteQueue {
  /** Notifies a run. A parked run is handed to `claimFor`, or becomes claimable without one. */
  wake(turn: WriteTurn, run: QueuedRow, claimFor: string | undefined): ClaimedRun | undefined;

  /** Makes runs claimable that wait for a connection. Returns their number. */
  wakeWaiting(turn: WriteTurn, request: Parameters<RunStore["wake"]>[0]): number;

  claim(request: Parameters<RunStore["claim"]>[0]): ClaimResult;

  journal(run: number, afterSeq?: number, maxBytes?: number): readonly JournalRow[];

  /** Notifications that no row has consumed, oldest first. */
  unread(run: number): readonly Notification[];
}

/** The state of a run in the queue. */
export interface QueuedRow {
  readonly run: number;
  readonly run_id: string;
  readonly scope: number;
  readonly procedure_id: string;
  readonly procedure_version: string;
  readonly epoch: number;
  readonly worker_id: string | null;
  readonly wake_at_ms: number | null;
}

interface WaitingRow {
  readonly row: QueuedRow;
  readonly sinceMs: number;
}

/** The columns of a `QueuedRow`, in `runs` or in a join with it. */
export const queuedColumns =
  "run, run_id, runs.scope, runs.procedure_id, procedure_version, epoch, worker_id, wake_at_ms";

/** The columns for notifying a run: those of a `QueuedRow`, the end time of the run, and the number of its last row. */
export const notifiedColumns = `${queuedColumns}, ended_at_ms,
  (SELECT max(seq) FROM journal WHERE journal.run = runs.run) AS last_seq`;

export function sqliteQueue({ db, now, scopes }: SqliteContext): SqliteQueue {
  const selectJournal = prepare<JournalRow>(
    db,
    "SELECT seq, hash, body FROM journal WHERE run = ? AND seq > ? AND seq <= ? ORDER BY seq",
  );
  const selectLengths = prepare<{ seq: number; bytes: number }>(
    db,
    "SELECT seq, octet_length(body) AS bytes FROM journal WHERE run = ? AND seq > ? ORDER BY seq",
  );
  const selectUnread = prepare<Notification>(
    db,
    `SELECT effect_key AS "effectKey", body FROM inbox WHERE run = ? AND consumed = 0 ORDER BY notification`,
  );
  const selectDue = prepare<QueuedRow>(
    db,
    `SELECT ${queuedColumns} FROM runs INDEXED BY runs_open
      WHERE scope = ? AND ended_at_ms IS NULL AND worker_id IS NULL AND wake_at_ms <= ? ORDER BY wake_at_ms, run LIMIT +?`,
  );
  const selectNextWake = prepare<{ at: number | null }>(
    db,
    `SELECT min(wake_at_ms) AS at FROM runs INDEXED BY runs_open
      WHERE scope = ? AND ended_at_ms IS NULL AND worker_id IS NULL AND wake_at_ms > ?`,
  );
  // One step of a loose index scan: there are few workers with many runs.
  const selectNextWorker = prepare<{ worker: string | null }>(
    db,
    `SELECT min(worker_id) AS worker FROM runs INDEXED BY runs_open
      WHERE scope = ? AND ended_at_ms IS NULL AND worker_id > ?`,
  );
  const selectLease = prepare<{ ends: number }>(db, "SELECT lease_ends_at_ms AS ends FROM workers WHERE worker_id = ?");
  // Owned runs have no wake time. With this condition, the index returns the rows in order and only as many as needed.
  const selectHeld = prepare<QueuedRow>(
    db,
    `SELECT ${queuedColumns} FROM runs INDEXED BY runs_open
      WHERE scope = ? AND ended_at_ms IS NULL AND worker_id = ? AND wake_at_ms IS NULL ORDER BY run LIMIT +?`,
  );
  const updateHolder = prepare(
    db,
    "UPDATE runs SET status = 'running', worker_id = ?, epoch = epoch + 1, wake_at_ms = NULL WHERE run = ?",
  );
  const makeClaimable = prepare(
    db,
    "UPDATE runs SET status = 'running', wake_at_ms = min(coalesce(wake_at_ms, ?1), ?1) WHERE run = ?2",
  );

  const selectWaiting = prepare<{ run: number }>(
    db,
    `SELECT run FROM connection_waits AS waits INDEXED BY connection_waits_of CROSS JOIN runs USING (run)
      WHERE waits.scope = ? AND connection_id = ? AND ended_at_ms IS NULL AND worker_id IS NULL AND status = 'running'
        AND (wake_at_ms IS NULL OR wake_at_ms > ?)
        AND waits.seq = (SELECT max(seq) FROM journal WHERE journal.run = waits.run)
      ORDER BY run LIMIT +?`,
  );
  const deleteWait = prepare(db, "DELETE FROM connection_waits WHERE run = ?");

  function journal(run: number, afterSeq = 0, maxBytes = Infinity): readonly JournalRow[] {
    const toSeq = maxBytes === Infinity ? Number.MAX_SAFE_INTEGER : endOfPage(run, afterSeq, maxBytes);
    return selectJournal.all(run, afterSeq, toSeq).map((row) => ({ ...row }));
  }

  /**
   * The last row that fits the page. The length is stored before the body, so that bodies beyond the page are not read.
   */
  function endOfPage(run: number, afterSeq: number, maxBytes: number): number {
    let end = afterSeq;
    let sum = 0;
    for (const { seq, bytes } of selectLengths.iterate(run, afterSeq)) {
      sum += bytes;
      if (sum > maxBytes && end > afterSeq) break;
      end = seq;
    }
    return end;
  }

  const unread = (run: number): readonly Notification[] => selectUnread.all(run).map((row) => ({ ...row }));

  function giveTo(row: QueuedRow, workerId: string, dueAtMs: number | undefined): ClaimedRun {
    updateHolder.run(workerId, row.run);
    return {
      scope: scopes.get(row.scope),
      runId: row.run_id,
      procedureId: row.procedure_id,
      procedureVersion: row.procedure_version,
      epoch: row.epoch + 1,
      takenOver: row.worker_id !== null,
      dueAtMs,
      journal: journal(row.run),
      inbox: unread(row.run),
    };
  }

  function due(scope: number, atMs: number, limit: number): readonly WaitingRow[] {
    return selectDue.all(scope, atMs, limit).map((row) => ({ row, sinceMs: row.wake_at_ms ?? 0 }));
  }

  /** The runs of workers whose lease has ended. A worker without a heartbeat has no lease. */
  function leftBehind(scope: number, claimer: string, atMs: number, limit: number): readonly WaitingRow[] {
    const found: WaitingRow[] = [];
    for (let worker = nextWorker(scope, ""); worker !== null; worker = nextWorker(scope, worker)) {
      const sinceMs = selectLease.get(worker)?.ends ?? 0;
      if (sinceMs > atMs || worker === claimer) continue;
      for (const row of selectHeld.all(scope, worker, limit)) found.push({ row, sinceMs });
    }
    return found;
  }

  const nextWorker = (scope: number, after: string): string | null =>
    selectNextWorker.get(scope, after)?.worker ?? null;

  return {
    journal,
    unread,

    wake(turn, row, claimFor) {
      if (row.worker_id !== null) {
        turn.announce({ type: "notified", runId: row.run_id });
        return undefined;
      }
      if (claimFor !== undefined) return giveTo(row, claimFor, undefined);
      makeClaimable.run(now(), row.run);
      turn.announce({ type: "claimable" });
      return undefined;
    },

    wakeWaiting(turn, { scope, waitsFor, limit }) {
      const number = scopes.find(scope);
      const waiting = number === undefined ? [] : selectWaiting.all(number, waitsFor, now(), limit);
      for (const { run } of waiting) {
        makeClaimable.run(now(), run);
        deleteWait.run(run);
      }
      if (waiting.length > 0) turn.announce({ type: "claimable" });
      return waiting.length;
    },

    claim({ workspace, workerId, limit, perEnvironment }) {
      const atMs = now();
      const inTurn: (WaitingRow & { readonly place: number })[] = [];
      let nextWakeAtMs: number | undefined;
      for (const scope of scopes.ofWorkspace(workspace)) {
        const wanted = Math.min(limit, perEnvironment?.[scopes.get(scope).environment] ?? limit);
        const waiting = [...due(scope, atMs, wanted), ...leftBehind(scope, workerId, atMs, wanted)];
        waiting.sort(longestFirst);
        waiting.slice(0, wanted).forEach((entry, place) => inTurn.push({ ...entry, place }));
        const next = selectNextWake.get(scope, atMs)?.at ?? Infinity;
        if (next < (nextWakeAtMs ?? Infinity)) nextWakeAtMs = next;
      }
      inTurn.sort((a, b) => a.place - b.place || longestFirst(a, b));
      const runs = inTurn.slice(0, limit).map(({ row }) => giveTo(row, workerId, row.wake_at_ms ?? undefined));
      return { runs, nextWakeAtMs };
    },
  };
}

function longestFirst(a: WaitingRow, b: WaitingRow): number {
  return a.sinceMs - b.sinceMs || a.row.run - b.row.run;
}
