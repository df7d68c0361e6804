import { commitColumns, type CommitColumn, type CommitPart } from "./commit-columns.ts";
import { committedItemsSql, lastSeq, type CommitStatement } from "./commit-statement.ts";
import { matchesUnindexed } from "./unindexed.ts";
import { itemsSql, type ItemCount } from "./item-rows.ts";
import { openReviewsSql } from "./review-rows.ts";
import { sqlNow } from "./statement.ts";

const fenceColumns = ["run_id", "workspace", "environment", "epoch", "seq", "hash"];
const placeColumns = ["status", "wake_at_ms", "ended_at_ms", "error"];

/** Under which key the webhooks are found that want to hear of the item's one event. */
const subscription: CommitColumn = {
  name: "subscription",
  type: "text",
  valueOf: ({ scope: { workspace, environment }, events: [told] = [] }) =>
    told === undefined ? null : `${workspace}/${environment}/${told.event}`,
};

/**
 * For rows with which runs come to rest, asking for a review perhaps, and with an event that no webhook wants to hear of. What
 * is not named is as this statement does not expect it: the whole statement finds out more.
 *
 * The update is the fence. It waits for whoever has the run's row, and then judges the row as it is by now: each condition
 * on it is looked at again. What is read beside it may be older; then a unique key refuses the statement.
 */
export function restStatement(schema: string, parts: readonly CommitPart[], count: ItemCount): CommitStatement {
  const asks = parts.includes("review");
  const tells = parts.includes("events");
  const columns = commitColumns
    .filter(({ name }) => [...fenceColumns, ...placeColumns].includes(name) || (asks && name === "review"))
    .concat(tells ? [subscription] : []);
  const bodies = `$${columns.length + 1}::text[]`;
  const webhooks = `FROM ${schema}.record_keys WHERE kind = 'webhook'`;
  const text = `
WITH rested AS (
  UPDATE ${schema}.runs
     SET status = item.status, worker_id = NULL, wake_at_ms = item.wake_at_ms, ended_at_ms = item.ended_at_ms,
         error = item.error
    FROM ${itemsSql(columns, count)}
   WHERE runs.run_id = item.run_id
     AND ${matchesUnindexed("runs.workspace, runs.environment, runs.epoch", "item.workspace, item.environment, item.epoch")}
     AND ${matchesUnindexed("runs.worker_id IS NULL, runs.ended_at_ms IS NULL", "false, true")} AND runs.unread = 0
     AND (${lastSeq(schema)}) = item.seq - 1
     ${
       tells
         ? `-- Asked once: where there is no webhook at all, no event is looked at.
     AND ((SELECT true ${webhooks} LIMIT 1) IS NOT TRUE
          OR (SELECT true ${webhooks} AND record_key = item.subscription LIMIT 1) IS NOT TRUE)`
         : ""
     }
  RETURNING item.run_id, item.seq, item.hash, item.wake_at_ms, item.ord${
    asks ? ", item.workspace, item.environment, runs.procedure_id, item.review" : ""
  }
), rows AS (
  INSERT INTO ${schema}.journal (run_id, seq, hash, body) SELECT run_id, seq, hash, (${bodies})[ord] FROM rested
)${asks ? `, opened AS (${openReviewsSql(schema, "rested")} ORDER BY ord)` : ""}
${committedItemsSql(`wake_at_ms <= ${sqlNow(`$${columns.length + 2}`)}`)} FROM rested`;
  return {
    name: ["commit-rest", ...parts, ...(count === "one" ? [count] : [])].join("-"),
    text,
    columns,
    asksTime: true,
    isShort: true,
  };
}
