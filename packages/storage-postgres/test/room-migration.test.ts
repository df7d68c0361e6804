import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import { roomForSecondVersions } from "../src/migrations/0006-room-for-second-versions.ts";
import { openDatabaseBefore } from "./database-before.ts";

it("leaves room in a delivery's indexes while a node of the version before is writing deliveries", async () => {
  const { url, old } = await openDatabaseBefore(5);
  await old.query("INSERT INTO payloads (payload, data) VALUES (1, '{}')");
  await old.query("BEGIN");
  await old.query(`
    INSERT INTO deliveries (delivery_id, workspace, environment, webhook_id, event_id, event, created_at_ms, payload, due_at_ms)
    VALUES ('one', 'acme', 'live', 'hook-1', 'event-1', 'run_completed', 1, 1, 1)`);

  const migrating = new pg.Client(url);
  await migrating.connect();
  onTestFinished(() => migrating.end());
  await migrating.query(`SET search_path = procedo; SET lock_timeout = '1s'; ${roomForSecondVersions.sql}`);
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
