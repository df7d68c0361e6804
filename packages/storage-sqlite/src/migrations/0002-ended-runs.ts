import type { Migration } from "../migrate.ts";

/** Checkpoints ask which runs have ended since the last one. */
export const endedRuns: Migration = {
  name: "ended runs by time",
  sql: "CREATE INDEX runs_ended ON runs (scope, ended_at_ms) WHERE ended_at_ms IS NOT NULL;",
};
