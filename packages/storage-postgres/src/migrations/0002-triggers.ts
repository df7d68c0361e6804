import type { Migration } from "../migrate.ts";

/**
 * Incoming events, the gates of triggers, and their firings. `runs` has no new column: a program of the previous version
 * creates runs beside this one, and lists of runs stay as short as before.
 */
const triggerTables = `
-- One row per record of kind trigger, written and removed with it. Claims and schedules lock it.
CREATE TABLE trigger_gates (
  workspace text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL CHECK (environment IN ('sandbox', 'live')),
  trigger_id text COLLATE "C" NOT NULL,
  -- That of the record.
  revision integer NOT NULL,
  overlap text COLLATE "C" NOT NULL CHECK (overlap IN ('skip', 'queue_one', 'queue', 'allow')),
  max_open_runs integer,
  is_held boolean NOT NULL,
  -- NULL: the trigger has no schedule.
  accounted_at_ms bigint,
  due_at_ms bigint,
  -- The number of the last firing whose run was checked for its end: claims check open firings in turn.
  checked bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (workspace, environment, trigger_id)
);
CREATE INDEX trigger_gates_due ON trigger_gates (workspace, due_at_ms, trigger_id) WHERE due_at_ms IS NOT NULL;

CREATE SEQUENCE event_numbers;
CREATE TABLE events (
  event bigint PRIMARY KEY DEFAULT nextval('event_numbers'),
  workspace text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  -- That of its row in event_keys, while that row is about this event. NULL: its dedupe key is never compared.
  key text COLLATE "C",
  id text COLLATE "C" NOT NULL,
  type text COLLATE "C" NOT NULL,
  digest text COLLATE "C" NOT NULL,
  occurred_at_ms bigint,
  received_at_ms bigint NOT NULL,
  chain_depth integer NOT NULL,
  -- Of an event whose key another event has taken over.
  duplicates bigint NOT NULL DEFAULT 0,
  -- NULL after retention removed the content.
  body text COLLATE "C",
  headers text COLLATE "C"
);
CREATE INDEX events_by_time ON events (workspace, environment, received_at_ms);
CREATE INDEX events_with_content ON events (workspace, environment, received_at_ms) WHERE body IS NOT NULL;

-- The key is a digest of scope, source and dedupe key, because indexes cannot hold long texts. The number of duplicates is
-- here, because only the row that a conflict locks is certainly current.
CREATE TABLE event_keys (
  key text COLLATE "C" PRIMARY KEY,
  event bigint NOT NULL,
  known_until_ms bigint NOT NULL,
  duplicates bigint NOT NULL
);

-- The state after the last settlement. A pending or waiting firing also has a row in firing_queue.
CREATE TABLE firings (
  -- The order of creation.
  firing bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  workspace text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  firing_id text COLLATE "C" NOT NULL,
  trigger_id text COLLATE "C" NOT NULL,
  event bigint,
  requested_by text COLLATE "C",
  scheduled_at_ms bigint,
  received_at_ms bigint NOT NULL,
  refire_of text COLLATE "C",
  count bigint NOT NULL DEFAULT 1,
  status text COLLATE "C" NOT NULL DEFAULT 'pending'
    CHECK (status IN ('pending', 'waiting', 'started', 'skipped', 'failed')),
  reason text COLLATE "C",
  error text COLLATE "C",
  run_id text COLLATE "C",
  -- Whether it started a run that was not yet found ended.
  is_open boolean NOT NULL DEFAULT false,
  -- Lookups name the id alone as a column of an index: ids of different scopes are equal only by intent.
  UNIQUE (firing_id, workspace, environment)
);
CREATE INDEX firings_by_time ON firings (workspace, environment, trigger_id, received_at_ms, firing);
CREATE INDEX firings_with_outcome ON firings (workspace, environment, trigger_id, received_at_ms, firing)
  WHERE status IN ('started', 'failed');
CREATE INDEX firings_open ON firings (workspace, environment, trigger_id, firing) WHERE is_open;
CREATE INDEX firings_ended ON firings (workspace, environment, received_at_ms, firing)
  WHERE status IN ('started', 'skipped', 'failed');
CREATE INDEX firings_of_event ON firings (event) WHERE event IS NOT NULL;

-- Leased: a claim has moved due_at_ms to the end of its lease. Waiting: the trigger's gate held it back.
CREATE TABLE firing_queue (
  firing bigint PRIMARY KEY,
  workspace text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  trigger_id text COLLATE "C" NOT NULL,
  is_manual boolean NOT NULL,
  due_at_ms bigint NOT NULL,
  state text COLLATE "C" NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'waiting', 'leased')),
  -- The number of claims.
  epoch integer NOT NULL DEFAULT 0
);
CREATE INDEX firing_queue_of_trigger ON firing_queue (workspace, environment, trigger_id, is_manual, firing);
CREATE INDEX firing_queue_due ON firing_queue (workspace, due_at_ms);
CREATE INDEX firing_queue_pending ON firing_queue (workspace, environment, trigger_id, firing) WHERE state = 'pending';
CREATE INDEX firing_queue_leased ON firing_queue (workspace, environment, trigger_id, due_at_ms) WHERE state = 'leased';

-- What started a run, as its creator stated it. Kept as long as the run's row.
CREATE TABLE run_triggers (
  run_id text COLLATE "C" PRIMARY KEY,
  -- Those of the run.
  run bigint NOT NULL,
  created_at_ms bigint NOT NULL,
  workspace text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  trigger_id text COLLATE "C",
  body text COLLATE "C" NOT NULL
);
CREATE INDEX run_triggers_by_time ON run_triggers (workspace, environment, trigger_id, created_at_ms, run)
  WHERE trigger_id IS NOT NULL;
`;

export const triggers: Migration = { name: "triggers", sql: triggerTables };
