import type { DatabaseSync } from "node:sqlite";
import { ProcedoError } from "@procedo/contract";

/**
 * What every connection runs with. FULL: in WAL mode a commit survives a power failure only then, and builds of SQLite
 * exist that fall back to NORMAL when a WAL file is opened again. No busy timeout: it would block the event loop.
 */
export const connectionPragmas = { journal_mode: "wal", synchronous: 2, foreign_keys: 1, busy_timeout: 0 } as const;

/**
 * Pages in the WAL file from which on a commit copies them into the database: 16 MB. Most pages at the end of a table or
 * index are written by many commits; the longer the WAL, the fewer times each is copied, and the fewer fsyncs there are.
 */
const checkpointPages = 4_000;

/** After a large transaction the WAL file shrinks to this size again. */
const journalSizeLimitBytes = 64 * 1024 * 1024;

/**
 * Sets the pragmas and reads them back.
 *
 * @throws ProcedoError `invalid_configuration` when the connection does not take one of them
 */
export function prepareConnection(db: DatabaseSync): void {
  for (const [name, value] of Object.entries(connectionPragmas)) db.exec(`PRAGMA ${name} = ${value}`);
  db.exec(`PRAGMA journal_size_limit = ${journalSizeLimitBytes}; PRAGMA wal_autocheckpoint = ${checkpointPages}`);
  for (const [name, value] of Object.entries(connectionPragmas)) {
    const actual = readPragma(db, name);
    if (actual !== value) {
      throw new ProcedoError(
        "invalid_configuration",
        `SQLite runs with ${name} = ${String(actual)} where Procedo needs ${value}; ` +
          "use an ordinary database file on a local disk (in memory: createMemoryStorage of @procedo/storage).",
      );
    }
  }
}

/** The value of a pragma on this connection. */
export function readPragma(db: DatabaseSync, name: string): unknown {
  return Object.values(db.prepare(`PRAGMA ${name}`).get() ?? {})[0];
}
