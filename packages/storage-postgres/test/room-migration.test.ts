import { openTestDatabase } from "@procedo-testing/postgres";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { PostgresStorage } from "../src/index.ts";
import { migrations } from "../src/migrations/migrations.ts";

it("leaves room in a delivery's indexes while a node of the version before is writing deliveries", async () => {
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
  for (const [index, { name, sql }] of migrations.slice(0, 5).entries()) {
    await old.query(sql);
    await old.query("INSERT INTO procedo_migrations (version, name) VALUES ($1, $2)", [index + 1, name]);
  }
  await old.query("INSERT INTO payloads (payload, data) VALUES (1, '{}')");
  await old.query("BEGIN");
  await old.query(`
    INSERT INTO deliveries (delivery_id, workspace, environment, webhook_id, event_id, event, created_at_ms, payload, due_at_ms)
    VALUES ('one', 'acme', 'live', 'hook-1', 'event-1', 'run_completed', 1, 1, 1)`);

  const storage = await PostgresStorage.connect(database.url, { notify: false });
  onTestFinished(() => storage.close());
  await old.query("COMMIT");

  const { rows } = await old.query<{ relname: string; reloptions: readonly string[] }>(
    "SELECT relname, reloptions FROM pg_class WHERE reloptions IS NOT NULL AND relname LIKE 'deliveries%' ORDER BY relname",
  );
  const room = ["fillfactor=45", "deduplicate_items=off"];
  expect(rows.filter(({ relname }) => relname !== "deliveries")).toEqual([
    { relname: "deliveries_by_time", reloptions: room },
    { relname: "deliveries_of_run", reloptions: room },
    { relname: "deliveries_pkey", reloptions: ["deduplicate_items=off"] },
  ]);
});
