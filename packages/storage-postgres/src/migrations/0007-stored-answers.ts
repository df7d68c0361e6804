import type { Migration } from "../migrate.ts";

/**
 * A poll answers from rows: the output of a run and what its open review shows no longer have to be read from its journal.
 * Nodes of the version before leave both columns empty, and their runs are read from the journal.
 */
export const storedAnswers: Migration = {
  name: "stored answers",
  sql: `
-- Of a completed run with a long journal; it moves to archived_runs with the run.
ALTER TABLE runs ADD COLUMN output text COLLATE "C";
-- Of a review of a run with a long journal.
ALTER TABLE reviews ADD COLUMN shown text COLLATE "C";
`,
};
