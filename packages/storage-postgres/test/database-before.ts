import { openTestDatabase } from "@procedo-testing/postgres";
import pg from "pg";
import { onTestFinished } from "vitest";
import { migrations } from "../src/migrations/migrations.ts";

/** A database at that version of the schema, and a session of one of its nodes. Both end with the test. */
export async function openDatabaseBefore(version: number): Promise<{ readonly url: string; readonly old: pg.Client }> {
  const database = await openTestDatabase();
  const old = new pg.Client(database.url);
  await old.connect();
  onTestFinished(async () => {
    await old.end();
    await database.close();
  });
  await old.query(`
    CREATE SCHEMA procedo; SET search_path = procedo;
    CREATE TABLE procedo_migrations (version integer PRIMARY KEY, name text NOT NULL, migrated_at timestamptz NOT NULL DEFAULT now())`);
  for (const [index, { name, sql }] of migrations.slice(0, version).entries()) {
    await old.query(sql);
    await old.query("INSERT INTO procedo_migrations (version, name) VALUES ($1, $2)", [index + 1, name]);
  }
  return { url: database.url, old };
}
