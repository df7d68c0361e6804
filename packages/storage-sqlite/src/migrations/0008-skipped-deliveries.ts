import type { Migration } from "../migrate.ts";

/**
 * A delivery may end as `skipped`: it was due while its webhook was inactive. SQLite changes a column's `CHECK` only by
 * making the table anew, and with it the one that refers to it. An inactive webhook keeps its subscriptions since then, so
 * that its events are on record; those that were inactive before get theirs back.
 */
export const skippedDeliveries: Migration = {
  name: "skipped deliveries",
  sql: `
CREATE TABLE new_deliveries (
  delivery INTEGER PRIMARY KEY,
  delivery_id TEXT NOT NULL UNIQUE,
  scope INTEGER NOT NULL REFERENCES scopes,
  run INTEGER REFERENCES runs,
  webhook_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  event TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  payload INTEGER NOT NULL REFERENCES payloads,
  status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed', 'skipped')),
  attempt_count INTEGER NOT NULL,
  -- Of the schedule; attempts that were cut off use none.
  places_used INTEGER NOT NULL DEFAULT 0,
  due_at_ms INTEGER CHECK ((due_at_ms IS NOT NULL) = (status = 'pending')),
  sender_id TEXT CHECK (sender_id IS NULL OR status = 'pending'),
  epoch INTEGER NOT NULL DEFAULT 0,
  manual INTEGER NOT NULL DEFAULT 0,
  resent_at_ms INTEGER,
  url TEXT,
  response_code INTEGER,
  error TEXT,
  delivered_at_ms INTEGER
);
INSERT INTO new_deliveries SELECT * FROM deliveries;
CREATE TABLE new_delivery_attempts (
  delivery INTEGER NOT NULL REFERENCES new_deliveries,
  epoch INTEGER NOT NULL,
  at_ms INTEGER NOT NULL,
  took_ms INTEGER NOT NULL,
  url TEXT NOT NULL,
  response_code INTEGER,
  failure TEXT,
  error TEXT,
  manual INTEGER NOT NULL,
  PRIMARY KEY (delivery, epoch)
);
INSERT INTO new_delivery_attempts SELECT * FROM delivery_attempts;
DROP TABLE delivery_attempts;
DROP TABLE deliveries;
ALTER TABLE new_deliveries RENAME TO deliveries;
ALTER TABLE new_delivery_attempts RENAME TO delivery_attempts;
CREATE INDEX deliveries_by_time ON deliveries (scope, webhook_id, created_at_ms);
CREATE INDEX deliveries_waiting ON deliveries (scope, webhook_id, due_at_ms)
  WHERE status = 'pending' AND sender_id IS NULL;
CREATE INDEX deliveries_claimed ON deliveries (scope, webhook_id, due_at_ms) WHERE sender_id IS NOT NULL;
CREATE INDEX deliveries_of_run ON deliveries (run);
CREATE INDEX deliveries_of_payload ON deliveries (payload);

INSERT OR IGNORE INTO record_keys (kind, record_key, record)
SELECT 'webhook', workspace || '/' || environment || '/' || value, record
  FROM records CROSS JOIN json_each(body, '$.events') 
 WHERE records.kind = 'webhook' AND environment IS NOT NULL;
`,
};
