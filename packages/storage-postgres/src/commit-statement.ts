import {
  type CommitColumn,
  type CommitEffect,
  createColumns,
  effectColumns,
  placeColumns,
  rowColumns,
} from "./commit-columns.ts";
import { claimedFirings, effectsSql } from "./commit-effects.ts";
import { type ItemColumn, itemsSql } from "./item-rows.ts";
import type { Statement } from "./statement.ts";
import { sqlNow } from "./statement.ts";

/*
 * The statements that append journal rows. Each is a transaction of its own, and has these parts:
 *
 *   fit      the items that can be stored: those that pass the fence, or those that create a run
 *   placed   the state of their runs
 *   rows     the journal
 *   …        their effects on other tables
 *
 * All parts of a statement see the database as it was when the statement began, except for the rows that it locks. Each
 * writing part therefore reads its input from `fit`. If two transactions found the same items fit, a unique key
 * decides.
 */

/** Its parameters: an array per column, the array of bodies, and the time of the injected clock or null. */
export interface CommitStatement extends Statement {
  readonly columns: readonly CommitColumn[];
}

/** The only row that a statement returns. An item that it does not name was not stored, and changed nothing. */
export interface CommitAnswer {
  /** The ordinals of the items that were committed, from 1; `null`: none. */
  readonly committed: readonly number[] | null;
  /** Whether one of the runs is claimable now. */
  readonly claimable: boolean | null;
  /** Whether a delivery was stored. */
  readonly deliverable: boolean | null;
  /** Whether a firing was stored. Only of items with such events. */
  readonly fireable?: boolean;
}

/** Appends rows of runs that keep their owner, without effects. Most rows are of this kind. */
export function continueStatement(schema: string): CommitStatement {
  const fit = fencedItems(schema, rowColumns, { select: "item.*", condition: "run.worker_id = item.worker_id" });
  return {
    name: "commit-continue",
    columns: rowColumns,
    text: `
WITH ${clock(rowColumns)}, fit AS MATERIALIZED (${fit}
), ${journalRows(schema, rowColumns)}
SELECT array_agg(ord::integer) AS committed, false AS claimable, false AS deliverable FROM fit`,
  };
}

/** Appends rows of existing runs, with the state of the run after the row and the effects. */
export function appendStatement(schema: string, effects: readonly CommitEffect[]): CommitStatement {
  const columns = [...rowColumns, ...placeColumns, ...columnsOf(effects)];
  const consumes = effects.includes("consume");
  const found = fencedItems(schema, columns, {
    select: `item.*, run.procedure_id, run.reference, run.worker_id AS holder, ${consumes ? "inbox.keys" : "NULL::text[]"} AS consumed_keys,
         run.unread${consumes ? " - coalesce(cardinality(inbox.keys), 0)" : ""} AS unread`,
    join: consumes ? consumedKeys(schema) : "",
  });
  return {
    name: ["commit-append", ...effects].join("-"),
    columns,
    text: `
WITH ${clock(columns)}, fit AS MATERIALIZED (
  SELECT found.*, unread > 0 AND ended_at_ms IS NULL AND worker_id IS NULL AS woken
    FROM (${found}
      -- Computed once, although several columns use it.
      OFFSET 0) AS found
   WHERE ended_at_ms IS NULL OR unread = 0
), placed AS (
  UPDATE ${schema}.runs
     SET status = CASE WHEN woken THEN 'running' ELSE fit.status END, epoch = fit.epoch, worker_id = fit.worker_id,
         wake_at_ms = CASE WHEN woken THEN least(fit.wake_at_ms, ${now}) ELSE fit.wake_at_ms END,
         ended_at_ms = fit.ended_at_ms, error = fit.error, output = fit.output, unread = fit.unread
    FROM fit
   WHERE runs.run_id = fit.run_id
     AND (fit.worker_id IS NULL OR fit.worker_id IS DISTINCT FROM holder OR consumed_keys IS NOT NULL)
), ${journalRows(schema, columns)}${effectsSql(schema, effects, now)}
${answer(effects, `woken OR wake_at_ms <= ${now}`)}`,
  };
}

/**
 * Stores the first rows of new runs. No other process knows these runs, so there is nothing to lock. An item is not fit
 * if another run holds its idempotency key, or if its firing is not claimed under its epoch. The primary key of `runs` rejects the whole statement if a run already
 * exists.
 */
export function createStatement(schema: string, effects: readonly CommitEffect[]): CommitStatement {
  const columns = [...rowColumns, ...placeColumns, ...createColumns, ...columnsOf(effects)];
  const starts = effects.includes("firing");
  const mayStart = "(firing_id IS NULL OR run_id IN (SELECT run_id FROM claimed))";
  const found = starts ? "(SELECT firing FROM claimed WHERE claimed.run_id = item.run_id) AS firing, " : "";
  return {
    name: ["commit-create", ...effects].join("-"),
    columns,
    text: `
WITH ${clock(columns)}, item AS MATERIALIZED (
  SELECT * FROM ${itemsSql(columns)}
), ${starts ? claimedFirings(schema) : ""}keyed AS (
  INSERT INTO ${schema}.idempotency AS held (key, run_id, digest, expires_at_ms)
  SELECT key, run_id, key_digest, key_expires_at_ms FROM item WHERE key IS NOT NULL${starts ? ` AND ${mayStart}` : ""} ORDER BY key COLLATE "C"
      ON CONFLICT (key) DO UPDATE
         SET run_id = excluded.run_id, digest = excluded.digest, expires_at_ms = excluded.expires_at_ms
       WHERE held.expires_at_ms <= ${now}
  RETURNING run_id
), fit AS MATERIALIZED (
  SELECT *, ${found}NULL::text[] AS consumed_keys FROM item WHERE ${starts ? `${mayStart} AND (` : ""}key IS NULL OR run_id IN (SELECT run_id FROM keyed)${starts ? ")" : ""}
), placed AS (
  INSERT INTO ${schema}.runs (run_id, workspace, environment, procedure_id, procedure_version, started_by, reference,
                              created_at_ms, status, epoch, worker_id, wake_at_ms, ended_at_ms, error, output)
  SELECT run_id, workspace, environment, procedure_id, procedure_version, started_by, reference,
         created_at_ms, status, epoch, worker_id, wake_at_ms, ended_at_ms, error, output
    FROM fit ORDER BY ord${effects.includes("trigger") ? "\n  RETURNING run_id, run" : ""}
), ${journalRows(schema, columns)}${effectsSql(schema, effects, now)}
${answer(effects, `wake_at_ms <= ${now}`)}`,
  };
}

function columnsOf(effects: readonly CommitEffect[]): readonly CommitColumn[] {
  return effects.flatMap((effect) => effectColumns[effect]);
}

/** The unread notifications that an item consumes. */
function consumedKeys(schema: string): string {
  return `LEFT JOIN LATERAL (
           SELECT array_agg(DISTINCT found.effect_key) AS keys
             FROM json_array_elements_text(item.consume::json) AS wanted (key)
             CROSS JOIN LATERAL (SELECT effect_key FROM ${schema}.inbox
                                  WHERE inbox.run_id = item.run_id AND effect_key = wanted.key AND NOT consumed
                                  LIMIT 1) AS found) AS inbox ON true`;
}

interface Fence {
  /** The columns of the items that pass. */
  readonly select: string;
  /** The required epoch of the run. @defaultValue that of the item */
  readonly heldEpoch?: string;
  /** Additional tables, joined for each item. */
  readonly join?: string;
  /** A further condition on the item and its run. */
  readonly condition?: string;
}

/**
 * Selects the items that pass the fence: their run is open, in their scope and under their epoch, and its last row
 * precedes theirs.
 *
 * The run's row is locked before the check. The lock waits for a concurrent claim, and then returns the current row
 * with the new epoch. A plain comparison would use the row as of the start of the statement, and a writer that lost its
 * lease could append again. Conversely, a claim that waits for this commit loads the journal with a later statement,
 * and finds the row. Rows that are read without a lock, such as those of the journal, may be older than the lock. In
 * this case the primary key of the journal rejects the whole statement.
 *
 * Every process locks runs in the order of their ids, which prevents deadlocks.
 */
export function fencedItems<Item>(schema: string, columns: readonly ItemColumn<Item>[], fence: Fence): string {
  const { select, heldEpoch = "item.epoch", join = "", condition } = fence;
  return `
  SELECT ${select}
    FROM ${itemsSql(columns, "by run")}
    CROSS JOIN LATERAL (SELECT workspace, environment, procedure_id, reference, epoch, worker_id, ended_at_ms, unread
                          FROM ${schema}.runs WHERE runs.run_id = item.run_id FOR NO KEY UPDATE) AS run
    ${join}
   WHERE (run.workspace, run.environment) = (item.workspace, item.environment) AND run.epoch = ${heldEpoch}
     AND run.ended_at_ms IS NULL
     AND (SELECT seq FROM ${schema}.journal WHERE journal.run_id = item.run_id ORDER BY journal.seq DESC LIMIT 1)
           = item.seq - 1${condition === undefined ? "" : `\n     AND ${condition}`}`;
}

/** Bodies are inserted directly from their array. No other part of the statement copies them. */
export function journalRows<Item>(schema: string, columns: readonly ItemColumn<Item>[]): string {
  return `rows AS (
  INSERT INTO ${schema}.journal (run_id, seq, hash, body)
  SELECT run_id, seq, hash, ($${columns.length + 1}::text[])[ord] FROM fit
)`;
}

const now = "(SELECT now_ms FROM clock)";

function clock<Item>(columns: readonly ItemColumn<Item>[]): string {
  return `clock AS MATERIALIZED (SELECT ${sqlNow(`$${columns.length + 2}`)} AS now_ms)`;
}

/** @param due when a parked run can be claimed */
function answer(effects: readonly CommitEffect[], due: string): string {
  return `
SELECT array_agg(ord::integer) AS committed,
       bool_or(worker_id IS NULL AND ended_at_ms IS NULL AND (${due})) AS claimable,
       ${effects.includes("events") ? "EXISTS (SELECT FROM emitted)" : "false"} AS deliverable${
         effects.includes("fires") ? ",\n       EXISTS (SELECT FROM custom_events) AS fireable" : ""
       }
  FROM fit`;
}
