import type { Migration } from "../migrate.ts";

/** A table of its own: few runs ever wait for a connection, and the rows of the others stay as short as they were. */
export const connectionWaits: Migration = {
  name: "connection-waits",
  sql: `
-- A run waits while the row with this number is its last one.
CREATE TABLE connection_waits (
  run INTEGER PRIMARY KEY REFERENCES runs,
  scope INTEGER NOT NULL REFERENCES scopes,
  connection_id TEXT NOT NULL,
  seq INTEGER NOT NULL
);
CREATE INDEX connection_waits_of ON connection_waits (scope, connection_id, run);
`,
};
