import { afterAll, beforeAll, describe } from "vitest";
import type { Storage } from "@procedo/storage";
import type { ConformanceOptions } from "@procedo/storage/conformance";
import { describeAgainstMemory, describeStorage } from "@procedo/storage/conformance";
import type { TestDatabase } from "@procedo-testing/postgres";
import { openTestDatabase } from "@procedo-testing/postgres";
import pg from "pg";
import { PostgresStorage } from "../src/index.ts";

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await openTestDatabase();
  pool = new pg.Pool({ connectionString: database.url, max: 8 });
  // Connections end a little later than their pool, when the database is removed at the latest.
  pool.on("error", () => undefined);
});

afterAll(async () => {
  await pool.end();
  await database.close();
});

/** Each test gets the schema of the one before, emptied: making one and preparing its statements takes longer than a test. */
function optionsWith(schema: string, notify: boolean): ConformanceOptions {
  const open = (now: () => number): Promise<Storage> => PostgresStorage.open({ pool, schema, now, notify });
  return {
    async create(now) {
      const storage = await open(now);
      await empty(schema);
      return storage;
    },
    async reopen(storage, now) {
      const reopened = await open(now);
      // Closing writes nothing: it ends the connection that listens.
      await storage.close();
      return reopened;
    },
  };
}

async function empty(schema: string): Promise<void> {
  const { rows } = await pool.query<{ sql: string }>(
    `SELECT format('DELETE FROM %I.%I', schemaname, tablename) AS sql FROM pg_tables
      WHERE schemaname = $1 AND tablename <> 'procedo_migrations'`,
    [schema],
  );
  const deletions = rows.map(({ sql }) => sql).join("; ");
  // Foreign keys need no order when their triggers are off.
  await pool.query(`BEGIN; SET LOCAL session_replication_role = replica; ${deletions}; COMMIT`);
}

describe.each([
  ["notifications", "notifying", true],
  ["polling only", "polling", false],
] as const)("postgres with %s", (name, schema, notify) => {
  const options = optionsWith(schema, notify);
  describeStorage("postgres", options);
  describeAgainstMemory(`postgres with ${name}`, { ...options, seeds: [1, 2, 3, 4], steps: 150 });
});
