import type { Migration } from "../migrate.ts";

/**
 * Deliveries are sent: when they are due, who has them, what came of it. A test's has no run, and SQLite takes `NOT NULL`
 * off a column only by making the table anew. What was waiting is due as soon as somebody looks.
 */
export const sentDeliveries: Migration = {
  name: "sent deliveries",
  sql: `
-- The envelopes' data, once for all deliveries of an event: what is claimed and settled rewrites its own short row.
CREATE TABLE payloads (
  payload INTEGER PRIMARY KEY,
  data TEXT NOT NULL
);
INSERT INTO payloads (payload, data) SELECT delivery, data FROM deliveries;

-- Waiting: neither sender_id nor ended. Claimed: sender_id, and due_at_ms is when the lease ends. Ended: no due_at_ms.
CREATE TABLE sent_deliveries (
  delivery INTEGER PRIMARY KEY,
  delivery_id TEXT NOT NULL UNIQUE,
  scope INTEGER NOT NULL REFERENCES scopes,
  run INTEGER REFERENCES runs,
  webhook_id TEXT NOT NULL,
  event_id TEXT NOT NULL,
  event TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  payload INTEGER NOT NULL REFERENCES payloads,
  status TEXT NOT NULL CHECK (status IN ('pending', 'delivered', 'failed')),
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
INSERT INTO sent_deliveries (delivery, delivery_id, scope, run, webhook_id, event_id, event, created_at_ms, payload,
                             status, attempt_count, places_used, due_at_ms)
  SELECT delivery, delivery_id, scope, run, webhook_id, event_id, event, created_at_ms, delivery, status, attempt_count,
         attempt_count, CASE status WHEN 'pending' THEN created_at_ms END
    FROM deliveries;
DROP TABLE deliveries;
ALTER TABLE sent_deliveries RENAME TO deliveries;
CREATE INDEX deliveries_by_time ON deliveries (scope, webhook_id, created_at_ms);
CREATE INDEX deliveries_waiting ON deliveries (scope, webhook_id, due_at_ms)
  WHERE status = 'pending' AND sender_id IS NULL;
CREATE INDEX deliveries_claimed ON deliveries (scope, webhook_id, due_at_ms) WHERE sender_id IS NOT NULL;

CREATE TABLE delivery_attempts (
  delivery INTEGER NOT NULL REFERENCES deliveries,
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

-- Webhooks that have accepted nothing since their first failed attempt.
CREATE TABLE failing_webhooks (
  record INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
  since_ms INTEGER NOT NULL
);
`,
};
