/** The outbox. A delivery is claimed and settled by its id. Each index adds a write to every step of a delivery. */
export const deliveryTables = `
-- The envelopes' data, once for all deliveries of an event: what is claimed and settled rewrites its own short row.
CREATE SEQUENCE payload_numbers;
CREATE TABLE payloads (
  payload bigint PRIMARY KEY DEFAULT nextval('payload_numbers'),
  data text COLLATE "C" NOT NULL
);

CREATE TABLE deliveries (
  delivery_id text COLLATE "C",
  delivery bigint GENERATED ALWAYS AS IDENTITY,
  workspace text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  -- NULL: a test.
  run_id text COLLATE "C",
  webhook_id text COLLATE "C" NOT NULL,
  event_id text COLLATE "C" NOT NULL,
  event text COLLATE "C" NOT NULL,
  created_at_ms bigint NOT NULL,
  payload bigint NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed', 'skipped')),
  -- Without an attempt that is under way.
  attempt_count integer NOT NULL DEFAULT 0,
  -- Of the schedule; attempts that were cut off use none.
  places_used integer NOT NULL DEFAULT 0,
  due_at_ms bigint CHECK ((due_at_ms IS NOT NULL) = (status = 'pending')),
  -- Of the last claim that has ended.
  epoch integer NOT NULL DEFAULT 0,
  manual boolean NOT NULL DEFAULT false,
  resent_at_ms bigint,
  url text COLLATE "C",
  response_code integer,
  error text COLLATE "C",
  delivered_at_ms bigint,
  -- Set: the last attempt was accepted and stands here instead of in delivery_attempts, under the row's epoch.
  accepted_took_ms bigint,
  accepted_manual boolean,
  CONSTRAINT deliveries_pkey PRIMARY KEY (delivery_id) WITH (deduplicate_items = off)
);
-- A delivery is written twice, and each version has its entry in these two, which grow at their end: pages leave room for it.
CREATE INDEX deliveries_by_time ON deliveries (workspace, environment, webhook_id, created_at_ms, delivery)
  WITH (fillfactor = 45, deduplicate_items = off);
CREATE INDEX deliveries_of_run ON deliveries (run_id) WITH (fillfactor = 45, deduplicate_items = off)
  WHERE run_id IS NOT NULL;
CREATE INDEX deliveries_of_tests ON deliveries (workspace, environment, created_at_ms) WHERE run_id IS NULL;
-- By another condition than the status that settlements ask for, so that only the statements of the queue use it.
CREATE INDEX deliveries_waiting ON deliveries (workspace, environment, webhook_id, due_at_ms, delivery)
  WHERE due_at_ms IS NOT NULL;

-- Who has claimed which deliveries: a row holds many of one webhook, and a settlement takes out the settled ones.
CREATE TABLE delivery_claims (
  workspace text COLLATE "C" NOT NULL,
  claim bigint GENERATED ALWAYS AS IDENTITY,
  environment text COLLATE "C" NOT NULL,
  webhook_id text COLLATE "C" NOT NULL,
  sender_id text COLLATE "C" NOT NULL,
  lease_ends_at_ms bigint NOT NULL,
  -- Numbers of those that are claimed and not settled; never empty.
  deliveries bigint[] NOT NULL CHECK (cardinality(deliveries) > 0),
  PRIMARY KEY (workspace, claim)
);

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
