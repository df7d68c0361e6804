import { clockToleranceMs, type WorkerStore } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import { latestBeat, postgresSetBack } from "./postgres-set-back.ts";
import type { Statement } from "./statement.ts";
import { sqlNow } from "./statement.ts";

/** The absence after which a worker is deleted. To the queue, a missing worker is the same as an ended lease. */
const forgottenAfterMs = 24 * 60 * 60 * 1000;

interface Parked {
  readonly count: number;
}

export function postgresWorkers({ database, nowMs, announce }: PostgresContext): WorkerStore {
  const { schema } = database;
  const noticeSetBack = postgresSetBack(schema);
  // If the clock was set back, the lease is not renewed yet: waiting times are moved to earlier times first.
  const heartbeat: Statement = {
    name: "workers-heartbeat",
    text: `WITH clock AS MATERIALIZED (SELECT ${sqlNow("$3")} AS now_ms),
                latest AS (
                  INSERT INTO ${schema}.workers AS known (worker_id, lease_ends_at_ms)
                  SELECT '${latestBeat}', now_ms FROM clock
                  ON CONFLICT (worker_id)
                  DO UPDATE SET lease_ends_at_ms = greatest(known.lease_ends_at_ms, excluded.lease_ends_at_ms)
                  RETURNING lease_ends_at_ms AS at_ms
                ), forgotten AS (
                  DELETE FROM ${schema}.workers
                   WHERE lease_ends_at_ms < (SELECT now_ms FROM clock) - ${forgottenAfterMs}
                     AND worker_id NOT IN ($1, '${latestBeat}')
                )
           INSERT INTO ${schema}.workers (worker_id, lease_ends_at_ms)
           SELECT $1, now_ms + $2::bigint FROM clock, latest WHERE at_ms - now_ms <= ${clockToleranceMs}
           ON CONFLICT (worker_id) DO UPDATE SET lease_ends_at_ms = excluded.lease_ends_at_ms
           RETURNING 1`,
  };
  // Locks runs in the order of their ids, as every transaction does.
  const park = (runs: string): string => `
    UPDATE ${schema}.runs SET worker_id = NULL, wake_at_ms = ${sqlNow("$2")}
     WHERE run_id = ANY (ARRAY(SELECT run_id FROM ${schema}.runs WHERE ${runs} ORDER BY run_id FOR UPDATE))
       AND worker_id = $1
    RETURNING 1`;
  const release: Statement = {
    name: "workers-release",
    text: `WITH lease AS (DELETE FROM ${schema}.workers WHERE worker_id = $1),
                parked AS (${park("worker_id = $1")})
           SELECT count(*) FROM parked`,
  };
  const releaseRuns: Statement = {
    name: "workers-release-runs",
    text: `WITH parked AS (${park("run_id = ANY ($3::text[]) AND worker_id = $1")}) SELECT count(*) FROM parked`,
  };
  const selectRuns: Statement = {
    name: "workers-list-runs",
    text: `SELECT run_id FROM ${schema}.runs WHERE worker_id = $1 ORDER BY run`,
  };

  const selectWorking: Statement = {
    name: "workers-working",
    text: `SELECT EXISTS (SELECT 1 FROM ${schema}.workers WHERE lease_ends_at_ms > ${sqlNow("$1")} AND worker_id <> '${latestBeat}')
                    AS found`,
  };

  function announceParked(parked: readonly Parked[]): void {
    if ((parked[0]?.count ?? 0) > 0) announce([{ type: "claimable" }]);
  }

  return {
    async heartbeat({ workerId, leaseMs }) {
      const beatOnce = async (): Promise<boolean> =>
        (await database.query(heartbeat, [workerId, leaseMs, nowMs()])).length > 0;
      if (await beatOnce()) return;
      await database.transaction(noticeSetBack);
      await beatOnce();
    },

    async release({ workerId }) {
      announceParked(await database.query<Parked>(release, [workerId, nowMs()]));
    },

    async listRuns({ workerId }) {
      const rows = await database.query<{ run_id: string }>(selectRuns, [workerId]);
      return rows.map(({ run_id }) => run_id);
    },

    async areWorking() {
      const rows = await database.query<{ found: boolean }>(selectWorking, [nowMs()]);
      return rows[0]?.found === true;
    },

    async releaseRuns({ workerId, runIds }) {
      if (runIds.length === 0) return;
      announceParked(await database.query<Parked>(releaseRuns, [workerId, nowMs(), runIds]));
    },
  };
}
