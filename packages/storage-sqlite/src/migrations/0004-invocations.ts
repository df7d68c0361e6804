import type { Migration } from "../migrate.ts";

/** Calls of functions behind private connections, and the clients that ask for them. */
export const invocations: Migration = {
  name: "invocations",
  sql: `
-- Leased or acknowledged: lease_ends_at_ms is when that ends. The last lease_token stays, whatever becomes of it.
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
  -- What becomes of it without anybody's doing: it is handed out, or it lapses. NULL: nothing.
  next TEXT DEFAULT 'hand_out' CHECK (next IN ('hand_out', 'lapse')),
  UNIQUE (run, effect_key)
);
-- What is settled, or can be handed out no more, is in neither.
CREATE INDEX invocations_to_hand_out ON invocations (scope, connection_id, function_name, lease_ends_at_ms)
  WHERE next = 'hand_out';
CREATE INDEX invocations_to_lapse ON invocations (scope, lease_ends_at_ms) WHERE next = 'lapse';

-- Apart, so that a heartbeat rewrites a short row. Gone once nobody may be given it.
CREATE TABLE invocation_payloads (
  invocation INTEGER PRIMARY KEY REFERENCES invocations ON DELETE CASCADE,
  payload TEXT NOT NULL
);

CREATE TABLE connection_clients (
  scope INTEGER NOT NULL REFERENCES scopes,
  connection_id TEXT NOT NULL,
  manifest TEXT NOT NULL,
  client_id TEXT NOT NULL,
  version TEXT,
  last_seen_ms INTEGER NOT NULL,
  PRIMARY KEY (scope, connection_id, manifest, client_id)
);
`,
};
