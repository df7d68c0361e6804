import type { KnownReservation, Reservation } from "@procedo/storage";
import { runOrder } from "./item-rows.ts";
import type { SqlValue, Statement } from "./statement.ts";

/*
 * Whoever changes budgets locks rows in one order, so that nobody waits in a circle: runs by their ids, reservations by
 * their keys, budgets by their names. Names are sorted as bytes, whatever the database's own order is.
 */

/** What to sort rows of budgets by, wherever they are locked. */
export const budgetOrder = `workspace COLLATE "C", environment COLLATE "C", budget COLLATE "C"`;

/** What to sort reservations by. */
export const reservationOrder = `workspace COLLATE "C", environment COLLATE "C", reservation_key COLLATE "C"`;

/** What `takeStatement` tells of the names that it was asked about. */
export interface TakenRow {
  /** A run that is there, a key that is new, or a budget of one that is. */
  readonly kind: "run" | "key" | "budget";
  readonly workspace: string;
  readonly environment: string;
  readonly name: string;
  /** Of the budget. */
  readonly taken: number;
  /** The run has ended, or there was no such budget. */
  readonly flag: boolean;
}

/**
 * Locks the runs, which keeps them from ending until what they reserve is there; stores those of the reservations whose keys
 * are new, and locks their budgets, which are made where there are none yet. Reservations and budgets are written by
 * inserts: what others have stored while the statement waited is not to be seen by anything else. What is made is known by
 * its time, which `writeStatement` sets, or it removes the row.
 *
 * Workspaces, environments, keys, runs and amounts in five arrays, and the time.
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

/** Of a budget that is locked: what is added, by how many reservations. */
export interface AddedAmount {
  readonly workspace: string;
  readonly environment: string;
  readonly budget: string;
  readonly amount: number;
  readonly reservations: number;
}

/** A name within an environment, of a reservation or a budget. */
export interface ScopedName {
  readonly workspace: string;
  readonly environment: string;
  readonly name: string;
}

/** Carries out what was judged of rows that are locked: adds, and removes what had no room and what was made in vain. */
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
  inVain: readonly ScopedName[],
): readonly SqlValue[] {
  return [
    added.map(({ workspace }) => workspace),
    added.map(({ environment }) => environment),
    added.map(({ budget }) => budget),
    added.map(({ amount }) => amount),
    added.map(({ reservations }) => reservations),
    atMs,
    ...[refused, inVain].flatMap((names) => [
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

/** Workspaces, environments and keys in three arrays. */
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

/** Of many requests, as `takeStatement` reads them. */
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
