/**
 * The outbox, for the first migration, which names the schema as its search path.
 *
 * A delivery is claimed and settled by its id, and each index less is one write less at each of its steps.
 *
 * What the SQL says of claims held until migration 5 (`0005-claims-of-deliveries.ts`). Since then `sender_id` is always
 * null, the lease stands in the claim, and a claim rewrites a delivery's row only where it takes the delivery over.
 */
export const deliveryTables = `
-- The envelopes' data, once for all deliveries of an event: what is claimed and settled rewrites its own short row.
CREATE SEQUENCE payload_numbers;
CREATE TABLE payloads (
  payload bigint PRIMARY KEY DEFAULT nextval('payload_numbers'),
  data text COLLATE "C" NOT NULL
);

-- Waiting: neither sender_id nor ended. Claimed: sender_id, and due_at_ms is when the lease ends. Ended: no due_at_ms.
CREATE TABLE deliveries (
  delivery_id text COLLATE "C" PRIMARY KEY,
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
  status text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'delivered', 'failed')),
  attempt_count integer NOT NULL DEFAULT 0,
  -- Of the schedule; attempts that were cut off use none.
  places_used integer NOT NULL DEFAULT 0,
  due_at_ms bigint CHECK ((due_at_ms IS NOT NULL) = (status = 'pending')),
  sender_id text COLLATE "C" CHECK (sender_id IS NULL OR status = 'pending'),
  epoch integer NOT NULL DEFAULT 0,
  manual boolean NOT NULL DEFAULT false,
  resent_at_ms bigint,
  url text COLLATE "C",
  response_code integer,
  error text COLLATE "C",
  delivered_at_ms bigint
);
CREATE INDEX deliveries_by_time ON deliveries (workspace, environment, webhook_id, created_at_ms, delivery);
CREATE INDEX deliveries_waiting ON deliveries (workspace, environment, webhook_id, due_at_ms, delivery)
  WHERE status = 'pending' AND sender_id IS NULL;
CREATE INDEX deliveries_claimed ON deliveries (workspace, environment, webhook_id, due_at_ms, delivery)
  WHERE sender_id IS NOT NULL;

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
