import type { Migration } from "../migrate.ts";

/** Only new tables: rows of runs without a trigger stay as short as they were. */
export const triggers: Migration = {
  name: "triggers",
  sql: `
-- The part of a trigger's record that the queue needs.
CREATE TABLE trigger_gates (
  record INTEGER PRIMARY KEY REFERENCES records ON DELETE CASCADE,
  scope INTEGER NOT NULL REFERENCES scopes,
  trigger_id TEXT NOT NULL,
  overlap TEXT NOT NULL CHECK (overlap IN ('skip', 'queue_one', 'queue', 'allow')),
  max_open_runs INTEGER,
  is_held INTEGER NOT NULL,
  -- NULL: the trigger has no schedule.
  accounted_at_ms INTEGER,
  -- NULL: the schedule is paused or over.
  due_at_ms INTEGER,
  UNIQUE (scope, trigger_id)
);
CREATE INDEX trigger_gates_due ON trigger_gates (scope, due_at_ms) WHERE due_at_ms IS NOT NULL;

CREATE TABLE events (
  event INTEGER PRIMARY KEY,
  scope INTEGER NOT NULL REFERENCES scopes,
  source TEXT NOT NULL,
  -- NULL: no later event is compared with this one.
  dedupe_key TEXT,
  known_until_ms INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  digest TEXT NOT NULL,
  received_at_ms INTEGER NOT NULL,
  chain_depth INTEGER NOT NULL,
  duplicates INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX events_known ON events (scope, source, dedupe_key) WHERE dedupe_key IS NOT NULL;
CREATE INDEX events_by_time ON events (scope, received_at_ms);

-- Deleted earlier than the event.
CREATE TABLE event_contents (
  event INTEGER PRIMARY KEY REFERENCES events,
  scope INTEGER NOT NULL REFERENCES scopes,
  received_at_ms INTEGER NOT NULL,
  body TEXT NOT NULL,
  headers TEXT
);
CREATE INDEX event_contents_by_time ON event_contents (scope, received_at_ms);

-- A pending or waiting firing also has a row in firing_queue, and has the status pending here.
CREATE TABLE firings (
  firing INTEGER PRIMARY KEY,
  firing_id TEXT NOT NULL,
  scope INTEGER NOT NULL REFERENCES scopes,
  trigger_id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'started', 'skipped', 'failed')),
  reason TEXT,
  error TEXT,
  count INTEGER NOT NULL,
  requested_by TEXT,
  scheduled_at_ms INTEGER,
  occurred_at_ms INTEGER,
  received_at_ms INTEGER NOT NULL,
  refire_of TEXT,
  event INTEGER REFERENCES events,
  run INTEGER REFERENCES runs,
  -- Whether the run may still be open. A claim that counts the open runs of the trigger clears it.
  may_be_open INTEGER NOT NULL DEFAULT 0,
  UNIQUE (scope, firing_id)
);
CREATE INDEX firings_by_time ON firings (scope, trigger_id, received_at_ms);
CREATE INDEX firings_of_scope ON firings (scope, received_at_ms);
CREATE INDEX firings_of_event ON firings (event) WHERE event IS NOT NULL;
CREATE INDEX firings_open ON firings (scope, trigger_id) WHERE may_be_open = 1;
-- For counting failures in a row.
CREATE INDEX firings_with_result ON firings (scope, trigger_id) WHERE status IN ('started', 'failed');

-- A claim moves due_at_ms to the end of its lease.
CREATE TABLE firing_queue (
  firing INTEGER PRIMARY KEY REFERENCES firings,
  scope INTEGER NOT NULL REFERENCES scopes,
  trigger_id TEXT NOT NULL,
  due_at_ms INTEGER NOT NULL,
  epoch INTEGER NOT NULL DEFAULT 0,
  is_claimed INTEGER NOT NULL DEFAULT 0,
  -- Its gate holds it back.
  is_waiting INTEGER NOT NULL DEFAULT 0,
  -- A person asked for it.
  is_requested INTEGER NOT NULL
);
-- The firings of a trigger in the order of their creation, and by time.
CREATE INDEX firing_queue_in_order ON firing_queue (scope, trigger_id);
CREATE INDEX firing_queue_due ON firing_queue (scope, trigger_id, due_at_ms);
CREATE INDEX firing_queue_claimed ON firing_queue (scope, trigger_id, due_at_ms) WHERE is_claimed = 1;
CREATE INDEX firing_queue_requested ON firing_queue (scope, trigger_id) WHERE is_requested = 1;
-- A gate that stays closed does not read the firings that wait behind it.
CREATE INDEX firing_queue_not_waiting ON firing_queue (scope, trigger_id) WHERE is_waiting = 0;

-- What started a run, if a trigger or a person of the workspace did. Kept with the run's row when it is archived.
CREATE TABLE run_triggers (
  run INTEGER PRIMARY KEY REFERENCES runs,
  run_scope INTEGER NOT NULL REFERENCES scopes,
  trigger_id TEXT,
  started_at_ms INTEGER NOT NULL,
  body TEXT NOT NULL
);
CREATE INDEX run_triggers_by_time ON run_triggers (run_scope, trigger_id, started_at_ms) WHERE trigger_id IS NOT NULL;
`,
};
