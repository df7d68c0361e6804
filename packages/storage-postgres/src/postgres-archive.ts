import type { NewStub, RetentionStore, Scope } from "@procedo/storage";
import { assertStorable } from "@procedo/storage";
import { budgetOrder } from "./budget-statements.ts";
import type { PostgresContext } from "./context.ts";
import type { Transaction } from "./database.ts";
import { auditChain } from "./postgres-audit.ts";
import type { Statement } from "./statement.ts";

/**
 * Archives runs in one transaction.
 *
 * The rows of the runs are locked first, which blocks notifications and decisions. The rows of their deliveries follow,
 * since deliveries can be resent without their run. Later reads remain valid until the commit. The budgets of their
 * reservations are locked last, as in every transaction.
 */
export function postgresArchive(context: PostgresContext): Pick<RetentionStore, "archive"> {
  const { database } = context;
  const { schema } = database;
  const audit = auditChain(context);

  const lockRuns: Statement = {
    name: "archive-lock-runs",
    text: `SELECT run_id FROM ${schema}.runs WHERE run_id = ANY ($1::text[]) ORDER BY run_id FOR NO KEY UPDATE`,
  };
  const lockDeliveries: Statement = {
    name: "archive-lock-deliveries",
    text: `SELECT delivery_id FROM ${schema}.deliveries WHERE run_id = ANY ($1::text[]) ORDER BY delivery_id FOR UPDATE`,
  };
  const selectFit: Statement = {
    name: "archive-check",
    text: `SELECT stub.run_id FROM unnest($1::text[], $2::integer[], $3::text[]) AS stub (run_id, seq, hash)
             CROSS JOIN LATERAL (SELECT * FROM ${schema}.runs WHERE runs.run_id = stub.run_id LIMIT 1) AS run
             CROSS JOIN LATERAL (SELECT seq, hash FROM ${schema}.journal WHERE journal.run_id = stub.run_id
                                  ORDER BY seq DESC LIMIT 1) AS head
            WHERE run.workspace = $4 AND run.environment = $5 AND run.unread = 0
              AND run.ended_at_ms IS NOT NULL AND run.archived_at_ms IS NULL
              AND head.seq = stub.seq AND head.hash = stub.hash
              AND NOT EXISTS (SELECT FROM ${schema}.deliveries
                               WHERE deliveries.run_id = stub.run_id AND deliveries.status = 'pending')`,
  };
  // A payload belongs to an event, and thus to one run.
  const move: Statement = {
    name: "archive-move",
    text: `WITH runs AS (
             UPDATE ${schema}.runs SET archived_at_ms = $1, output = NULL WHERE run_id = ANY ($2::text[])
             RETURNING run_id, run, workspace, environment, ended_at_ms
           ), decisions AS (
             DELETE FROM ${schema}.decisions
              WHERE review = ANY (ARRAY(SELECT review FROM ${schema}.reviews WHERE run_id = ANY ($2::text[])))
           ), reviews AS (
             DELETE FROM ${schema}.reviews WHERE run_id = ANY ($2::text[])
           ), inbox AS (
             DELETE FROM ${schema}.inbox WHERE run_id = ANY ($2::text[])
           ), invocations AS (
             DELETE FROM ${schema}.invocations WHERE run_id = ANY ($2::text[])
           ), reservations AS (
             DELETE FROM ${schema}.reservations WHERE run_id = ANY ($2::text[]) RETURNING workspace, environment, amounts
           ), leaving AS MATERIALIZED (
             SELECT workspace, environment, one.budget, count(*) AS count
               FROM reservations CROSS JOIN LATERAL json_to_recordset(amounts::json) AS one (budget text)
              GROUP BY workspace, environment, one.budget
           ), left_budgets AS MATERIALIZED (
             SELECT leaving.*
               FROM (SELECT * FROM leaving ORDER BY ${budgetOrder}) AS leaving
               CROSS JOIN LATERAL (SELECT budget FROM ${schema}.budgets
                                    WHERE budgets.workspace = leaving.workspace
                                      AND budgets.environment = leaving.environment
                                      AND budgets.budget = leaving.budget FOR NO KEY UPDATE) AS held
           ), budgets AS (
             UPDATE ${schema}.budgets SET reservations = budgets.reservations - one.count FROM left_budgets AS one
              WHERE (budgets.workspace, budgets.environment, budgets.budget) = (one.workspace, one.environment, one.budget)
           ), waits AS (
             DELETE FROM ${schema}.connection_waits WHERE run_id = ANY ($2::text[])
           ), journal AS (
             DELETE FROM ${schema}.journal WHERE run_id = ANY ($2::text[])
           ), deliveries AS (
             DELETE FROM ${schema}.deliveries WHERE run_id = ANY ($2::text[]) RETURNING delivery_id, payload
           ), attempts AS (
             DELETE FROM ${schema}.delivery_attempts
              WHERE delivery_id = ANY (ARRAY(SELECT delivery_id FROM deliveries))
           ), payloads AS (
             DELETE FROM ${schema}.payloads WHERE payload = ANY (ARRAY(SELECT payload FROM deliveries))
           )
           INSERT INTO ${schema}.archived_runs
             (run_id, run, workspace, environment, ended_at_ms, seq, hash, audit_seq, output)
           SELECT run_id, run, workspace, environment, ended_at_ms, seq, hash, $6, output
             FROM runs JOIN unnest($2::text[], $3::integer[], $4::text[], $5::text[]) AS stub (run_id, seq, hash, output)
                         USING (run_id)`,
  };

  /** Locks the runs and their deliveries, and returns the runs that no longer match their stubs. */
  async function changed(tx: Transaction, scope: Scope, runs: readonly NewStub[]): Promise<readonly string[]> {
    const runIds = runs.map(({ runId }) => runId);
    const { workspace, environment } = scope;
    await tx.query(lockRuns, [runIds]);
    await tx.query(lockDeliveries, [runIds]);
    const heads = [runs.map(({ seq }) => seq), runs.map(({ hash }) => hash)] as const;
    const fit = await tx.query<{ run_id: string }>(selectFit, [runIds, ...heads, workspace, environment]);
    const unchanged = new Set(fit.map((row) => row.run_id));
    return runIds.filter((runId) => !unchanged.has(runId));
  }

  return {
    async archive({ scope, runs, audit: entry }) {
      assertStorable([runs, entry]);
      return database.transaction(async (tx) => {
        const runIds = await changed(tx, scope, runs);
        if (runIds.length > 0) return { status: "changed", runIds };
        if ((await audit.append(tx, scope.workspace, entry)) === "behind") return { status: "audit_behind" };
        await tx.query(move, [
          tx.nowMs,
          runs.map(({ runId }) => runId),
          runs.map(({ seq }) => seq),
          runs.map(({ hash }) => hash),
          runs.map(({ output }) => output ?? null),
          entry.seq,
        ]);
        return { status: "archived" };
      });
    },
  };
}
