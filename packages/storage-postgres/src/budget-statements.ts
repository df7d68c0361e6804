import type { KnownReservation, Reservation } from "@procedo/storage";
import { runOrder } from "./item-rows.ts";
import type { SqlValue, Statement } from "./statement.ts";

/*
 * Transactions that change budgets lock rows in one order to prevent deadlocks: runs by id, reservations by key,
 * budgets by name. Names are sorted as bytes, independent of the collation of the database.
 */

/** The sort order for locking rows of budgets. */
export const budgetOrder = `workspace COLLATE "C", environment COLLATE "C", budget COLLATE "C"`;

/** The sort order for locking reservations. */
export const reservationOrder = `workspace COLLATE "C", environment COLLATE "C", reservation_key COLLATE "C"`;

/** A row that `takeStatement` returns for a name. */
export interface TakenRow {
  /** An existing run, a new key, or a budget of a new key. */
  readonly kind: "run" | "key" | "budget";
  readonly workspace: string;
  readonly environment: string;
  readonly name: string;
  /** The taken amount, of a budget. */
  readonly taken: number;
  /** For a run: it has ended. For a budget: it was created. */
  readonly flag: boolean;
}

/**
 * Locks the runs, so that they cannot end before their reservations are stored. Stores the reservations with new keys,
 * and locks their budgets, which it creates if necessary. Reservations and budgets are written by inserts: other kinds
 * of statements would not see rows that other transactions stored while this statement waited. A created budget has a
 * negative time, until `writeStatement` sets the time or deletes the budget.
 *
 * Parameters: workspaces, environments, keys, runs and amounts in five arrays, and the time.
 */
export function takeStatement(schema: string): Statement {
  return {
    name: "budgets-take",
    text: `
WITH asked AS MATERIALIZED (
  SELECT item.*, run.ended
    FROM (SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
                     AS item (workspace, environment, reservation_key, run_id, amounts) ORDER BY ${runOrder}) AS item
    CROSS JOIN LATERAL (SELECT workspace, environment, ended_at_ms IS NOT NULL AS ended FROM ${schema}.runs
                         WHERE runs.run_id = item.run_id FOR NO KEY UPDATE) AS run
   WHERE (run.workspace, run.environment) = (item.workspace, item.environment)
), fresh AS (
  INSERT INTO ${schema}.reservations (workspace, environment, reservation_key, run_id, amounts)
  SELECT workspace, environment, reservation_key, run_id, amounts FROM asked WHERE NOT ended ORDER BY ${reservationOrder}
  ON CONFLICT DO NOTHING RETURNING workspace, environment, reservation_key, amounts
), wanted AS (
  SELECT DISTINCT workspace, environment, one.budget
    FROM fresh CROSS JOIN LATERAL json_to_recordset(fresh.amounts::json) AS one (budget text)
), held AS (
  INSERT INTO ${schema}.budgets AS known
    (workspace, environment, budget, taken, reservations, created_at_ms, reserved_at_ms)
  SELECT workspace, environment, budget, 0, 0, $6::bigint, -1 FROM wanted ORDER BY ${budgetOrder}
  ON CONFLICT (workspace, environment, budget) DO UPDATE SET taken = known.taken
  RETURNING workspace, environment, budget, taken, reserved_at_ms < 0 AS made
)
SELECT 'run' AS kind, workspace, environment, run_id AS name, 0 AS taken, ended AS flag FROM asked
UNION ALL
SELECT 'key', workspace, environment, reservation_key, 0, false FROM fresh
UNION ALL
SELECT 'budget', workspace, environment, budget, taken, made FROM held`,
  };
}

/** The amount that is added to a locked budget, and the number of reservations that add it. */
export interface AddedAmount {
  readonly workspace: string;
  readonly environment: string;
  readonly budget: string;
  readonly amount: number;
  readonly reservations: number;
}

/** The name of a reservation or a budget within an environment. */
export interface ScopedName {
  readonly workspace: string;
  readonly environment: string;
  readonly name: string;
}

/** Writes the judgement of locked rows: adds amounts, and deletes rejected reservations and unused new budgets. */
export function writeStatement(schema: string): Statement {
  return {
    name: "budgets-write",
    text: `
WITH added AS (
  UPDATE ${schema}.budgets
     SET taken = budgets.taken + one.amount, reservations = budgets.reservations + one.reservations,
         reserved_at_ms = $6::bigint
    FROM unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::integer[])
           AS one (workspace, environment, budget, amount, reservations)
   WHERE (budgets.workspace, budgets.environment, budgets.budget) = (one.workspace, one.environment, one.budget)
), refused AS (
  DELETE FROM ${schema}.reservations USING unnest($7::text[], $8::text[], $9::text[])
           AS one (workspace, environment, name)
   WHERE (reservations.workspace, reservations.environment, reservations.reservation_key)
       = (one.workspace, one.environment, one.name)
)
DELETE FROM ${schema}.budgets USING unnest($10::text[], $11::text[], $12::text[]) AS one (workspace, environment, name)
 WHERE (budgets.workspace, budgets.environment, budgets.budget) = (one.workspace, one.environment, one.name)`,
  };
}

export function writeValues(
  added: readonly AddedAmount[],
  atMs: number,
  refused: readonly ScopedName[],
  unused: readonly ScopedName[],
): readonly SqlValue[] {
  return [
    added.map(({ workspace }) => workspace),
    added.map(({ environment }) => environment),
    added.map(({ budget }) => budget),
    added.map(({ amount }) => amount),
    added.map(({ reservations }) => reservations),
    atMs,
    ...[refused, unused].flatMap((names) => [
      names.map(({ workspace }) => workspace),
      names.map(({ environment }) => environment),
      names.map(({ name }) => name),
    ]),
  ];
}

export interface StoredReservation {
  readonly workspace: string;
  readonly environment: string;
  readonly reservation_key: string;
  readonly amounts: string;
  readonly spent: string | null;
}

/** Parameters: workspaces, environments and keys in three arrays. */
export function knownStatement(schema: string): Statement {
  return {
    name: "budgets-known",
    text: `SELECT known.* FROM unnest($1::text[], $2::text[], $3::text[]) AS asked (workspace, environment, name)
            CROSS JOIN LATERAL (SELECT workspace, environment, reservation_key, amounts, spent FROM ${schema}.reservations
                                 WHERE reservations.workspace = asked.workspace
                                   AND reservations.environment = asked.environment
                                   AND reservations.reservation_key = asked.name LIMIT 1) AS known`,
  };
}

export function knownOf({ amounts, spent }: StoredReservation): KnownReservation {
  return {
    reserved: JSON.parse(amounts) as KnownReservation["reserved"],
    spent: spent === null ? undefined : (JSON.parse(spent) as KnownReservation["spent"]),
  };
}

/** The parameters of `takeStatement` for several requests. */
export function takeValues(requests: readonly Reservation[], atMs: number): readonly SqlValue[] {
  return [
    requests.map(({ scope }) => scope.workspace),
    requests.map(({ scope }) => scope.environment),
    requests.map(({ key }) => key),
    requests.map(({ runId }) => runId),
    requests.map(({ amounts }) => JSON.stringify(amounts.map(({ budget, amount }) => ({ budget, amount })))),
    atMs,
  ];
}
