/**
 * What is left of runs that ended long ago, and the ways to what goes with them, for the first migration, which names the
 * schema as its search path.
 */
export const archiveTables = `
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

CREATE INDEX deliveries_of_run ON deliveries (run_id) WHERE run_id IS NOT NULL;
CREATE INDEX deliveries_of_tests ON deliveries (workspace, environment, created_at_ms) WHERE run_id IS NULL;
CREATE INDEX idempotency_by_expiry ON idempotency (expires_at_ms);
`;
