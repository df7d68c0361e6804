import { open, readdir, stat } from "node:fs/promises";
import path from "node:path";
import pg from "pg";

/** The database of a system, with the counters of its writes. */
export type Database =
  | { readonly kind: "sqlite"; readonly file: string }
  | { readonly kind: "postgres"; readonly url: string }
  /** The files of a server that has no counters. */
  | { readonly kind: "folder"; readonly folder: string };

/** The results of a load in a database. */
export interface DatabaseUse {
  /** Committed transactions of all sessions; unknown for a folder. */
  readonly commits?: number;
  /** Growth of the closed database in bytes, compared with an empty one. */
  readonly diskBytes: number;
  /** Bytes of write-ahead log; Postgres only. */
  readonly walBytes?: number;
}

/** Measures one database from its creation on. */
export interface Meter {
  /** Calls `close`, which ends every connection of the system, and returns the usage. */
  usedBy(close: () => Promise<void>): Promise<DatabaseUse>;
}

export async function startMeter(database: Database): Promise<Meter> {
  switch (database.kind) {
    case "sqlite":
      return meterFile(database.file);
    case "postgres":
      return meterPostgres(database.url);
    case "folder":
      return meterFolder(database.folder);
  }
}

async function meterFile(file: string): Promise<Meter> {
  const before = await committedTransactions(file);
  return {
    async usedBy(close) {
      // The index that counts them is removed with the last connection.
      const commits = (await committedTransactions(file)) - before;
      await close();
      return { commits, diskBytes: (await stat(file)).size };
    },
  };
}

/**
 * The number of write transactions that were committed to an open SQLite database in WAL mode, by all sessions:
 * `iChange` of the WAL index, which SQLite increments with each commit (https://www.sqlite.org/walformat.html, "The
 * WAL-Index File Format", bytes 8
 */
export async function committedTransactions(databaseFile: string): Promise<number> {
  const file = await open(`${databaseFile}-shm`);
  try {
    const { buffer } = await file.read(Buffer.alloc(12), 0, 12, 0);
    return buffer.readUInt32LE(8);
  } finally {
    await file.close();
  }
}

/** Queries from another database of the same server, so that its own transactions are not counted. */
async function meterPostgres(url: string): Promise<Meter> {
  const name = new URL(url).pathname.slice(1);
  const before = await readPostgres(url, name);
  return {
    async usedBy(close) {
      await close();
      const after = await readPostgres(url, name, { once: "no session is connected" });
      return {
        commits: after.commits - before.commits,
        diskBytes: after.diskBytes - before.diskBytes,
        walBytes: after.walBytes - before.walBytes,
      };
    },
  };
}

interface PostgresCounters {
  readonly commits: number;
  readonly diskBytes: number;
  readonly walBytes: number;
}

/** A session reports its work when it ends, so the counters are complete once `no session is connected`. */
async function readPostgres(
  url: string,
  name: string,
  when?: { readonly once: "no session is connected" },
): Promise<PostgresCounters> {
  return withAdministrator(url, async (client) => {
    while (when !== undefined) {
      const { rows } = await client.query<{ sessions: string }>(
        "SELECT count(*) AS sessions FROM pg_stat_activity WHERE datname = $1",
        [name],
      );
      if (rows[0]?.sessions === "0") break;
    }
    const { rows } = await client.query<Record<keyof PostgresCounters, string>>(
      `SELECT xact_commit AS "commits", pg_database_size(datname) AS "diskBytes",
              pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS "walBytes"
       FROM pg_stat_database WHERE datname = $1`,
      [name],
    );
    const [row] = rows;
    if (row === undefined) throw new Error(`The server knows no database "${name}".`);
    return { commits: Number(row.commits), diskBytes: Number(row.diskBytes), walBytes: Number(row.walBytes) };
  });
}

/** A connection to the server's own database `postgres`. */
export async function withAdministrator<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const own = new URL(url);
  own.pathname = "/postgres";
  const client = new pg.Client({ connectionString: own.href });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

async function meterFolder(folder: string): Promise<Meter> {
  const before = await sizeOf(folder);
  return {
    async usedBy(close) {
      const diskBytes = (await sizeOf(folder)) - before;
      await close();
      return { diskBytes };
    },
  };
}

async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => path.join(entry.parentPath, entry.name));
  // A file may disappear meanwhile, because a server compacts at any time.
  const sizes = await Promise.all(
    files.map((file) =>
      stat(file).then(
        ({ size }) => size,
        () => 0,
      ),
    ),
  );
  return sizes.reduce((sum, size) => sum + size, 0);
}
