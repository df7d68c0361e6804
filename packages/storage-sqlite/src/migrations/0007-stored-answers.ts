import type { Migration } from "../migrate.ts";

/**
 * A poll answers from rows: the output of a run and what its open review shows no longer have to be read from its journal.
 * Both columns stand last in their tables, so that lists leave the pages of long texts alone.
 */
export const storedAnswers: Migration = {
  name: "stored answers",
  sql: `
-- Of a completed run with a long journal; it moves to archived_runs with the run.
ALTER TABLE runs ADD COLUMN output TEXT;
-- Of a review of a run with a long journal.
ALTER TABLE reviews ADD COLUMN shown TEXT;
`,
};
