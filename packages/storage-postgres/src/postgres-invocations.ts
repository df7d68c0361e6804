import type {
  InvocationRow,
  InvocationSettlement,
  InvocationStore,
  LeasedInvocation,
  NewResult,
  Scope,
} from "@procedo/storage";
import { assertStorable, lapsedKeyOf } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import type { Transaction } from "./database.ts";
import { matchesUnindexed } from "./unindexed.ts";
import type { LeaseRow } from "./invocation-statements.ts";
import {
  extendStatement,
  leaseStatement,
  expireLeasesStatement,
  settleStatement,
  withdrawStatement,
} from "./invocation-statements.ts";
import { connectionClients } from "./connection-clients.ts";
import { auditChain } from "./postgres-audit.ts";
import { nextRows } from "./next-rows.ts";
import { failureOf } from "./postgres-error.ts";
import type { PostgresQueue } from "./postgres-queue.ts";
import type { Statement } from "./statement.ts";
import { sqlNow } from "./statement.ts";

interface LapsedRow {
  readonly invocation_id: string;
  readonly run_id: string;
  readonly environment: Scope["environment"];
}

interface MarkedRow {
  readonly invocation_id: string;
  readonly effect_key: string;
  /** Whether the run has ended. An ended run receives no notifications. */
  readonly ended: boolean;
}

type StoredInvocation = Omit<InvocationRow, "leaseEndsAtMs"> & { readonly leaseEndsAtMs: number | null };

interface BacklogRow {
  readonly queued: number;
  readonly leased: number;
  readonly oldest: number | null;
}

/** The number of rows to read of each function, once rows that can no longer be dispatched were found. */
const mostCleared = 500;

/**
 * Leases, extensions and withdrawals are one statement each, which locks only rows of invocations. A notification is
 * stored in a transaction that first locks the run's row, as for every notification.
 */
export function postgresInvocations(context: PostgresContext, queue: PostgresQueue): InvocationStore {
  const { database, nowMs, announce } = context;
  const { schema } = database;
  const lease = leaseStatement(schema);
  const extend = extendStatement(schema);
  const settle = settleStatement(schema);
  const expireLeases = expireLeasesStatement(schema);
  const withdraw = withdrawStatement(schema);
  const nextRow = nextRows(context);
  const audit = auditChain(context);

  const lockRun: Statement = {
    name: "invocations-lock-run",
    text: `SELECT run_id, ended_at_ms IS NOT NULL AS ended FROM ${schema}.runs
            WHERE run_id = (SELECT run_id FROM ${schema}.invocations
                             WHERE invocation_id = $1 AND ${matchesUnindexed("workspace, environment, connection_id", "$2, $3, $4")})
              FOR UPDATE`,
  };
  const lockRuns: Statement = {
    name: "invocations-lock-runs",
    text: `SELECT run_id FROM ${schema}.runs WHERE run_id = ANY ($1::text[]) ORDER BY run_id FOR UPDATE`,
  };
  const selectLapsed: Statement = {
    name: "invocations-lapsed",
    text: `SELECT invocation_id, run_id, environment FROM ${schema}.invocations
            WHERE workspace = $1 AND next = 'lapse' AND lease_ends_at_ms <= ${sqlNow("$2")}
            ORDER BY lease_ends_at_ms, invocation LIMIT $3`,
  };
  const notifyLapse: Statement = {
    name: "invocations-tell",
    text: `INSERT INTO ${schema}.inbox (run_id, effect_key, body) VALUES ($1, $2, $3)
               ON CONFLICT DO NOTHING RETURNING run_id`,
  };
  const ofOpenRun = `(SELECT ended_at_ms FROM ${schema}.runs WHERE runs.run_id = invocations.run_id) IS NULL`;
  const markUncertain: Statement = {
    name: "invocations-mark-uncertain",
    text: `UPDATE ${schema}.invocations SET status = 'acknowledged', lease_ends_at_ms = 0, next = 'lapse'
            WHERE invocation_id = ANY (ARRAY(
              SELECT invocation_id FROM ${schema}.invocations
               WHERE workspace = $1 AND environment = $2 AND next = 'lease' AND NOT idempotent AND ${ofOpenRun}
               UNION ALL
              SELECT invocation_id FROM ${schema}.invocations
               WHERE workspace = $1 AND ${matchesUnindexed("environment", "$2")} AND next = 'lapse' AND lease_ends_at_ms > 0 AND ${ofOpenRun}
               LIMIT $3))
              AND next IS NOT NULL AND lease_ends_at_ms IS DISTINCT FROM 0 RETURNING invocation_id`,
  };
  const selectOfRun: Statement = {
    name: "invocations-of-run",
    text: `SELECT invocation_id AS "invocationId", connection_id AS "connectionId", function_name AS "functionName",
                  idempotent, effect_key AS "effectKey", created_at_ms AS "createdAtMs", deadline_ms AS "deadlineMs",
                  status, CASE WHEN status IN ('leased', 'acknowledged') THEN lease_ends_at_ms END AS "leaseEndsAtMs"
             FROM ${schema}.invocations WHERE run_id = $1 AND ${matchesUnindexed("workspace, environment", "$2, $3")}
            ORDER BY invocation`,
  };
  const selectBacklog: Statement = {
    name: "invocations-backlog",
    text: `WITH clock AS MATERIALIZED (SELECT ${sqlNow("$4")} AS now_ms),
                pending AS (
                  SELECT run_id, status, created_at_ms, deadline_ms FROM ${schema}.invocations
                   WHERE workspace = $1 AND environment = $2 AND connection_id = $3 AND next = 'lease'
                  UNION ALL
                  SELECT run_id, status, created_at_ms, deadline_ms FROM ${schema}.invocations
                   WHERE workspace = $1 AND ${matchesUnindexed("environment, connection_id", "$2, $3")} AND next = 'lapse'
                )
           SELECT count(*) FILTER (WHERE status = 'queued') AS queued,
                  count(*) FILTER (WHERE status <> 'queued') AS leased,
                  min(created_at_ms) FILTER (WHERE status = 'queued') AS oldest
             FROM pending
            WHERE deadline_ms > (SELECT now_ms FROM clock)
              AND (SELECT ended_at_ms FROM ${schema}.runs WHERE runs.run_id = pending.run_id) IS NULL`,
  };

  /** `undefined` when other transactions were faster. */
  async function expireAll(
    tx: Transaction,
    found: readonly LapsedRow[],
    body: string,
  ): Promise<readonly LapsedRow[] | undefined> {
    await tx.query(lockRuns, [[...new Set(found.map(({ run_id }) => run_id))]]);
    const marked = await tx.query<MarkedRow>(expireLeases, [found.map(({ invocation_id }) => invocation_id), tx.nowMs]);
    if (marked.length === 0) return undefined;
    const effects = new Map(marked.flatMap((row) => (row.ended ? [] : [[row.invocation_id, row.effect_key]])));
    const lapsed: LapsedRow[] = [];
    for (const row of found) {
      const effectKey = effects.get(row.invocation_id);
      if (effectKey === undefined) continue;
      const notified = await tx.query(notifyLapse, [row.run_id, lapsedKeyOf(effectKey), body]);
      if (notified.length > 0) await queue.wake(tx, row.run_id, undefined);
      lapsed.push(row);
    }
    return lapsed;
  }

  async function settleOne(result: NewResult): Promise<InvocationSettlement> {
    const { scope, connectionId, invocationId, leaseToken, body, claimFor, next } = result;
    return database.transaction(async (tx) => {
      const place = [invocationId, scope.workspace, scope.environment, connectionId];
      const [run] = await tx.query<{ run_id: string; ended: boolean }>(lockRun, place);
      if (run === undefined) return { status: "not_found" };
      const values = [invocationId, leaseToken, body, run.ended, tx.nowMs];
      const [judged] = await tx.query<{ answer: InvocationSettlement["status"] }>(settle, values);
      const status = judged?.answer ?? "not_found";
      if (status !== "accepted") return { status };
      const notified = { runId: run.run_id, ...(claimFor !== undefined && { claimFor }), ...(next && { next }) };
      const woken = await queue.wakeAll(tx, [notified]);
      const continued = await nextRow.append(tx, woken, [notified]);
      if (continued.has(run.run_id)) return { status, claimed: undefined, continued: true };
      return { status, claimed: (await queue.load(tx, woken))[0] };
    });
  }

  return {
    async lease({ scope, connectionId, functions, limit, leaseMs, leaseToken }) {
      assertStorable(leaseToken);
      const names = [...new Set(functions)];
      const place = [scope.workspace, scope.environment, connectionId];
      for (let rowsToRead = limit; ; rowsToRead = Math.max(limit, mostCleared)) {
        const values = [...place, names, limit, leaseToken, leaseMs, nowMs(), rowsToRead];
        const rows = await database.query<LeaseRow>(lease, values);
        if (rows[0]?.cleared === true) continue;
        // Concurrent callers have skipped rows that were locked here but not leased.
        if (rows[0]?.left_over === true) announce([{ type: "invocable", connectionId }]);
        return rows.flatMap((row) => leasedOf(row, leaseToken));
      }
    },

    async extend({ scope, connectionId, leases, leaseMs }) {
      const ids = leases.map(({ invocationId }) => invocationId);
      const tokens = leases.map(({ leaseToken }) => leaseToken);
      const place = [scope.workspace, scope.environment, connectionId];
      const values = [ids, tokens, ...place, leaseMs, nowMs()];
      const rows = await database.query<{ number: number; lapsed: boolean }>(extend, values);
      const known = new Map(rows.map(({ number, lapsed }) => [number, lapsed ? "lapsed" : "held"] as const));
      return leases.map((_lease, index) => known.get(index + 1) ?? "lost");
    },

    async settle(result) {
      assertStorable([result.leaseToken, result.body]);
      try {
        return await settleOne(result);
      } catch (error) {
        if (result.next === undefined || failureOf(error) !== "statement") throw error;
        // The run's owner retries a row that the database rejects.
        const { next: _next, ...alone } = result;
        return await settleOne(alone);
      }
    },

    async expireLeases({ workspace, limit, body }) {
      assertStorable(body);
      const all: LapsedRow[] = [];
      while (all.length < limit) {
        const found = await database.query<LapsedRow>(selectLapsed, [workspace, nowMs(), limit - all.length]);
        const lapsed = found.length === 0 ? undefined : await database.transaction((tx) => expireAll(tx, found, body));
        if (lapsed === undefined) break;
        all.push(...lapsed);
      }
      return all.map(({ run_id: runId, invocation_id: invocationId, environment }) => {
        return { scope: { workspace, environment }, runId, invocationId };
      });
    },

    async withdraw({ scope, runId, effectKey }) {
      type Answer = Awaited<ReturnType<InvocationStore["withdraw"]>>;
      const values = [runId, effectKey, scope.workspace, scope.environment];
      const [row] = await database.query<{ answer: Answer }>(withdraw, values);
      return row?.answer ?? "not_found";
    },

    async markUncertain({ scope: { workspace, environment }, limit, audit: entry }) {
      assertStorable(entry);
      return database.transaction(async (tx) => {
        if ((await audit.append(tx, workspace, entry)) === "behind") return { status: "audit_behind" };
        const lost = await tx.query(markUncertain, [workspace, environment, limit]);
        return { status: "marked", invocations: lost.length };
      });
    },

    async ofRun({ scope, runId }) {
      const values = [runId, scope.workspace, scope.environment];
      const rows = await database.query<StoredInvocation>(selectOfRun, values);
      return rows.map((row) => ({ ...row, leaseEndsAtMs: row.leaseEndsAtMs ?? undefined }));
    },

    async backlog({ scope, connectionId }) {
      const values = [scope.workspace, scope.environment, connectionId, nowMs()];
      const [row] = await database.query<BacklogRow>(selectBacklog, values);
      return { queued: row?.queued ?? 0, leased: row?.leased ?? 0, oldestQueuedAtMs: row?.oldest ?? undefined };
    },

    ...connectionClients(context),
  };
}

function leasedOf(row: LeaseRow, leaseToken: string): readonly LeasedInvocation[] {
  const { invocation_id: invocationId, run_id: runId, function_name: functionName, idempotent, payload } = row;
  if (invocationId === null) return [];
  const lease = { invocationId, leaseToken, leaseEndsAtMs: row.lease_ends_at_ms };
  return [{ ...lease, runId, functionName, idempotent, payload: payload ?? "" }];
}
