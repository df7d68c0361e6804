import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createEngine, systemClock } from "@procedo/engine";
import { SqliteStorage } from "@procedo/storage-sqlite";
import { expect, onTestFinished, test } from "vitest";

const by = { person: "ann" };

test("an engine is not ready while a full disk refuses writes, and is again once there is space", async () => {
  const folder = mkdtempSync(join(tmpdir(), "procedo-ready-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const database = new DatabaseSync(join(folder, "procedo.sqlite"));
  onTestFinished(() => database.close());
  const storage = new SqliteStorage({ database, pollMs: 0 });
  onTestFinished(() => storage.close());
  let monotonicMs = 0;
  const clock = { ...systemClock, monotonic: () => monotonicMs };
  // The engine is not started, so no worker sends heartbeats and only requests write.
  const engine = createEngine({ storage, masterKey: new Uint8Array(32).fill(7), integrations: [], clock });
  onTestFinished(() => engine.stop());
  const createKey = (name: string) => engine.keys.create({ name, environment: "sandbox", by });
  const writes = (): unknown => database.prepare("SELECT total_changes() AS count").get()?.["count"];
  await createKey("first");
  await engine.ready();

  const pages = Number(database.prepare("PRAGMA page_count").get()?.["page_count"]);
  database.exec(`PRAGMA max_page_count = ${pages}`);
  const refused = async (): Promise<void> => {
    for (let count = 0; ; count++) await createKey(`key ${count} ${"x".repeat(100)}`);
  };
  await expect(refused()).rejects.toMatchObject({ code: "storage_unavailable" });
  await expect(engine.ready()).rejects.toMatchObject({
    code: "storage_unavailable",
    message: expect.stringContaining("full") as string,
  });

  database.exec("PRAGMA max_page_count = 1000000");
  // Readiness is checked at most once per second.
  await expect(engine.ready()).rejects.toMatchObject({ code: "storage_unavailable" });
  monotonicMs += 1_000;
  await engine.ready();
  const written = writes();
  await engine.ready();
  expect(writes()).toBe(written);
});
