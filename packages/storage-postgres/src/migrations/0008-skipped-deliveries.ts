import type { Migration } from "../migrate.ts";

/**
 * A delivery may end as `skipped`: it was due while its webhook was inactive. An inactive webhook keeps its subscriptions
 * since then, so that its events are on record; those that were inactive before get theirs back.
 *
 * The constraint does not look at rows that are there, so that nobody waits for it. Nodes of the version before end such
 * deliveries as failed, and take the subscriptions away again when they change an inactive webhook.
 */
export const skippedDeliveries: Migration = {
  name: "skipped deliveries",
  sql: `
ALTER TABLE deliveries
  DROP CONSTRAINT deliveries_status_check,
  ADD CONSTRAINT deliveries_status_check CHECK (status IN ('pending', 'delivered', 'failed', 'skipped')) NOT VALID;

-- Cut out, as Postgres reads no JSON in which a name has a NUL character.
WITH webhooks AS MATERIALIZED (
  SELECT record, workspace, environment, substring(body FROM '"events":(\\[[^]]*\\])')::json AS events
    FROM records WHERE kind = 'webhook' AND environment IS NOT NULL
)
INSERT INTO record_keys (kind, record_key, record)
SELECT 'webhook', workspace || '/' || environment || '/' || event, record
  FROM webhooks CROSS JOIN LATERAL json_array_elements_text(events) AS event
ON CONFLICT DO NOTHING;
`,
};
