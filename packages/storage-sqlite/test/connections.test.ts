import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished, vi } from "vitest";
import { connectionPragmas, readPragma } from "../src/connection.ts";
import { SqliteStorage } from "../src/index.ts";
import { commitAll, committed, firstRow, scope } from "./rows.ts";
import { temporaryDirectory } from "./temporary-files.ts";

const pragmasOf = (database: DatabaseSync): unknown =>
  Object.fromEntries(Object.keys(connectionPragmas).map((name) => [name, readPragma(database, name)]));

it("every connection runs in WAL mode with synchronous FULL, foreign keys and no busy timeout", async () => {
  const path = join(temporaryDirectory(), "procedo.sqlite");
  const prepare = vi.spyOn(DatabaseSync.prototype, "prepare");
  onTestFinished(() => prepare.mockRestore());
  const given = new DatabaseSync(path, { timeout: 5_000, enableForeignKeyConstraints: false });
  onTestFinished(() => given.close());
  given.exec("PRAGMA synchronous = OFF");
  const storages = [
    await SqliteStorage.open({ path }),
    await SqliteStorage.open({ path }),
    new SqliteStorage({ database: given }),
  ];
  const connections = new Set(prepare.mock.contexts as readonly DatabaseSync[]);
  expect(connections.size).toBe(3);
  for (const connection of connections) {
    expect(pragmasOf(connection)).toEqual({ journal_mode: "wal", synchronous: 2, foreign_keys: 1, busy_timeout: 0 });
  }
  for (const storage of storages) await storage.close();
});

it("a connection that does not support these settings is refused", () => {
  const database = new DatabaseSync(":memory:");
  onTestFinished(() => database.close());
  expect(() => new SqliteStorage({ database })).toThrow(
    expect.objectContaining({
      code: "invalid_configuration",
      message: expect.stringContaining("journal_mode = memory"),
    }),
  );
});

it("a storage closes the connection that it opened, but not one that it was given", async () => {
  const path = join(temporaryDirectory(), "procedo.sqlite");
  const close = vi.spyOn(DatabaseSync.prototype, "close");
  onTestFinished(() => close.mockRestore());
  await (await SqliteStorage.open({ path })).close();
  expect(close).toHaveBeenCalledTimes(1);
  const database = new DatabaseSync(path);
  const storage = new SqliteStorage({ database });
  expect(await storage.runs.commit(firstRow("run-1"))).toEqual(committed);
  await storage.close();
  await storage.close();
  expect(database.prepare("SELECT count(*) AS runs FROM runs").get()).toEqual({ runs: 1 });
  database.close();
});

it("a closed storage answers with storage_unavailable", async () => {
  const storage = await SqliteStorage.open({ path: join(temporaryDirectory(), "procedo.sqlite") });
  const pending = commitAll(storage.runs, [firstRow("run-1")]);
  await storage.close();
  expect(await pending).toEqual([committed]);
  await expect(storage.runs.commit(firstRow("run-2"))).rejects.toMatchObject({ code: "storage_unavailable" });
  await expect(storage.runs.get({ scope, runId: "run-1" })).rejects.toMatchObject({ code: "storage_unavailable" });
});

it("a path that cannot be opened is reported", async () => {
  const path = join(temporaryDirectory(), "missing", "procedo.sqlite");
  await expect(SqliteStorage.open({ path })).rejects.toMatchObject({ code: "storage_unavailable" });
});

it("the WAL stays small regardless of the number of writes", async () => {
  const path = join(temporaryDirectory(), "procedo.sqlite");
  const database = new DatabaseSync(path);
  onTestFinished(() => database.close());
  const storage = new SqliteStorage({ database, pollMs: 0 });
  const body = JSON.stringify("x".repeat(20_000));
  let largest = 0;
  for (let batch = 0; batch < 40; batch++) {
    await commitAll(
      storage.runs,
      Array.from({ length: 50 }, (_, index) => firstRow(`run-${batch}-${index}`, { body })),
    );
    largest = Math.max(largest, statSync(`${path}-wal`).size);
  }
  await storage.close();
  expect(statSync(path).size).toBeGreaterThan(20_000_000);
  expect(largest).toBeLessThan(20_000_000);
});
