/** Calls of functions behind private connections, and the clients that poll for these calls. */
export const invocationTables = `
-- lease_ends_at_ms applies to leased and acknowledged invocations. The last lease_token is kept in every later state.
CREATE TABLE invocations (
  invocation_id text COLLATE "C" PRIMARY KEY,
  -- The order of creation.
  invocation bigint GENERATED ALWAYS AS IDENTITY,
  run_id text COLLATE "C" NOT NULL,
  workspace text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  function_name text COLLATE "C" NOT NULL,
  idempotent boolean NOT NULL,
  effect_key text COLLATE "C" NOT NULL,
  -- Deleted when the invocation is settled, withdrawn or lapsed.
  payload text COLLATE "C",
  created_at_ms bigint NOT NULL,
  deadline_ms bigint NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'queued'
    CHECK (status IN ('queued', 'leased', 'acknowledged', 'lapsed', 'settled', 'withdrawn')),
  lease_token text COLLATE "C",
  lease_ends_at_ms bigint,
  -- The next automatic transition: lease or lapse. NULL: none.
  next text COLLATE "C" DEFAULT 'lease' CHECK (next IN ('lease', 'lapse')),
  UNIQUE (run_id, effect_key)
);
-- Invocations that are settled or can no longer be dispatched are in neither index.
CREATE INDEX invocations_to_lease
  ON invocations (workspace, environment, connection_id, function_name, lease_ends_at_ms, invocation)
  WHERE next = 'lease';
CREATE INDEX invocations_to_lapse ON invocations (workspace, lease_ends_at_ms, invocation) WHERE next = 'lapse';

CREATE TABLE connection_clients (
  workspace text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  manifest text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  version text COLLATE "C",
  last_seen_ms bigint NOT NULL,
  PRIMARY KEY (workspace, environment, connection_id, manifest, client_id)
);
`;
