import type { TriggerStore } from "@procedo/storage";
import type { PostgresContext } from "./context.ts";
import type { Statement } from "./statement.ts";

/** Removes old contents, firings and events. Rows that another transaction holds stay until the next call. */
export function firingRetention({ database }: PostgresContext): Pick<TriggerStore, "removeExpired"> {
  const { schema } = database;
  const ofScope = (table: string): string =>
    `${table}.workspace = $1 AND ${table}.environment = $2 AND ${table}.received_at_ms < $3`;
  // A claim of a pending or waiting firing reads its content.
  const removeContents: Statement = {
    name: "triggers-remove-contents",
    text: `WITH removed AS (
             UPDATE ${schema}.events SET body = NULL, headers = NULL
              WHERE event = ANY (ARRAY(
                SELECT event FROM ${schema}.events
                 WHERE ${ofScope("events")} AND body IS NOT NULL
                   AND NOT EXISTS (SELECT FROM ${schema}.firings JOIN ${schema}.firing_queue USING (firing)
                                    WHERE firings.event = events.event OFFSET 0)
                 ORDER BY received_at_ms LIMIT $4 FOR UPDATE SKIP LOCKED))
             RETURNING 1
           ) SELECT count(*) AS removed FROM removed`,
  };
  const removeFirings: Statement = {
    name: "triggers-remove-firings",
    text: `WITH removed AS (
             DELETE FROM ${schema}.firings
              WHERE firing = ANY (ARRAY(
                SELECT firing FROM ${schema}.firings
                 WHERE ${ofScope("firings")} AND status IN ('started', 'skipped', 'failed')
                   AND NOT EXISTS (SELECT FROM ${schema}.runs
                                    WHERE runs.run_id = firings.run_id AND ended_at_ms IS NULL OFFSET 0)
                 ORDER BY received_at_ms, firing LIMIT $4 FOR UPDATE SKIP LOCKED))
             RETURNING 1
           ) SELECT count(*) AS removed FROM removed`,
  };
  const isKnown = `EXISTS (SELECT FROM ${schema}.event_keys AS held
                            WHERE held.key = events.key AND (held.event, true) = (events.event, held.known_until_ms > $5) OFFSET 0)`;
  const removeEvents: Statement = {
    name: "triggers-remove-events",
    text: `WITH removed AS (
             DELETE FROM ${schema}.events
              WHERE event = ANY (ARRAY(
                SELECT event FROM ${schema}.events
                 WHERE ${ofScope("events")}
                   AND NOT EXISTS (SELECT FROM ${schema}.firings WHERE firings.event = events.event OFFSET 0)
                   AND NOT ${isKnown}
                 ORDER BY received_at_ms LIMIT $4 FOR UPDATE SKIP LOCKED))
             RETURNING event, key
           ), forgotten AS (
             DELETE FROM ${schema}.event_keys
              WHERE key = ANY (ARRAY(SELECT key FROM removed WHERE key IS NOT NULL))
                AND event = ANY (ARRAY(SELECT event FROM removed)) AND known_until_ms <= $5
           ) SELECT count(*) AS removed FROM removed`,
  };

  return {
    // A statement for each: the removal of events finds the firings that are left.
    removeExpired: ({ scope: { workspace, environment }, contentsOlderThanMs, firingsOlderThanMs, limit }) =>
      database.transaction(async (tx) => {
        const remove = async (statement: Statement, ageMs: number, ...more: readonly number[]): Promise<number> => {
          const values = [workspace, environment, tx.nowMs - ageMs, limit, ...more];
          const [row] = await tx.query<{ removed: number }>(statement, values);
          return row?.removed ?? 0;
        };
        const contents = await remove(removeContents, contentsOlderThanMs);
        const firings = await remove(removeFirings, firingsOlderThanMs);
        return contents + firings + (await remove(removeEvents, firingsOlderThanMs, tx.nowMs));
      }),
  };
}
