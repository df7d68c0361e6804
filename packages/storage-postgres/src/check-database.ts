import { ProcedoError } from "@procedo/contract";
import type { Connection } from "./connections.ts";
import type { Statement } from "./statement.ts";

export interface DatabaseCheck {
  /** Whether Procedo controls the settings of the session. */
  readonly sessions: boolean;
  /** Whether the caller only uses an existing schema, and accepts a standby for reading. */
  readonly beside: boolean;
  readonly warn: (message: string) => void;
}

const leastVersion = 14;

interface Facts {
  readonly version: number;
  readonly encoding: string;
  readonly clientEncoding: string;
  readonly database: string;
  readonly role: string;
  readonly standby: boolean;
  readonly readOnly: boolean;
  readonly synchronousCommit: string;
  readonly arrayNulls: boolean;
  readonly fsync: boolean;
}

const facts: Statement = {
  name: "database-facts",
  text: `SELECT current_setting('server_version_num')::integer / 10000 AS version,
                current_setting('server_encoding') AS encoding,
                current_setting('client_encoding') AS "clientEncoding",
                current_database() AS database, current_user AS role,
                pg_is_in_recovery() AS standby,
                current_setting('transaction_read_only') = 'on' AS "readOnly",
                current_setting('synchronous_commit') AS "synchronousCommit",
                current_setting('array_nulls') = 'on' AS "arrayNulls",
                current_setting('fsync') = 'on' AS fsync`,
};

/**
 * Checks the configuration of the database. Settings that each session or transaction overrides are ignored. A setting
 * that Procedo cannot override is rejected, with its name and instructions.
 *
 * @throws ProcedoError `invalid_configuration`; `storage_unavailable` for a database that is read-only at the moment
 */
export async function checkDatabase(connection: Connection, check: DatabaseCheck): Promise<void> {
  const [found] = await connection.query<Facts>(facts, []);
  if (found === undefined) return;
  refuseUnfit(found, check);
  if (!check.beside) refuseReadOnly(found);
  if (!found.fsync) {
    check.warn("The server runs with fsync = off: a power failure loses or damages acknowledged runs. Set fsync = on.");
  }
}

function refuseUnfit(found: Facts, { sessions }: DatabaseCheck): void {
  const { version, encoding, clientEncoding, database, role, synchronousCommit, arrayNulls } = found;
  if (version < leastVersion) {
    throw invalid(
      `The server is Postgres ${version}; Procedo needs Postgres ${leastVersion} or newer. Upgrade the server.`,
    );
  }
  if (encoding !== "UTF8") {
    throw invalid(
      `The database "${database}" has the encoding ${encoding}, which cannot store every text; Procedo needs UTF8. ` +
        "An encoding cannot be changed. Create a new database: " +
        "CREATE DATABASE procedo ENCODING 'UTF8' LOCALE 'C' TEMPLATE template0",
    );
  }
  if (clientEncoding !== "UTF8") {
    throw invalid(
      `The connection has client_encoding = ${clientEncoding}; Procedo needs UTF8. ` +
        "Remove client_encoding from the address or from the pooler's settings.",
    );
  }
  if (!sessions && (synchronousCommit === "off" || synchronousCommit === "local")) {
    throw invalid(
      `The role "${role}" has synchronous_commit = ${synchronousCommit} in the database "${database}": acknowledged runs ` +
        "could be lost. Without sessions (notify: false), Procedo cannot enable it. " +
        `Run ALTER ROLE ${role} SET synchronous_commit = on`,
    );
  }
  if (!sessions && !arrayNulls) {
    throw invalid(
      `The role "${role}" has array_nulls = off in the database "${database}": the NULLs of Procedo's arrays would be read as ` +
        "words. Without sessions (notify: false) Procedo cannot switch it on. " +
        `Say ALTER ROLE ${role} SET array_nulls = on`,
    );
  }
}

function refuseReadOnly({ standby, readOnly, database, role }: Facts): void {
  if (standby) {
    throw new ProcedoError(
      "storage_unavailable",
      `The server of the database "${database}" is a standby and accepts no writes. Set the address to that of the primary.`,
    );
  }
  if (readOnly) {
    throw new ProcedoError(
      "storage_unavailable",
      `The role "${role}" has default_transaction_read_only = on in the database "${database}", so that every write ` +
        `fails. Reset it where it was set: ALTER ROLE ${role} RESET default_transaction_read_only, ALTER DATABASE ` +
        `${database} RESET default_transaction_read_only, or in the server's configuration.`,
    );
  }
}

function invalid(message: string): ProcedoError {
  return new ProcedoError("invalid_configuration", message);
}
