import type { Migration } from "../migrate.ts";

/** Runs that ended long ago leave storage but for a stub, and are in nobody's way: not in the queue's, nor the archive's. */
export const archivedRuns: Migration = {
  name: "archived runs",
  sql: `
ALTER TABLE runs ADD COLUMN archived_at_ms INTEGER;

-- What is left of a run beside its row.
CREATE TABLE archived_runs (
  run INTEGER PRIMARY KEY REFERENCES runs,
  seq INTEGER NOT NULL,
  hash TEXT NOT NULL,
  audit_seq INTEGER NOT NULL,
  output TEXT
);

-- Each ended run is in one of the two, so that an end costs as much as before.
DROP INDEX runs_ended;
CREATE INDEX runs_ended ON runs (scope, ended_at_ms) WHERE ended_at_ms IS NOT NULL AND archived_at_ms IS NULL;
CREATE INDEX runs_archived ON runs (scope, ended_at_ms) WHERE archived_at_ms IS NOT NULL;

-- To find a run's deliveries, and for SQLite to see that no delivery refers to a payload that goes.
CREATE INDEX deliveries_of_run ON deliveries (run);
CREATE INDEX deliveries_of_payload ON deliveries (payload);
`,
};
