import type { CommitColumn, CommitPart } from "./commit-columns.ts";
import { commitColumns } from "./commit-columns.ts";
import { matchesUnindexed } from "./unindexed.ts";
import { itemsSql, type ItemCount } from "./item-rows.ts";
import { ordinalsSql } from "./ordinals.ts";
import { openReviewsSql } from "./review-rows.ts";
import { settleParts } from "./settle-parts.ts";
import type { Statement } from "./statement.ts";
import { sqlNow } from "./statement.ts";

/** What a short statement answers, in one row. */
export interface CommittedItems {
  /** Places of the items that were committed; null: none was. The others are judged anew. */
  readonly committed: string | null;
  /** One of their runs can be claimed now. */
  readonly claimable?: boolean | null;
}

/** The end of a short statement; `claimable` is a condition. */
export function committedItemsSql(claimable?: string): string {
  return `SELECT ${ordinalsSql("ord")} AS committed${claimable === undefined ? "" : `, bool_or(${claimable}) AS claimable`}`;
}

/**
 * What the whole statement answers of an item. `again`: another creation took its idempotency key while the statement ran;
 * it is judged anew.
 */
export interface CommitVerdict {
  readonly outcome: "commit" | "repeated" | "fenced" | "inbox_not_empty" | "exists" | "again";
  readonly holder_run_id?: string | null;
  readonly holder_digest?: string | null;
  /** The run can be claimed now. */
  readonly claimable?: boolean;
  /** Deliveries were stored. */
  readonly deliverable?: boolean;
}

/** Which item a row is about, by its place from 1. */
export interface Placed {
  readonly ord: number;
}

/** A statement whose parameters are the arrays of these columns, the array of bodies, and where it asks for it the time. */
export interface CommitStatement extends Statement {
  readonly columns: readonly CommitColumn[];
  /** The injected clock's, or null. */
  readonly asksTime: boolean;
  /** Short: answers {@link CommittedItems}, and what it does not name is not as it expects; the whole statement finds out more. */
  readonly isShort: boolean;
}

const continueColumns = ["run_id", "workspace", "environment", "epoch", "seq", "hash", "worker_id"];

/**
 * For rows that go on with a run that stays where it is: one lock, one row, nothing else. After the columns comes the array
 * of bodies.
 *
 * The fence: the run's row is locked before it is judged. The lock waits for whoever is claiming the run, and then gives
 * the row as it is by now, with the new epoch: a plain comparison would see it as it was when the statement began, and the
 * writer that lost its lease would append once more. The other way round a claim that waits for this commit loads the
 * journal afterwards, with a statement of its own, and finds the row. What is read without a lock (the rows of the
 * journal) may be older than the lock; then the primary key refuses the row, and the flush is judged anew.
 */
export function continueStatement(schema: string, count: ItemCount): CommitStatement {
  const columns = commitColumns.filter(({ name }) => continueColumns.includes(name));
  const text = `
WITH judged AS MATERIALIZED (
  SELECT item.run_id, item.seq, item.hash, item.ord,
         (run.workspace, run.environment) = (item.workspace, item.environment) AND run.epoch = item.epoch
           AND run.worker_id = item.worker_id AND (${lastSeq(schema)}) = item.seq - 1 AS goes_on
    FROM ${itemsSql(columns, count)}
    ${lockedRun(schema, "workspace, environment, epoch, worker_id")}
), rows AS (
  INSERT INTO ${schema}.journal (run_id, seq, hash, body)
  SELECT run_id, seq, hash, ($${columns.length + 1}::text[])[ord] FROM judged WHERE goes_on
)
${committedItemsSql()} FROM judged WHERE goes_on`;
  return {
    name: count === "one" ? "commit-continue-one" : "commit-continue",
    text,
    columns,
    asksTime: false,
    isShort: true,
  };
}

/**
 * For every kind of item. After the columns come the array of bodies and the injected clock's time or null.
 *
 * All parts of a statement see the database as it was when it began, but for what a lock gives. So each part that writes
 * takes from `judged` what it needs, and what two transactions may have judged alike a unique key decides.
 *
 * Look-ups are lateral or scalar subqueries and arrays: the plan is made once for each connection, often while tables are empty, and must
 * not read them whole when they are full. The place of a run is written by an insert that becomes an update, for the same
 * reason.
 */
export function commitStatement(schema: string, parts: readonly CommitPart[]): CommitStatement {
  const has = (part: CommitPart): boolean => parts.includes(part);
  const columns = commitColumns.filter(({ part }) => part === undefined || has(part));
  const bodies = `$${columns.length + 1}::text[]`;
  const now = "(SELECT now_ms FROM clock)";

  const created = (column: string): string =>
    has("create") ? `coalesce(item.${column}, run.${column})` : `run.${column}`;
  const output = has("output") ? ", output" : "";
  const consumed = has("consume") ? "read.keys" : "NULL::text[]";

  const text = [
    `
WITH clock AS MATERIALIZED (
  SELECT ${sqlNow(`$${columns.length + 2}`)} AS now_ms
), judged AS MATERIALIZED (
  SELECT found.*, unread > 0 AND ended_at_ms IS NULL AND worker_id IS NULL AS woken,
         CASE
           WHEN of_scope AND taken_by IS NOT NULL
             THEN CASE WHEN taken_by = hash AND held_epoch = epoch THEN 'repeated' ELSE 'fenced' END
           WHEN creates THEN CASE WHEN of_scope THEN 'fenced' WHEN holder_run_id IS NOT NULL THEN 'exists'
                                  WHEN run IS NOT NULL THEN 'fenced' ELSE 'commit' END
           WHEN of_scope IS NOT TRUE OR ended OR held_epoch <> epoch OR NOT follows THEN 'fenced'
           WHEN ended_at_ms IS NOT NULL AND unread > 0 THEN 'inbox_not_empty'
           ELSE 'commit'
         END AS verdict
    FROM (
      SELECT item.run_id, item.workspace, item.environment, item.epoch, item.seq, item.hash, item.status, item.worker_id,
             item.wake_at_ms, item.ended_at_ms, item.error, item.ord,
             ${has("create") ? "item.procedure_id IS NOT NULL" : "false"} AS creates,
             ${created("procedure_id")} AS procedure_id, ${created("procedure_version")} AS procedure_version,
             ${created("started_by")} AS started_by, ${created("created_at_ms")} AS created_at_ms,
             run.run, run.epoch AS held_epoch, run.worker_id AS holder, run.ended_at_ms IS NOT NULL AS ended,
             (run.workspace, run.environment) = (item.workspace, item.environment) AS of_scope,
             coalesce(last.seq, 0) >= item.seq - 1 AS follows,
             CASE WHEN last.seq >= item.seq
                  THEN (SELECT hash FROM ${schema}.journal AS taken WHERE taken.run_id = item.run_id AND taken.seq = item.seq)
             END AS taken_by,
             ${has("key") ? "item.key, item.key_digest, item.key_expires_at_ms, held.run_id AS holder_run_id, held.digest AS holder_digest" : "NULL::text AS holder_run_id, NULL::text AS holder_digest"},
             ${has("review") ? "item.close_status, item.review," : ""} ${has("events") ? "item.events," : ""}
             ${has("invocation") ? "item.invocation," : ""} ${has("settle") ? "item.settle," : ""}
             ${has("output") ? "item.output," : ""}
             ${consumed} AS consumed, coalesce(run.unread, 0) - coalesce(cardinality(${consumed}), 0) AS unread
        FROM ${itemsSql(columns, "many")}
        ${lockedRun(schema, "*")}
        LEFT JOIN LATERAL (${lastSeq(schema)}) AS last ON true`,
    has("key") &&
      `
        LEFT JOIN LATERAL (SELECT held.run_id, held.digest FROM ${schema}.idempotency AS held
                            WHERE held.key = item.key AND held.expires_at_ms > ${now} LIMIT 1) AS held ON true`,
    has("consume") &&
      `
        LEFT JOIN LATERAL (SELECT array_agg(DISTINCT news.effect_key) AS keys
                             FROM json_array_elements_text(item.consume::json) AS wanted (key)
                             CROSS JOIN LATERAL (SELECT effect_key FROM ${schema}.inbox
                                                  WHERE inbox.run_id = item.run_id AND effect_key = wanted.key AND NOT consumed
                                                  LIMIT 1) AS news) AS read ON true`,
    `
      -- Computed once, although columns are used several times.
      OFFSET 0) AS found
)`,
    has("key") &&
      `, keyed AS (
  INSERT INTO ${schema}.idempotency AS held (key, run_id, digest, expires_at_ms)
  SELECT key, run_id, key_digest, key_expires_at_ms FROM judged WHERE verdict = 'commit' AND key IS NOT NULL
   ORDER BY key COLLATE "C"
      ON CONFLICT (key) DO UPDATE
         SET run_id = excluded.run_id, digest = excluded.digest, expires_at_ms = excluded.expires_at_ms
       WHERE held.expires_at_ms <= ${now}
  RETURNING run_id
)`,
    `, fit AS MATERIALIZED (
  SELECT * FROM judged
   WHERE verdict = 'commit' ${has("key") ? "AND (key IS NULL OR (run_id IN (SELECT run_id FROM keyed)) IS TRUE)" : ""}
), placed AS (
  INSERT INTO ${schema}.runs AS run (run_id, run, workspace, environment, procedure_id, procedure_version, started_by,
                                     created_at_ms, status, epoch, worker_id, wake_at_ms, ended_at_ms, error, unread${output})
  SELECT run_id, coalesce(run, nextval('${schema}.run_numbers')), workspace, environment, procedure_id, procedure_version,
         started_by, created_at_ms, CASE WHEN woken THEN 'running' ELSE status END, epoch, worker_id,
         CASE WHEN woken THEN least(wake_at_ms, ${now}) ELSE wake_at_ms END, ended_at_ms, error, unread${output}
    FROM fit
   WHERE creates OR worker_id IS DISTINCT FROM holder OR worker_id IS NULL OR consumed IS NOT NULL
   ORDER BY ord
      ON CONFLICT (run_id) DO UPDATE
         SET status = excluded.status, worker_id = excluded.worker_id, wake_at_ms = excluded.wake_at_ms,
             ended_at_ms = excluded.ended_at_ms, error = excluded.error, unread = excluded.unread${has("output") ? ", output = excluded.output" : ""}
       -- Somebody else's creation of the same run has another number; the journal's key then refuses the whole.
       WHERE run.run = excluded.run
), rows AS (
  INSERT INTO ${schema}.journal (run_id, seq, hash, body) SELECT run_id, seq, hash, (${bodies})[ord] FROM fit
)`,
    has("consume") &&
      `, read AS (
  UPDATE ${schema}.inbox SET consumed = true
   WHERE run_id = ANY (ARRAY(SELECT run_id FROM fit WHERE consumed IS NOT NULL))
     AND effect_key = ANY (ARRAY(SELECT unnest(consumed) FROM fit))
     AND ((run_id, effect_key) IN (SELECT run_id, unnest(consumed) FROM fit)) IS TRUE
)`,
    has("review") &&
      `, closed AS (
  UPDATE ${schema}.reviews
     SET status = (SELECT close_status FROM fit WHERE fit.run_id = reviews.run_id), closed_at_ms = ${now}
   WHERE run_id = ANY (ARRAY(SELECT run_id FROM fit WHERE close_status IS NOT NULL))
     AND ${matchesUnindexed("reviews.status", "'open'")}
  RETURNING 1
), opened AS (${openReviewsSql(schema, "fit")}
   -- A run has one open review: the one before is closed first.
     AND (SELECT count(*) FROM closed) >= 0
   ORDER BY ord
)`,
    has("events") &&
      `, told AS MATERIALIZED (
  SELECT fit.run_id, workspace, environment, ord, event.number, event."eventId" AS event_id, event.event,
         event."createdAtMs" AS created_at_ms, event.data, hooks.ids, nextval('${schema}.payload_numbers') AS payload
    FROM fit
    CROSS JOIN LATERAL ROWS FROM (json_to_recordset(fit.events::json) AS
                                   ("eventId" text, event text, "createdAtMs" bigint, data text)) WITH ORDINALITY
            AS event ("eventId", event, "createdAtMs", data, number)
    CROSS JOIN LATERAL (SELECT array_agg(records.id ORDER BY record) AS ids
                          FROM ${schema}.record_keys JOIN ${schema}.records USING (record)
                         WHERE record_keys.kind = 'webhook'
                           AND record_key = fit.workspace || '/' || fit.environment || '/' || event.event) AS hooks
   -- Asked once: where there is no webhook at all, no event is looked at.
   WHERE (SELECT true FROM ${schema}.record_keys WHERE kind = 'webhook' LIMIT 1)
     AND fit.events IS NOT NULL AND hooks.ids IS NOT NULL
), payload AS (
  INSERT INTO ${schema}.payloads (payload, data) SELECT payload, data FROM told
), sent AS (
  INSERT INTO ${schema}.deliveries (delivery_id, workspace, environment, run_id, webhook_id, event_id, event,
                                    created_at_ms, payload, due_at_ms)
  SELECT ${deliveryIdSql("event_id", "hook.id")}, workspace, environment, run_id, hook.id, event_id, event,
         created_at_ms, payload, ${now}
    FROM told CROSS JOIN LATERAL unnest(ids) WITH ORDINALITY AS hook (id, number)
   ORDER BY ord, told.number, hook.number
)`,
    has("invocation") &&
      `, invoked AS (
  INSERT INTO ${schema}.invocations (invocation_id, run_id, workspace, environment, connection_id, function_name, idempotent,
                                     effect_key, payload, created_at_ms, deadline_ms, status, lease_token, lease_ends_at_ms)
  SELECT call."invocationId", run_id, workspace, environment, call."connectionId", call."functionName", call.idempotent,
         call."effectKey", call.payload, ${now}, call."deadlineMs",
         CASE WHEN leased THEN 'leased' ELSE 'queued' END,
         CASE WHEN leased THEN call."handedTo"->>'leaseToken' END,
         CASE WHEN leased THEN ${now} + (call."handedTo"->>'leaseMs')::bigint END
    FROM fit CROSS JOIN LATERAL json_to_record(fit.invocation::json) AS call
           ("invocationId" text, "connectionId" text, "functionName" text, idempotent boolean, "effectKey" text,
            payload text, "deadlineMs" bigint, "handedTo" json)
         CROSS JOIN LATERAL (SELECT call."handedTo" IS NOT NULL AND call."deadlineMs" > ${now} AS leased) AS handed
   WHERE fit.invocation IS NOT NULL
   ORDER BY ord
)`,
    has("settle") && settleParts(schema, now),
    `
SELECT ord, ${has("key") ? "CASE WHEN verdict = 'commit' AND (run_id IN (SELECT run_id FROM fit)) IS NOT TRUE THEN 'again' ELSE verdict END" : "verdict"} AS outcome,
       holder_run_id, holder_digest,
       worker_id IS NULL AND ended_at_ms IS NULL AND (woken OR coalesce(wake_at_ms <= ${now}, false)) AS claimable,
       ${has("events") ? "(run_id IN (SELECT run_id FROM told)) IS TRUE" : "false"} AS deliverable
  FROM judged`,
  ];
  const name = ["commit", ...parts].join("-");
  return { name, text: text.filter((piece) => piece !== false).join(""), columns, asksTime: true, isShort: false };
}

function lockedRun(schema: string, columns: string): string {
  return `LEFT JOIN LATERAL (SELECT ${columns} FROM ${schema}.runs WHERE runs.run_id = item.run_id
                              FOR NO KEY UPDATE) AS run ON true`;
}

/** Its rows have no gap, so that the last one tells of all. */
export function lastSeq(schema: string): string {
  return `SELECT seq FROM ${schema}.journal WHERE journal.run_id = item.run_id ORDER BY journal.seq DESC LIMIT 1`;
}

/** As `deliveryIdOf` makes it: the texts as JSON, which Postgres and JavaScript write alike. */
function deliveryIdSql(eventId: string, webhookId: string): string {
  const json = `'[' || to_json(${eventId})::text || ',' || to_json(${webhookId})::text || ']'`;
  return `'dlv_' || left(encode(sha256(convert_to(${json}, 'UTF8')), 'hex'), 32)`;
}
