/**
 * Fills a database with copies of one run, by SQL: a million runs take a minute instead of the hour of executing them.
 * A copy has all data of the original except its ids and times. No process reads its journal: ended runs stay ended,
 * and waiting ones get no decision.
 */
import { execFile } from "node:child_process";
import { DatabaseSync } from "node:sqlite";
import { promisify } from "node:util";
import pg from "pg";
import type { Database } from "../database.ts";

/** The run to copy, and the number of copies. */
export interface Copies {
  readonly runId: string;
  /** The first copy's number; a number is used once per database. */
  readonly from: number;
  readonly count: number;
}

/**
 * Creates the copies, and waits until the database has processed them: statistics are current and all data is on the
 * disk.
 */
export async function fill(database: Database, copies: Copies): Promise<void> {
  switch (database.kind) {
    case "sqlite":
      fillFile(database.file, copies);
      break;
    case "postgres":
      await fillPostgres(database.url, copies);
      break;
    case "folder":
      throw new Error("A folder cannot be filled.");
  }
  // Otherwise the first measured commits wait for gigabytes to be written. Without this program, they do.
  await promisify(execFile)("sync").catch(() => {});
}

/** The tables with data of a run that has ended or waits, and the columns that differ in a copy. */
const TABLES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  runs: {
    run_id: copiedId("run_id"),
    created_at_ms: earlier("created_at_ms"),
    ended_at_ms: earlier("ended_at_ms"),
  },
  journal: { run_id: copiedId("run_id") },
  reviews: {
    run_id: copiedId("run_id"),
    review_id: copiedId("review_id"),
    opened_at_ms: earlier("opened_at_ms"),
    closed_at_ms: earlier("closed_at_ms"),
  },
};

/** The number replaces the id's last 12 characters, in hexadecimal: in order of time, as real ids are. */
function copiedId(column: string): string {
  return `substr(t.${column}, 1, length(t.${column}) - 12) || HEX(n)`;
}

/**
 * Spread over half an hour before the original, so that no checkpoint is due yet, which would list all runs that ended
 * since the last one and would be measured instead.
 */
function earlier(column: string): string {
  return `t.${column} - 1800000 + n % 1800000`;
}

/**
 * Copies one table's rows of one run. Columns without a replacement are copied; row numbers are assigned by the
 * database.
 *
 * @param numbers - a query of one column `n`
 */
export function copyStatement(options: {
  readonly table: string;
  readonly columns: readonly string[];
  readonly changed: Readonly<Record<string, string>>;
  readonly numbers: string;
  readonly where: string;
}): string {
  const { table, columns, changed, numbers, where } = options;
  const values = columns.map((column) => changed[column] ?? `t.${column}`);
  return `INSERT INTO ${table} (${columns.join(", ")}) SELECT ${values.join(", ")} FROM (${numbers}) AS numbers, ${table} AS t WHERE ${where}`;
}

function fillFile(file: string, { runId, from, count }: Copies): void {
  const db = new DatabaseSync(file);
  try {
    // A power failure would cost a benchmark, not data.
    db.exec("PRAGMA synchronous = OFF; PRAGMA cache_size = -262144; PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE");
    const run = db.prepare("SELECT run FROM runs WHERE run_id = ?").get(runId)?.["run"];
    if (run === undefined) throw new Error(`There is no run ${runId} to copy.`);
    const next = Number(db.prepare("SELECT max(run) + 1 AS next FROM runs").get()?.["next"]) - from;
    const numbers = `WITH RECURSIVE series(n) AS (SELECT ${from} UNION ALL SELECT n + 1 FROM series WHERE n + 1 < ${from + count}) SELECT n FROM series`;
    for (const [table, changed] of Object.entries(TABLES)) {
      const all = db.prepare("SELECT name FROM pragma_table_info(?)").all(table);
      const columns = all.map((column) => String(column["name"])).filter((column) => column !== "review");
      const statement = copyStatement({
        table,
        columns,
        changed: { ...changed, run: `${next} + n` },
        numbers,
        where: `t.run = ${Number(run)}`,
      });
      db.exec(statement.replaceAll("HEX(n)", "printf('%012x', n)"));
    }
    db.exec("COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    db.close();
  }
}

async function fillPostgres(url: string, { runId, from, count }: Copies): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SET search_path TO procedo; SET synchronous_commit TO off");
    for (const [table, changed] of Object.entries(TABLES)) {
      const { rows } = await client.query<{ name: string }>(
        "SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'procedo' AND table_name = $1 ORDER BY ordinal_position",
        [table],
      );
      const columns = rows.map(({ name }) => name).filter((name) => name !== "review" && name !== "run");
      const numbers = `SELECT n FROM generate_series(${from}, ${from + count - 1}) AS n`;
      const where = `t.run_id = '${runId}'`;
      const statement = copyStatement({ table, columns, changed, numbers, where });
      await client.query(statement.replaceAll("HEX(n)", "lpad(to_hex(n), 12, '0')"));
      await client.query(`VACUUM (ANALYZE) ${table}`);
    }
    await client.query("CHECKPOINT");
  } finally {
    await client.end();
  }
}
