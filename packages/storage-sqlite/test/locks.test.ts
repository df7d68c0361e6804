import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { SqliteStorage } from "../src/index.ts";
import { migrations } from "../src/migrations/migrations.ts";
import { commitAll, committed, firstRow, row, scope } from "./rows.ts";
import { temporaryDirectory } from "./temporary-files.ts";

let path: string;
let other: DatabaseSync;

beforeEach(async () => {
  path = join(temporaryDirectory(), "procedo.sqlite");
  await (await SqliteStorage.open({ path })).close();
  // For SQLite, this is another process.
  other = new DatabaseSync(path);
  onTestFinished(() => other.close());
});

async function open(lockWaitMs: number): Promise<SqliteStorage> {
  const storage = await SqliteStorage.open({ path, lockWaitMs, pollMs: 0 });
  onTestFinished(() => storage.close());
  return storage;
}

it("a write waits for another writer's lock without blocking the event loop, and reads continue", async () => {
  const storage = await open(60_000);
  await storage.runs.commit(firstRow("run-1"));
  other.exec("BEGIN IMMEDIATE");
  const order: string[] = [];
  const write = commitAll(storage.runs, [row("run-1", 2)]).then((results) => {
    order.push("written");
    return results;
  });
  for (let turn = 0; turn < 50; turn++) await nextTurn();
  expect(await storage.runs.journal({ scope, runId: "run-1" })).toHaveLength(1);
  order.push("released");
  other.exec("COMMIT");
  expect(await write).toEqual([committed]);
  expect(order).toEqual(["released", "written"]);
});

it("later writes wait too, and all are answered together", async () => {
  const storage = await open(60_000);
  other.exec("BEGIN IMMEDIATE");
  const writes = [commitAll(storage.runs, [firstRow("run-1")])];
  await nextTurn();
  writes.push(commitAll(storage.runs, [row("run-1", 2)]), commitAll(storage.runs, [firstRow("run-2")]));
  await nextTurn();
  other.exec("ROLLBACK");
  expect(await Promise.all(writes)).toEqual([[committed], [committed], [committed]]);
});

it("a write fails after the stated time with storage_unavailable, and the next one succeeds", async () => {
  const storage = await open(20);
  other.exec("BEGIN IMMEDIATE");
  await expect(storage.runs.commit(firstRow("run-1"))).rejects.toMatchObject({
    code: "storage_unavailable",
    retryable: true,
  });
  other.exec("ROLLBACK");
  expect(await storage.runs.commit(firstRow("run-1"))).toEqual(committed);
});

it("opening waits for a process that is migrating the same file", async () => {
  other.exec("PRAGMA user_version = 0; BEGIN EXCLUSIVE");
  const opening = SqliteStorage.open({ path, lockWaitMs: 60_000, pollMs: 0 });
  await nextTurn();
  other.exec(`PRAGMA user_version = ${migrations.length}; COMMIT`);
  await (await opening).close();
});

it("many processes may open a new file at once", async () => {
  const fresh = join(temporaryDirectory(), "fresh.sqlite");
  const storages = await Promise.all(Array.from({ length: 5 }, () => SqliteStorage.open({ path: fresh, pollMs: 0 })));
  const results = await Promise.all(
    storages.map((storage, index) => commitAll(storage.runs, [firstRow(`run-${index}`)])),
  );
  expect(results.flat()).toEqual(Array.from({ length: 5 }, () => committed));
  for (const storage of storages) await storage.close();
});
