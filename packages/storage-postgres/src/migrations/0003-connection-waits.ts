import type { Migration } from "../migrate.ts";

/** The runs that wait for a connection, in a table of their own: a program of the previous version writes runs beside it. */
const connectionWaitTables = `
-- A run waits while the row with this number is its last one.
CREATE TABLE connection_waits (
  run_id text COLLATE "C" PRIMARY KEY,
  workspace text COLLATE "C" NOT NULL,
  environment text COLLATE "C" NOT NULL,
  connection_id text COLLATE "C" NOT NULL,
  seq integer NOT NULL
);
CREATE INDEX connection_waits_of ON connection_waits (workspace, environment, connection_id, run_id);
`;

export const connectionWaits: Migration = { name: "connection-waits", sql: connectionWaitTables };
