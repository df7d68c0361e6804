import type { DatabaseSync } from "node:sqlite";
import { ProcedoError } from "@procedo/contract";

/**
 * The settings of every connection. In WAL mode, a commit survives a power failure only with `synchronous` FULL; some
 * builds of SQLite fall back to NORMAL when a WAL file is reopened. No busy timeout: it would block the event loop.
 */
export const connectionPragmas = { journal_mode: "wal", synchronous: 2, foreign_keys: 1, busy_timeout: 0 } as const;

/**
 * The WAL size in pages (16 MB) at which a commit copies the pages into the database. Many commits write the same
 * pages at the end of a table or an index. A longer WAL means that each page is copied fewer times, with fewer fsyncs.
 */
const checkpointPages = 4_000;

/** The size to which the WAL file shrinks after a large transaction. */
const journalSizeLimitBytes = 64 * 1024 * 1024;

/**
 * Sets the pragmas and reads them back.
 *
 * @throws ProcedoError `invalid_configuration` when the connection rejects one of them
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
