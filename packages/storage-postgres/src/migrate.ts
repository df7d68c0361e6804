import { ProcedoError } from "@procedo/contract";
import type { Connection, Connections } from "./connections.ts";
import { procedoErrorOf } from "./postgres-error.ts";
import type { Statement } from "./statement.ts";

/** Migrates the schema to the next version. Its list position is its number. It never changes after a release. */
export interface Migration {
  readonly name: string;
  /** Names tables without their schema. */
  readonly sql: string;
}

/**
 * The time limit of a migration, which may change large tables. Nodes that start together wait for the migrating node.
 */
const longestMigrationMs = 10 * 60_000;
/** The limit of a wait for a table lock. A longer wait would block every other transaction on the table. */
const longestLockWaitMs = 2_000;

/**
 * Migrates the database to the newest version, in one transaction under a lock. If many nodes start together, one of
 * them migrates.
 *
 * @param schema quoted
 * @throws ProcedoError `invalid_configuration` when the schema belongs to another application or has a newer version, or
 *   when it has an older version and `apply` is false; `storage_unavailable` when the database is unavailable, or when
 *   another transaction held a table for too long
 */
export async function migrate(
  connections: Connections,
  schema: string,
  migrations: readonly Migration[],
  apply: boolean,
): Promise<void> {
  const endsAt = performance.now() + longestMigrationMs;
  const catalogue = catalogueOf(schema);
  try {
    await connections.use(endsAt, async (connection) => {
      const version = await versionOf(connection, catalogue, schema, migrations);
      if (version === migrations.length) return;
      if (!apply) throw behind(version, migrations.length);
      await bringUpToDate(connection, catalogue, schema, migrations);
    });
  } catch (error) {
    throw procedoErrorOf(error);
  }
}

async function bringUpToDate(
  connection: Connection,
  catalogue: Catalogue,
  schema: string,
  migrations: readonly Migration[],
): Promise<void> {
  await connection.execute(
    `BEGIN; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = ${longestMigrationMs}`,
  );
  try {
    await connection.query(catalogue.lock, [`procedo/${schema}`]);
    await connection.execute(`SET LOCAL lock_timeout = ${longestLockWaitMs}; SET LOCAL search_path = ${schema}`);
    // Checked first: a role without the privilege to create schemas can use an existing one.
    const [missing] = await connection.query(catalogue.missing, [schema]);
    if (missing !== undefined) await connection.execute(`CREATE SCHEMA ${schema}`);
    // Reads the version again: another node may have migrated in the meantime.
    const version = await versionOf(connection, catalogue, schema, migrations);
    if (version === 0) await connection.execute(catalogue.create);
    for (const [index, { name, sql }] of migrations.entries()) {
      if (index < version) continue;
      await connection.execute(sql);
      await connection.query(catalogue.insert, [index + 1, name]);
    }
    await connection.execute("COMMIT");
  } catch (error) {
    await connection.rollBack();
    throw error;
  }
}

interface Catalogue {
  readonly lock: Statement;
  readonly missing: Statement;
  readonly exists: Statement;
  readonly read: Statement;
  readonly create: string;
  readonly insert: Statement;
}

function catalogueOf(schema: string): Catalogue {
  const table = `${schema}.procedo_migrations`;
  return {
    lock: { name: "migrate-lock", text: "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))" },
    // Reads the catalog table: to_regnamespace may use a cache that misses schemas from before the lock was acquired.
    missing: {
      name: "migrate-missing",
      text: `SELECT true
              WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_namespace WHERE nspname = (parse_ident($1))[1])`,
    },
    exists: {
      name: "migrate-exists",
      text: `SELECT to_regclass($1) IS NOT NULL AS ours,
                    EXISTS (SELECT FROM pg_catalog.pg_class WHERE relnamespace = to_regnamespace($2)) AS used`,
    },
    read: { name: "migrate-read", text: `SELECT coalesce(max(version), 0) AS version FROM ${table}` },
    create: `CREATE TABLE ${table} (version integer PRIMARY KEY, name text NOT NULL, migrated_at timestamptz NOT NULL DEFAULT now())`,
    insert: { name: "migrate-insert", text: `INSERT INTO ${table} (version, name) VALUES ($1, $2)` },
  };
}

async function versionOf(
  connection: Connection,
  catalogue: Catalogue,
  schema: string,
  migrations: readonly Migration[],
): Promise<number> {
  const values = [`${schema}.procedo_migrations`, schema];
  const [state] = await connection.query<{ ours: boolean; used: boolean }>(catalogue.exists, values);
  if (state?.ours !== true) {
    if (state?.used !== true) return 0;
    throw new ProcedoError(
      "invalid_configuration",
      `The schema ${schema} belongs to another application. Give Procedo a schema of its own.`,
    );
  }
  const [row] = await connection.query<{ version: number }>(catalogue.read, []);
  const version = row?.version ?? 0;
  if (version <= migrations.length) return version;
  throw new ProcedoError(
    "invalid_configuration",
    `The database has schema version ${version}, but this program knows only ${migrations.length}. ` +
      "Use the newer program that migrated it, or restore a backup from before the upgrade.",
  );
}

function behind(version: number, newest: number): ProcedoError {
  return new ProcedoError(
    "invalid_configuration",
    `The database has schema version ${version}, but this program needs ${newest}. ` +
      "Start the server once to migrate the database.",
  );
}
