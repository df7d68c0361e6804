import type { DatabaseSync } from "node:sqlite";
import { ProcedoError } from "@procedo/contract";
import { readPragma } from "./connection.ts";

/** Migrates the schema to the next version. Its list position is its number. It never changes after a release. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}

/** The application id that marks the file as Procedo's: "Prcd". */
export const applicationId = 0x50726364;

/**
 * Migrates the database to the newest version in one transaction. After a crash, the previous version is in place.
 *
 * @throws ProcedoError `invalid_configuration` when the file belongs to another application or has a newer schema
 *   version, or when it has an older version and `apply` is false
 */
export function migrate(db: DatabaseSync, migrations: readonly Migration[], apply: boolean): void {
  if (versionOf(db, migrations) === migrations.length) return;
  if (!apply) {
    throw new ProcedoError(
      "invalid_configuration",
      `The database has schema version ${versionOf(db, migrations)}, but this program needs ${migrations.length}. ` +
        "Start the server once to migrate the database.",
    );
  }
  db.exec("BEGIN IMMEDIATE");
  try {
    // Reads the version again: another process may have migrated in the meantime.
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
      "The database file belongs to another application. Give Procedo a file of its own.",
    );
  }
  if (version > migrations.length) {
    throw new ProcedoError(
      "invalid_configuration",
      `The database has schema version ${version}, but this program knows only ${migrations.length}. ` +
        "Use the newer program that wrote it, or restore a backup from before the upgrade.",
    );
  }
  return owner === applicationId ? version : 0;
}
