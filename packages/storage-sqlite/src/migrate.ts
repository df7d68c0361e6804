import type { DatabaseSync } from "node:sqlite";
import { ProcedoError } from "@procedo/contract";
import { readPragma } from "./connection.ts";

/** Brings the schema from one version to the next; its place in the list is its number. Never changed once released. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** Marks the file as ours: "Prcd". */
export const applicationId = 0x50726364;

/**
 * Brings the database to the newest version, in one transaction; a crash within leaves the version that was there.
 *
 * @throws ProcedoError `invalid_configuration` when the file belongs to another application or to a newer version, or
 * is behind and `apply` is false
 */
export function migrate(db: DatabaseSync, migrations: readonly Migration[], apply: boolean): void {
  if (versionOf(db, migrations) === migrations.length) return;
  if (!apply) {
    throw new ProcedoError(
      "invalid_configuration",
      `The database has schema version ${versionOf(db, migrations)}, this program needs ${migrations.length}; ` +
        "start the server once, it brings the database up to date.",
    );
  }
  db.exec("BEGIN IMMEDIATE");
  try {
    // Read again: another process may have been faster.
    for (const { sql } of migrations.slice(versionOf(db, migrations))) db.exec(sql);
    db.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${migrations.length}`);
    db.exec("COMMIT");
  } catch (error) {
    if (db.isTransaction) db.exec("ROLLBACK");
    throw error;
  }
}

function versionOf(db: DatabaseSync, migrations: readonly Migration[]): number {
  const owner = readPragma(db, "application_id");
  const version = Number(readPragma(db, "user_version"));
  const empty = db.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").get() === undefined;
  if (owner !== applicationId && !(owner === 0 && empty)) {
    throw new ProcedoError(
      "invalid_configuration",
      "The database file belongs to another application; give Procedo a file of its own.",
    );
  }
  if (version > migrations.length) {
    throw new ProcedoError(
      "invalid_configuration",
      `The database has schema version ${version}, this program knows ${migrations.length}; ` +
        "use the newer program that wrote it, or restore a backup from before the upgrade.",
    );
  }
  return owner === applicationId ? version : 0;
}
