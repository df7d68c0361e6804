import type { Migration } from "../migrate.ts";
import { budgetTables } from "./budget-tables.ts";
import { deliveryTables } from "./delivery-tables.ts";
import { invocationTables } from "./invocation-tables.ts";
import { managedTables } from "./managed-tables.ts";
import { reviewTables } from "./review-tables.ts";

/**
 * Runs, their journals and their queue.
 *
 * Rows refer to runs by id, because nodes share no memory that could map ids to numbers. Texts have the collation "C",
 * so that they are compared byte for byte, independent of the database's locale. No foreign keys refer to `runs`: their
 * checks would lock rows that the commit already holds.
 */
const runTables = `
-- Hot: worker_id is set. Parked: neither worker_id nor ended_at_ms is set. Ended: ended_at_ms is set.
-- Only a parked run has a wake_at_ms.
CREATE SEQUENCE run_numbers;
CREATE TABLE runs (
  run_id text COLLATE "C" PRIMARY KEY,
  -- The order of creation.
  run bigint NOT NULL DEFAULT nextval('run_numbers'),
  workspace text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL CHECK (environment IN ('sandbox', 'live')),
  procedure_id text COLLATE "C" NOT NULL,
  procedure_version text COLLATE "C" NOT NULL,
  started_by text COLLATE "C" NOT NULL,
  created_at_ms bigint NOT NULL,
  status text COLLATE "C" NOT NULL CHECK (status IN ('running', 'awaiting_review', 'completed', 'failed')),
  epoch integer NOT NULL,
  worker_id text COLLATE "C",
  wake_at_ms bigint,
  ended_at_ms bigint,
  -- If set, only this row and the stub in archived_runs are left.
  archived_at_ms bigint,
  error text COLLATE "C",
  reference text COLLATE "C",
  -- The number of unconsumed notifications. Stored here, because only the locked row is certainly current.
  unread integer NOT NULL DEFAULT 0,
  -- The output of a completed run with a long journal; archived_runs holds it after the run was archived.
  output text COLLATE "C"
);
CREATE INDEX runs_by_time ON runs (workspace, environment, created_at_ms, run);
CREATE INDEX runs_by_procedure ON runs (workspace, environment, procedure_id, created_at_ms, run);
CREATE INDEX runs_running ON runs (workspace, environment, created_at_ms, run) WHERE status = 'running';
CREATE INDEX runs_awaiting_review ON runs (workspace, environment, created_at_ms, run) WHERE status = 'awaiting_review';
CREATE INDEX runs_failed ON runs (workspace, environment, created_at_ms, run) WHERE status = 'failed';
-- In the order of searches. Empty while no procedure names a reference.
CREATE INDEX runs_by_reference ON runs (workspace, environment, reference, created_at_ms, run)
  WHERE reference IS NOT NULL;
-- The queue: parked runs by time, owned runs by worker.
CREATE INDEX runs_due ON runs (workspace, environment, wake_at_ms, run) WHERE wake_at_ms IS NOT NULL;
CREATE INDEX runs_held ON runs (worker_id, workspace, environment, run) WHERE worker_id IS NOT NULL;
-- Checkpoints read the runs that ended since the previous one; retention reads old ended runs that are not archived.
CREATE INDEX runs_ended ON runs (workspace, environment, ended_at_ms, run)
  WHERE ended_at_ms IS NOT NULL AND archived_at_ms IS NULL;

-- The primary key is the second check of the fence.
CREATE TABLE journal (
  run_id text COLLATE "C" NOT NULL,
  seq integer NOT NULL,
  hash text COLLATE "C" NOT NULL,
  -- JSON: the time of the row's first entry, and its entries.
  body text COLLATE "C" NOT NULL,
  PRIMARY KEY (run_id, seq)
);

-- The key is a digest of scope, procedure and idempotency key, because indexes cannot hold long texts.
CREATE TABLE idempotency (
  key text COLLATE "C" PRIMARY KEY,
  run_id text COLLATE "C" NOT NULL,
  digest text COLLATE "C" NOT NULL,
  expires_at_ms bigint NOT NULL
);
CREATE INDEX idempotency_by_expiry ON idempotency (expires_at_ms);

CREATE TABLE inbox (
  run_id text COLLATE "C" NOT NULL,
  effect_key text COLLATE "C" NOT NULL,
  -- The order of arrival: the sender of a notification holds the run's row.
  notification bigint GENERATED ALWAYS AS IDENTITY,
  body text COLLATE "C" NOT NULL,
  consumed boolean NOT NULL DEFAULT false,
  PRIMARY KEY (run_id, effect_key)
);

CREATE TABLE workers (
  worker_id text COLLATE "C" PRIMARY KEY,
  lease_ends_at_ms bigint NOT NULL
);

-- The stub of an archived run.
CREATE TABLE archived_runs (
  run_id text COLLATE "C" PRIMARY KEY,
  run bigint NOT NULL,
  workspace text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  ended_at_ms bigint NOT NULL,
  seq integer NOT NULL,
  hash text COLLATE "C" NOT NULL,
  audit_seq bigint NOT NULL,
  output text COLLATE "C"
);
CREATE INDEX archived_runs_by_end ON archived_runs (workspace, environment, ended_at_ms, run);
`;

export const firstSchema: Migration = {
  name: "first schema",
  sql: [runTables, reviewTables, deliveryTables, invocationTables, budgetTables, managedTables].join(""),
};
