/**
 * Webhook deliveries and their queue. A commit inserts a row into both tables for each webhook that subscribes to its
 * event; a settlement updates the delivery and deletes the queue row. No index of `deliveries` has a column that a
 * settlement changes. New row versions therefore stay on their page (HOT), where the fillfactor reserves space.
 */
export const deliveryTables = `
-- The data of the envelopes, once for all deliveries of an event: a settlement rewrites only its own short row.
CREATE SEQUENCE payload_numbers;
CREATE TABLE payloads (
  payload bigint PRIMARY KEY DEFAULT nextval('payload_numbers'),
  data text COLLATE "C" NOT NULL
);

-- The state after the last settlement. A pending delivery also has a row in delivery_queue.
CREATE TABLE deliveries (
  delivery_id text COLLATE "C" PRIMARY KEY,
  delivery bigint GENERATED ALWAYS AS IDENTITY,
  workspace text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  -- NULL for a test.
  run_id text COLLATE "C",
  webhook_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  event text COLLATE "C" NOT NULL,
  created_at_ms bigint NOT NULL,
  payload bigint NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed', 'skipped')),
  attempt_count integer NOT NULL DEFAULT 0,
  -- The used positions of the retry schedule; interrupted attempts use none.
  places_used integer NOT NULL DEFAULT 0,
  -- Values of the last settled claim.
  epoch integer NOT NULL DEFAULT 0,
  manual boolean NOT NULL DEFAULT false,
  resent_at_ms bigint,
  url text COLLATE "C",
  response_code integer,
  error text COLLATE "C",
  delivered_at_ms bigint
) WITH (fillfactor = 50);
CREATE INDEX deliveries_by_time ON deliveries (workspace, environment, webhook_id, created_at_ms, delivery);
CREATE INDEX deliveries_of_run ON deliveries (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX deliveries_of_tests ON deliveries (workspace, environment, created_at_ms) WHERE run_id IS NULL;

-- A claim moves due_at_ms to the end of its lease.
CREATE TABLE delivery_queue (
  delivery_id text COLLATE "C" PRIMARY KEY,
  -- The order in which deliveries were stored.
  delivery bigint NOT NULL,
  workspace text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  due_at_ms bigint NOT NULL,
  -- The number of claims since the last settlement. With 0, the delivery is waiting.
  claims integer NOT NULL DEFAULT 0
);
CREATE INDEX delivery_queue_due ON delivery_queue (workspace, environment, webhook_id, due_at_ms, delivery);
CREATE INDEX delivery_queue_claimed ON delivery_queue (workspace, environment, webhook_id, due_at_ms) WHERE claims > 0;

CREATE TABLE delivery_attempts (
  delivery_id text COLLATE "C" NOT NULL,
  epoch integer NOT NULL,
  at_ms bigint NOT NULL,
  took_ms bigint NOT NULL,
  url text COLLATE "C" NOT NULL,
  response_code integer,
  failure text COLLATE "C",
  error text COLLATE "C",
  manual boolean NOT NULL,
  PRIMARY KEY (delivery_id, epoch)
);
`;
