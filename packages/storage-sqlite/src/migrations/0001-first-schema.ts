import type { Migration } from "../migrate.ts";

/**
 * Rows refer to runs and scopes by number: a text id of 36 characters in each journal row and index would take a tenth
 * of the file. All tables have rowids: `WITHOUT ROWID` was 43 % slower with bodies of this size.
 */
export const firstSchema: Migration = {
  name: "first schema",
  sql: `
CREATE TABLE scopes (
  scope INTEGER PRIMARY KEY,
  workspace TEXT NOT NULL,
  environment TEXT NOT NULL CHECK (environment IN ('sandbox', 'live')),
  UNIQUE (workspace, environment)
);

-- Hot: worker_id is set. Parked: neither worker_id nor ended_at_ms is set. Ended: ended_at_ms is set.
CREATE TABLE runs (
  run INTEGER PRIMARY KEY,
  run_id TEXT NOT NULL UNIQUE,
  scope INTEGER NOT NULL REFERENCES scopes,
  procedure_id TEXT NOT NULL,
  procedure_version TEXT NOT NULL,
  started_by TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('running', 'awaiting_review', 'completed', 'failed')),
  epoch INTEGER NOT NULL,
  worker_id TEXT,
  wake_at_ms INTEGER,
  ended_at_ms INTEGER,
  error TEXT,
  -- If set, only this row and the stub in archived_runs are left.
  archived_at_ms INTEGER,
  reference TEXT,
  -- The output of a completed run with a long journal; archived_runs holds it after the run was archived.
  -- The last column, so that lists skip the pages of long texts.
  output TEXT
);
CREATE INDEX runs_by_time ON runs (scope, created_at_ms);
CREATE INDEX runs_by_procedure ON runs (scope, procedure_id, created_at_ms);
CREATE INDEX runs_awaiting_review ON runs (scope, created_at_ms) WHERE status = 'awaiting_review';
CREATE INDEX runs_failed ON runs (scope, created_at_ms) WHERE status = 'failed';
-- In the order of searches. Empty while no procedure names a reference.
CREATE INDEX runs_by_reference ON runs (scope, reference, created_at_ms) WHERE reference IS NOT NULL;
-- The queue of each scope: owned runs by worker, parked runs by time.
CREATE INDEX runs_open ON runs (scope, worker_id, wake_at_ms) WHERE ended_at_ms IS NULL;
-- Checkpoints read the runs that ended since the previous checkpoint. Each ended run is in one of the two indexes.
CREATE INDEX runs_ended ON runs (scope, ended_at_ms) WHERE ended_at_ms IS NOT NULL AND archived_at_ms IS NULL;
CREATE INDEX runs_archived ON runs (scope, ended_at_ms) WHERE archived_at_ms IS NOT NULL;

-- The stub of an archived run.
CREATE TABLE archived_runs (
  run INTEGER PRIMARY KEY REFERENCES runs,
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  audit_seq INTEGER NOT NULL,
  output TEXT
);

-- The primary key is the fence. No foreign key: an insert selects its run.
CREATE TABLE journal (
  run INTEGER NOT NULL,
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (run, seq)
);

CREATE TABLE idempotency (
  scope INTEGER NOT NULL REFERENCES scopes,
  procedure_id TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  run INTEGER NOT NULL REFERENCES runs,
  digest TEXT NOT NULL,
  expires_at_ms INTEGER NOT NULL,
  PRIMARY KEY (scope, procedure_id, idempotency_key)
);

CREATE TABLE inbox (
  notification INTEGER PRIMARY KEY,
  run INTEGER NOT NULL REFERENCES runs,
  effect_key TEXT NOT NULL,
  body TEXT NOT NULL,
  consumed INTEGER NOT NULL DEFAULT 0,
  UNIQUE (run, effect_key)
);

CREATE TABLE reviews (
  review INTEGER PRIMARY KEY,
  review_id TEXT NOT NULL UNIQUE,
  run INTEGER NOT NULL REFERENCES runs,
  scope INTEGER NOT NULL REFERENCES scopes,
  procedure_id TEXT NOT NULL,
  node_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  digest TEXT NOT NULL,
  effect_key TEXT NOT NULL,
  opened_at_ms INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('open', 'approved', 'rejected', 'expired', 'settled', 'cancelled')),
  closed_at_ms INTEGER,
  -- NULL: the review does not expire.
  expires_at_ms INTEGER,
  -- That of the run.
  reference TEXT,
  -- The content for polls of the review, if its run has a long journal. The last column, like the output of a run.
  shown TEXT
);
CREATE INDEX reviews_by_time ON reviews (scope, opened_at_ms);
CREATE INDEX reviews_open ON reviews (scope, opened_at_ms) WHERE status = 'open';
-- Most reviews do not expire.
CREATE INDEX reviews_expiring ON reviews (scope, expires_at_ms, opened_at_ms)
  WHERE status = 'open' AND expires_at_ms IS NOT NULL;
CREATE INDEX reviews_by_reference ON reviews (scope, reference, opened_at_ms) WHERE reference IS NOT NULL;
CREATE INDEX reviews_of_run ON reviews (run);
CREATE UNIQUE INDEX one_open_review_of_run ON reviews (run) WHERE status = 'open';

-- One decision per person and review; one decision per idempotency key of an environment.
CREATE TABLE decisions (
  decision INTEGER PRIMARY KEY,
  decision_id TEXT NOT NULL,
  review INTEGER NOT NULL REFERENCES reviews,
  person TEXT NOT NULL,
  scope INTEGER NOT NULL REFERENCES scopes,
  idempotency_key TEXT NOT NULL,
  body TEXT NOT NULL,
  decided_at_ms INTEGER NOT NULL,
  UNIQUE (review, person),
  UNIQUE (scope, idempotency_key)
);

CREATE TABLE workers (
  worker_id TEXT PRIMARY KEY,
  lease_ends_at_ms INTEGER NOT NULL
);

-- The data of the envelopes, once for all deliveries of an event. Claims and settlements rewrite only short rows.
CREATE TABLE payloads (
  payload INTEGER PRIMARY KEY,
  data TEXT NOT NULL
);

-- The state after the last settlement. A pending delivery also has a row in delivery_queue.
CREATE TABLE deliveries (
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
  -- The used positions of the retry schedule; interrupted attempts use none.
  places_used INTEGER NOT NULL DEFAULT 0,
  epoch INTEGER NOT NULL DEFAULT 0,
  manual INTEGER NOT NULL DEFAULT 0,
  resent_at_ms INTEGER,
  url TEXT,
  response_code INTEGER,
  error TEXT,
  delivered_at_ms INTEGER
);
CREATE INDEX deliveries_by_time ON deliveries (scope, webhook_id, created_at_ms);
-- For finding the deliveries of a run, and for SQLite's check that no delivery refers to a deleted payload.
CREATE INDEX deliveries_of_run ON deliveries (run);
CREATE INDEX deliveries_of_payload ON deliveries (payload);

-- A claim moves due_at_ms to the end of its lease.
CREATE TABLE delivery_queue (
  delivery INTEGER PRIMARY KEY REFERENCES deliveries,
  scope INTEGER NOT NULL REFERENCES scopes,
  webhook_id TEXT NOT NULL,
  due_at_ms INTEGER NOT NULL,
  -- The number of claims since the last settlement. With 0, the delivery is waiting.
  claims INTEGER NOT NULL
);
CREATE INDEX delivery_queue_due ON delivery_queue (scope, webhook_id, due_at_ms);
CREATE INDEX delivery_queue_claimed ON delivery_queue (scope, webhook_id, due_at_ms) WHERE claims > 0;

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

-- lease_ends_at_ms applies to leased and acknowledged invocations. The last lease_token is kept in every later state.
CREATE TABLE invocations (
  invocation INTEGER PRIMARY KEY,
  invocation_id TEXT NOT NULL UNIQUE,
  scope INTEGER NOT NULL REFERENCES scopes,
  run INTEGER NOT NULL REFERENCES runs,
  connection_id TEXT NOT NULL,
  function_name TEXT NOT NULL,
  idempotent INTEGER NOT NULL,
  effect_key TEXT NOT NULL,
  created_at_ms INTEGER NOT NULL,
  deadline_ms INTEGER NOT NULL,
  status TEXT NOT NULL DEFAULT 'queued'
    CHECK (status IN ('queued', 'leased', 'acknowledged', 'lapsed', 'settled', 'withdrawn')),
  lease_token TEXT,
  lease_ends_at_ms INTEGER,
  -- The next automatic transition: lease or lapse. NULL: none.
  next TEXT DEFAULT 'lease' CHECK (next IN ('lease', 'lapse')),
  -- Deleted when the invocation is settled, withdrawn or lapsed.
  payload TEXT,
  UNIQUE (run, effect_key)
);
-- Invocations that are settled or can no longer be dispatched are in neither index.
CREATE INDEX invocations_to_lease ON invocations (scope, connection_id, function_name, lease_ends_at_ms)
  WHERE next = 'lease';
CREATE INDEX invocations_to_lapse ON invocations (scope, lease_ends_at_ms) WHERE next = 'lapse';

CREATE TABLE connection_clients (
  scope INTEGER NOT NULL REFERENCES scopes,
  connection_id TEXT NOT NULL,
  manifest TEXT NOT NULL,
  client_id TEXT NOT NULL,
  version TEXT,
  last_seen_ms INTEGER NOT NULL,
  PRIMARY KEY (scope, connection_id, manifest, client_id)
);

CREATE TABLE budgets (
  budget INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL REFERENCES scopes,
  name TEXT NOT NULL,
  -- A safe integer of JavaScript.
  taken INTEGER NOT NULL CHECK (taken BETWEEN 0 AND 9007199254740991),
  -- The number of rows in the table below that name this budget.
  reservations INTEGER NOT NULL CHECK (reservations >= 0),
  reserved_at_ms INTEGER NOT NULL,
  UNIQUE (scope, name)
);
CREATE INDEX budgets_unused ON budgets (scope, reserved_at_ms) WHERE reservations = 0;

CREATE TABLE reservations (
  reservation INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL REFERENCES scopes,
  reservation_key TEXT NOT NULL,
  run INTEGER NOT NULL REFERENCES runs,
  -- The reserved amounts by budget, and the spent amounts once they are known; as JSON.
  amounts TEXT NOT NULL,
  spent TEXT,
  UNIQUE (scope, reservation_key)
);
CREATE INDEX reservations_of_run ON reservations (run);

CREATE TABLE procedures (
  procedure INTEGER PRIMARY KEY,
  workspace TEXT NOT NULL,
  procedure_id TEXT NOT NULL,
  name TEXT NOT NULL,
  UNIQUE (workspace, procedure_id)
);

CREATE TABLE versions (
  number INTEGER PRIMARY KEY,
  procedure INTEGER NOT NULL REFERENCES procedures,
  version TEXT NOT NULL,
  name TEXT NOT NULL,
  document TEXT NOT NULL,
  published_by TEXT NOT NULL,
  published_at_ms INTEGER NOT NULL,
  -- The revision of the draft that was published. NULL for a version of a given document.
  draft_revision INTEGER,
  UNIQUE (procedure, version)
);
CREATE INDEX versions_by_number ON versions (procedure);

CREATE TABLE default_versions (
  procedure INTEGER NOT NULL,
  environment TEXT NOT NULL CHECK (environment IN ('sandbox', 'live')),
  version TEXT NOT NULL,
  PRIMARY KEY (procedure, environment),
  FOREIGN KEY (procedure, version) REFERENCES versions (procedure, version)
);

CREATE TABLE records (
  record INTEGER PRIMARY KEY,
  workspace TEXT NOT NULL,
  kind TEXT NOT NULL,
  id TEXT NOT NULL,
  environment TEXT CHECK (environment IN ('sandbox', 'live')),
  body TEXT NOT NULL,
  revision INTEGER NOT NULL,
  UNIQUE (workspace, kind, id)
);
CREATE INDEX records_of_environment ON records (workspace, kind, environment, id) WHERE environment IS NOT NULL;

-- Webhooks without an accepted attempt since their first failed attempt.
CREATE TABLE failing_webhooks (
  record INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
  since_ms INTEGER NOT NULL
);

-- The latest use of an API key. Apart from the records, so that a use rewrites no record.
CREATE TABLE record_uses (
  record INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
  used_at_ms INTEGER NOT NULL,
  address TEXT
);

CREATE TABLE record_unique_keys (
  kind TEXT NOT NULL,
  unique_key TEXT NOT NULL,
  record INTEGER NOT NULL REFERENCES records ON DELETE CASCADE,
  PRIMARY KEY (kind, unique_key)
);
CREATE INDEX record_unique_keys_of_record ON record_unique_keys (record);

CREATE TABLE record_keys (
  kind TEXT NOT NULL,
  record_key TEXT NOT NULL,
  record INTEGER NOT NULL REFERENCES records ON DELETE CASCADE,
  PRIMARY KEY (kind, record_key, record)
);
CREATE INDEX record_keys_of_record ON record_keys (record);

-- A session ends at the earlier of its two ends. The token itself is not stored.
CREATE TABLE sessions (
  session INTEGER PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE,
  workspace TEXT NOT NULL,
  person_id TEXT NOT NULL,
  session_id TEXT NOT NULL UNIQUE,
  created_at_ms INTEGER NOT NULL,
  seen_at_ms INTEGER NOT NULL,
  idle_ends_at_ms INTEGER NOT NULL,
  ends_at_ms INTEGER NOT NULL,
  user_agent TEXT,
  address TEXT
);
CREATE INDEX sessions_of_person ON sessions (workspace, person_id, created_at_ms);
CREATE INDEX sessions_by_end ON sessions (min(idle_ends_at_ms, ends_at_ms));

-- Failed sign-ins since the last one that succeeded. The key is a digest of workspace and e-mail.
CREATE TABLE sign_in_failures (
  failure INTEGER PRIMARY KEY,
  failure_key TEXT NOT NULL UNIQUE,
  count INTEGER NOT NULL,
  last_at_ms INTEGER NOT NULL
);
CREATE INDEX sign_in_failures_by_time ON sign_in_failures (last_at_ms);

CREATE TABLE audit (
  workspace TEXT NOT NULL,
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (workspace, seq)
);
`,
};
