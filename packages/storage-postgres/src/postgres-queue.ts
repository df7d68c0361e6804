import type { ClaimedRun, ClaimResult, JournalRow, Notification, RunStore, Scope } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import type { Statement, Transaction } from "./database.ts";

/** The queue of runs: wakes and claims them, within a transaction. */
export interface PostgresQueue {
  /**
   * Notifies a run after a notification was stored in its inbox. A parked run is handed to `claimFor`, or becomes
   * claimable without one. The caller holds the run's row.
   */
  wake(tx: Transaction, runId: string, claimFor: string | undefined): Promise<ClaimedRun | undefined>;

  /** Notifies many runs, each once. Returns those that were handed over, without their journals and inboxes. */
  wakeAll(tx: Transaction, runs: readonly WokenRun[]): Promise<readonly HandedOverRun[]>;

  /** Loads the journals and inboxes of these runs for their owners. */
  load(tx: Transaction, runs: readonly HandedOverRun[]): Promise<readonly ClaimedRun[]>;

  claim(tx: Transaction, request: Parameters<RunStore["claim"]>[0]): Promise<ClaimResult>;
}

/** A run that is to be notified. */
export interface WokenRun {
  readonly runId: string;
  readonly claimFor?: string;
}

/** A parked run that now has an owner. */
export interface HandedOverRun extends QueuedRow {
  /** The number of notifications that no row has consumed. */
  readonly unread: number;
}

interface QueuedRow {
  readonly run_id: string;
  readonly workspace: string;
  readonly environment: Scope["environment"];
  readonly procedure_id: string;
  readonly procedure_version: string;
  readonly epoch: number;
}

interface WokenRow extends HandedOverRun {
  readonly place: "hot" | "claimed" | "claimable";
}

interface TakenRow extends QueuedRow {
  readonly taken_over: boolean;
  readonly due_at_ms: number | null;
}

/** At least one row is returned, since it contains the next wake time even if no run was claimed. */
type ClaimRow = (TakenRow | { readonly run_id: null }) & {
  readonly next_wake_at_ms: number | null;
  /** Whether more runs were locked than claimed. */
  readonly left_over: boolean;
};

interface LoadedRow {
  readonly run_id: string;
  /** `null` for a notification. */
  readonly seq: number | null;
  /** For a notification, its effect key. */
  readonly hash: string;
  readonly body: string;
}

export function postgresQueue({ database }: PostgresContext): PostgresQueue {
  const { schema } = database;

  // Runs are named by arrays instead of a join, so that any plan finds them by their key.
  const claimFor = "($2::text[])[array_position($1::text[], run_id)]";
  const wake: Statement = {
    name: "queue-wake",
    text: `WITH woken AS MATERIALIZED (
             SELECT run_id, workspace, environment, procedure_id, procedure_version, epoch, unread,
                    CASE WHEN worker_id IS NOT NULL THEN 'hot' WHEN ${claimFor} IS NULL THEN 'claimable' ELSE 'claimed' END
                      AS place
               FROM ${schema}.runs WHERE run_id = ANY ($1::text[]) AND ended_at_ms IS NULL
           ), notified AS (
             UPDATE ${schema}.runs
                SET unread = unread + 1,
                    status = CASE WHEN worker_id IS NULL THEN 'running' ELSE status END,
                    epoch = CASE WHEN worker_id IS NULL AND ${claimFor} IS NOT NULL THEN epoch + 1 ELSE epoch END,
                    wake_at_ms = CASE WHEN worker_id IS NULL AND ${claimFor} IS NULL THEN least(wake_at_ms, $3::bigint) END,
                    worker_id = coalesce(worker_id, ${claimFor})
              WHERE run_id = ANY ($1::text[]) AND ended_at_ms IS NULL
           )
           SELECT run_id, workspace, environment, procedure_id, procedure_version, place, unread + 1 AS unread,
                  CASE place WHEN 'claimed' THEN epoch + 1 ELSE epoch END AS epoch
             FROM woken`,
  };

  const load: Statement = {
    name: "queue-load",
    text: `SELECT run_id, seq, hash, body, 0::bigint AS number FROM ${schema}.journal WHERE run_id = ANY ($1::text[])
           UNION ALL
           SELECT run_id, NULL, effect_key, body, notification FROM ${schema}.inbox
            WHERE run_id = ANY ($1::text[]) AND NOT consumed
           ORDER BY 1, 2, 5`,
  };

  const claim: Statement = { name: "queue-claim", text: claimSql(schema) };

  /**
   * Loads the runs for their owner. A separate statement: the statement that locked the runs sees them as of its start,
   * and the previous owner may have appended a row since.
   */
  async function loadClaims(tx: Transaction, rows: readonly TakenRow[]): Promise<readonly ClaimedRun[]> {
    if (rows.length === 0) return [];
    const journals = new Map<string, JournalRow[]>();
    const inboxes = new Map<string, Notification[]>();
    for (const { run_id } of rows) {
      journals.set(run_id, []);
      inboxes.set(run_id, []);
    }
    for (const { run_id, seq, hash, body } of await tx.query<LoadedRow>(load, [rows.map((row) => row.run_id)])) {
      if (seq === null) inboxes.get(run_id)?.push({ effectKey: hash, body });
      else journals.get(run_id)?.push({ seq, hash, body });
    }
    return rows.map((row) => ({
      scope: { workspace: row.workspace, environment: row.environment },
      runId: row.run_id,
      procedureId: row.procedure_id,
      procedureVersion: row.procedure_version,
      epoch: row.epoch,
      takenOver: row.taken_over,
      dueAtMs: row.due_at_ms ?? undefined,
      journal: journals.get(row.run_id) ?? [],
      inbox: inboxes.get(row.run_id) ?? [],
    }));
  }

  async function wakeAll(tx: Transaction, runs: readonly WokenRun[]): Promise<readonly HandedOverRun[]> {
    const claimFor = runs.map((run) => run.claimFor ?? null);
    const rows = await tx.query<WokenRow>(wake, [runs.map(({ runId }) => runId), claimFor, tx.nowMs]);
    for (const { place, run_id: runId } of rows) {
      if (place === "hot") tx.announce({ type: "notified", runId });
      if (place === "claimable") tx.announce({ type: "claimable" });
    }
    return rows.filter(({ place }) => place === "claimed");
  }

  const loadAll = (tx: Transaction, runs: readonly HandedOverRun[]): Promise<readonly ClaimedRun[]> =>
    loadClaims(
      tx,
      runs.map((run) => ({ ...run, taken_over: false, due_at_ms: null })),
    );

  return {
    wakeAll,
    load: loadAll,

    async wake(tx, runId, claimFor) {
      const woken = await wakeAll(tx, [claimFor === undefined ? { runId } : { runId, claimFor }]);
      return (await loadAll(tx, woken))[0];
    },

    async claim(tx, { workspace, workerId, limit, perEnvironment }) {
      const wanted = [perEnvironment?.sandbox, perEnvironment?.live].map((ofEnvironment = limit) =>
        Math.min(limit, ofEnvironment),
      );
      const rows = await tx.query<ClaimRow>(claim, [workspace, workerId, tx.nowMs, limit, ...wanted]);
      // Concurrent claims have skipped the runs that were locked but not claimed.
      if (rows[0]?.left_over === true) tx.announce({ type: "claimable" });
      const taken = rows.flatMap((row) => (row.run_id === null ? [] : [row]));
      return { runs: await loadClaims(tx, taken), nextWakeAtMs: rows[0]?.next_wake_at_ms ?? undefined };
    },
  };
}

/**
 * Locks due runs and runs of dead workers in both environments, up to the limit of each, alternates between
 * environments, and hands the runs over. Runs that another claim or commit locks are skipped. Postgres checks the
 * condition again for a run that changed before it was locked.
 */
function claimSql(schema: string): string {
  const columns = "run_id, run, workspace, environment, procedure_id, procedure_version, epoch";
  const due = (environment: string, wanted: string): string => `
  SELECT ${columns}, wake_at_ms AS since_ms, false AS taken_over FROM ${schema}.runs
   WHERE workspace = $1 AND environment = '${environment}' AND wake_at_ms <= $3::bigint
   ORDER BY wake_at_ms, run LIMIT ${wanted} FOR UPDATE SKIP LOCKED`;
  const left = (environment: string, wanted: string): string => `
  SELECT held.*, since_ms, true AS taken_over FROM stopped CROSS JOIN LATERAL
    (SELECT ${columns} FROM ${schema}.runs
      WHERE worker_id = stopped.worker_id AND workspace = $1 AND environment = '${environment}'
      ORDER BY run LIMIT ${wanted} FOR UPDATE SKIP LOCKED) AS held`;
  const nextWake = (environment: string): string => `
    (SELECT wake_at_ms FROM ${schema}.runs
      WHERE workspace = $1 AND environment = '${environment}' AND wake_at_ms > $3::bigint ORDER BY wake_at_ms LIMIT 1)`;

  // A loose index scan finds the workers without reading their runs. A worker without a heartbeat has no lease.
  return `
WITH RECURSIVE worker (worker_id) AS (
  (SELECT worker_id FROM ${schema}.runs WHERE worker_id IS NOT NULL ORDER BY worker_id LIMIT 1)
  UNION ALL
  SELECT (SELECT runs.worker_id FROM ${schema}.runs WHERE runs.worker_id > worker.worker_id ORDER BY runs.worker_id LIMIT 1)
    FROM worker WHERE worker.worker_id IS NOT NULL
), stopped AS MATERIALIZED (
  SELECT worker.worker_id, coalesce(lease.ends, 0) AS since_ms
    FROM worker LEFT JOIN LATERAL (SELECT lease_ends_at_ms AS ends FROM ${schema}.workers
                                    WHERE workers.worker_id = worker.worker_id LIMIT 1) AS lease ON true
   WHERE worker.worker_id IS NOT NULL AND worker.worker_id <> $2 AND coalesce(lease.ends, 0) <= $3::bigint
), due_sandbox AS (${due("sandbox", "$5")}
), due_live AS (${due("live", "$6")}
), left_sandbox AS (${left("sandbox", "$5")}
), left_live AS (${left("live", "$6")}
), locked AS MATERIALIZED (
  SELECT *, row_number() OVER (PARTITION BY environment ORDER BY since_ms, run) AS place
    FROM (SELECT * FROM due_sandbox UNION ALL SELECT * FROM due_live
          UNION ALL SELECT * FROM left_sandbox UNION ALL SELECT * FROM left_live) AS found
), taken AS MATERIALIZED (
  SELECT * FROM locked WHERE place <= CASE environment WHEN 'sandbox' THEN $5::bigint ELSE $6::bigint END
   ORDER BY place, since_ms, run LIMIT $4
), handed_over AS (
  UPDATE ${schema}.runs SET status = 'running', worker_id = $2, epoch = epoch + 1, wake_at_ms = NULL
   WHERE run_id = ANY (ARRAY(SELECT run_id FROM taken))
)
SELECT run_id, workspace, environment, procedure_id, procedure_version, epoch + 1 AS epoch, taken_over,
       CASE WHEN NOT taken_over THEN since_ms END AS due_at_ms, next_wake_at_ms,
       (SELECT count(*) FROM locked) > (SELECT count(*) FROM taken) AS left_over
  FROM (SELECT least(${nextWake("sandbox")},${nextWake("live")}) AS next_wake_at_ms) AS next
  LEFT JOIN taken ON true
 ORDER BY place, since_ms, run`;
}
