import { afterAll, beforeAll, describe } from "vitest";
import type { Storage } from "@procedo/storage";
import type { ConformanceOptions } from "@procedo/storage/conformance";
import { describeAgainstMemory, describeStorage } from "@procedo/storage/conformance";
import type { TestDatabase } from "@procedo-testing/postgres";
import { openTestDatabase } from "@procedo-testing/postgres";
import pg from "pg";
import { PostgresStorage } from "../src/index.ts";

/** Longer than any test: all notifications follow from the test's own changes. */
const pollMs = 60_000;

/** The complete suite, and random calls of these seeds, on a separate database. */
export function describeOnPostgres(name: string, notify: boolean, seeds: readonly number[]): void {
  let database: TestDatabase;
  let pool: pg.Pool;
  let deletions = "";
  let kept: { readonly storage: Storage; now: () => number } | undefined;

  beforeAll(async () => {
    database = await openTestDatabase();
    pool = new pg.Pool({ connectionString: database.url, max: 8 });
    // Connections end a little later than their pool, at the latest when the database is removed.
    pool.on("error", () => undefined);
    await (await PostgresStorage.open({ pool, notify: false })).close();
    deletions = await deletionsOf(pool);
  });
  afterAll(async () => {
    await kept?.storage.close();
    await pool.end();
    await database.close();
  });

  const options: ConformanceOptions = {
    // Each test gets the storage of the previous one, emptied: creating one and preparing its statements takes longer
    // than most tests.
    async create(now) {
      kept ??= await keep(now);
      kept.now = now;
      await pool.query(`BEGIN; SET LOCAL session_replication_role = replica; ${deletions}; COMMIT`);
      return lent(kept.storage);
    },
    async reopen(_storage, now) {
      // Closing writes nothing: it ends the listening connection.
      await kept?.storage.close();
      kept = await keep(now);
      return lent(kept.storage);
    },
  };

  async function keep(now: () => number): Promise<NonNullable<typeof kept>> {
    const clock = { now };
    const storage = await PostgresStorage.open({ pool, notify, now: () => clock.now(), pollMs });
    return Object.assign(clock, { storage });
  }

  describe(`postgres with ${name}`, () => {
    describeStorage("postgres", options);
    describeAgainstMemory("postgres", { ...options, seeds, steps: 150 });
  });
}

/** The storage of one test: closing it ends the test's watches, and nothing else. */
function lent(storage: Storage): Storage {
  const endings: (() => void)[] = [];
  return {
    ...storage,
    watch(listener) {
      const end = storage.watch(listener);
      endings.push(end);
      return end;
    },
    close() {
      for (const end of endings) end();
      return Promise.resolve();
    },
  };
}

/** Empties every table. Foreign keys need no order while their triggers are off. */
async function deletionsOf(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ sql: string }>(
    `SELECT format('DELETE FROM %I.%I', schemaname, tablename) AS sql FROM pg_tables
      WHERE schemaname = 'procedo' AND tablename <> 'procedo_migrations'`,
  );
  return rows.map(({ sql }) => sql).join("; ");
}
