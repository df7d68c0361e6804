import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { appendFile, chmod, chown, cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import pg from "pg";
import { findBinaries } from "./binaries.ts";
import { startServerProcess, type ServerProcess, type StopMode } from "./server-process.ts";
import { serverUser } from "./server-user.ts";

export interface PostgresOptions {
  /** Server settings, as in postgresql.conf. @defaultValue Postgres' defaults */
  readonly settings?: Readonly<Record<string, string>>;
}

/** A Postgres server on loopback. */
export interface PostgresServer {
  /** URL for the superuser and the database `postgres`. */
  readonly url: string;
  readonly port: number;
  /** @returns the URL of a new, empty database */
  createDatabase(): Promise<string>;
  /** Stops the server and keeps its data. @defaultValue "fast" */
  stop(mode?: StopMode): Promise<void>;
  /** Starts the server again with the same port and data. */
  start(): Promise<void>;
  /** Freezes all processes of the server until `resume`. Connections stay open. Linux only. */
  pause(): void;
  resume(): void;
  /** Creates a streaming standby while this server keeps running. */
  standby(options?: PostgresOptions): Promise<PostgresStandby>;
  /** Stops the server and removes its data. */
  close(): Promise<void>;
}

export interface PostgresStandby extends PostgresServer {
  /** Makes the standby writable. */
  promote(): Promise<void>;
}

const execute = promisify(execFile);
const password = "postgres";

export async function startPostgres({ settings = {} }: PostgresOptions = {}): Promise<PostgresServer> {
  const dataFolder = await newDataFolder();
  const passwordFile = `${dataFolder}.password`;
  await writeFile(passwordFile, password);
  const user = serverUser();
  if (user.uid !== undefined && user.gid !== undefined) await chown(passwordFile, user.uid, user.gid);
  // A linguistic collation, as on many servers: queries that need byte order must request it.
  const locale = ["--locale=C", "--locale-provider=icu", "--icu-locale=en-US", "--encoding=UTF8"];
  const login = ["--username=postgres", "--auth=scram-sha-256", `--pwfile=${passwordFile}`];
  const { initdb } = await findBinaries();
  await execute(initdb, [`--pgdata=${dataFolder}`, ...login, ...locale, "--no-sync"], {
    ...user,
    env: { ...process.env, LC_ALL: "C" },
  });
  await rm(passwordFile);
  return serve(dataFolder, settings);
}

async function newDataFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "procedo-postgres-"));
  const { uid, gid } = serverUser();
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid);
  return folder;
}

async function serve(dataFolder: string, settings: Readonly<Record<string, string>>): Promise<PostgresServer> {
  const port = await freePort();
  const url = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
  const start = (): Promise<ServerProcess> => startServerProcess({ dataFolder, port, url, settings });
  let running: ServerProcess | undefined = await start();

  async function stop(mode: StopMode = "fast"): Promise<void> {
    const ending = running;
    running = undefined;
    await ending?.stop(mode);
  }

  return {
    url,
    port,
    stop,
    async createDatabase() {
      const name = `db_${randomUUID().replaceAll("-", "")}`;
      await executeSql(url, `CREATE DATABASE ${name}`);
      return url.replace(/postgres$/, name);
    },
    async start() {
      running ??= await start();
    },
    pause: () => running?.pause(),
    resume: () => running?.resume(),
    standby: (options = {}) => startStandby({ dataFolder, port, url }, options.settings ?? {}),
    async close() {
      await stop("immediate");
      await rm(dataFolder, { recursive: true, force: true });
    },
  };
}

/**
 * Creates a standby. The npm packages contain no pg_basebackup, so the data is copied between the same two backup
 * calls.
 */
async function startStandby(
  primary: { readonly dataFolder: string; readonly port: number; readonly url: string },
  settings: Readonly<Record<string, string>>,
): Promise<PostgresStandby> {
  const folder = await newDataFolder();
  const slot = `standby_${randomUUID().slice(0, 8)}`;
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  try {
    await client.query("SELECT pg_create_physical_replication_slot($1, true)", [slot]);
    await client.query("SELECT pg_backup_start('standby', true)");
    await cp(primary.dataFolder, folder, {
      recursive: true,
      filter: (source) => isBackedUp(relative(primary.dataFolder, source)),
    });
    const { rows } = await client.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop(false)");
    await writeFile(join(folder, "backup_label"), rows[0]?.labelfile ?? "");
  } finally {
    await client.end();
  }
  const connection = `host=127.0.0.1 port=${primary.port} user=postgres password=${password} application_name=${slot}`;
  await writeFile(join(folder, "standby.signal"), "");
  await appendFile(
    join(folder, "postgresql.auto.conf"),
    `\nprimary_conninfo = '${connection}'\nprimary_slot_name = '${slot}'\n`,
  );
  await chmod(folder, 0o700);
  const { uid, gid } = serverUser();
  if (uid !== undefined && gid !== undefined) await execute("chown", ["-R", `${uid}:${gid}`, folder]);

  const server = await serve(folder, settings);
  return { ...server, promote: () => promote(server.url) };
}

/**
 * Promotes a standby. `pg_promote(true)` would hold a snapshot while it waits: the replay that it waits for can conflict
 * with that snapshot, and Postgres then cancels the statement after `max_standby_streaming_delay`.
 */
async function promote(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SELECT pg_promote(false)");
    for (;;) {
      const { rows } = await client.query<{ inRecovery: boolean }>(`SELECT pg_is_in_recovery() AS "inRecovery"`);
      if (rows[0]?.inRecovery === false) return;
      await setTimeout(50);
    }
  } finally {
    await client.end();
  }
}

/** Excludes runtime files, which belong to the primary, and the log, which arrives by streaming. */
function isBackedUp(path: string): boolean {
  return !path.startsWith("postmaster.") && !/^pg_(wal|replslot|stat_tmp|dynshmem|notify)\//.test(path);
}

/** Runs one or more statements on a separate connection. */
export async function executeSql(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      const port = typeof address === "object" && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
