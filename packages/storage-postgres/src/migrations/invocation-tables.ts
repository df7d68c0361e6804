/** Calls of functions behind private connections, and the clients that poll for them. */
export const invocationTables = `
-- Leased or acknowledged: lease_ends_at_ms is when that ends. The last lease_token stays, whatever becomes of it.
CREATE TABLE invocations (
  invocation_id text COLLATE "C" PRIMARY KEY,
  -- Order of creation.
  invocation bigint GENERATED ALWAYS AS IDENTITY,
  run_id text COLLATE "C" NOT NULL,
  workspace text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  function_name text COLLATE "C" NOT NULL,
  idempotent boolean NOT NULL,
  effect_key text COLLATE "C" NOT NULL,
  -- Gone once nobody may be given it.
  payload text COLLATE "C",
  created_at_ms bigint NOT NULL,
  deadline_ms bigint NOT NULL,
  status text COLLATE "C" NOT NULL DEFAULT 'queued'
    CHECK (status IN ('queued', 'leased', 'acknowledged', 'lapsed', 'settled', 'withdrawn')),
  lease_token text COLLATE "C",
  lease_ends_at_ms bigint,
  -- What becomes of it without anybody's doing: it is handed out, or it lapses. NULL: nothing.
  next text COLLATE "C" DEFAULT 'hand_out' CHECK (next IN ('hand_out', 'lapse')),
  UNIQUE (run_id, effect_key)
);
-- What is settled, or can be handed out no more, is in neither.
CREATE INDEX invocations_to_hand_out
  ON invocations (workspace, environment, connection_id, function_name, lease_ends_at_ms, invocation)
  WHERE next = 'hand_out';
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
