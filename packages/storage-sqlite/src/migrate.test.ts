import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { commitAll, firstRow } from "../test/rows.ts";
import { temporaryDirectory } from "../test/temporary-files.ts";
import { readPragma } from "./connection.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/migrations.ts";
import { SqliteStorage } from "./sqlite-storage.ts";

describe("migrate", () => {
  let db: DatabaseSync;
  const first = { name: "first", sql: "CREATE TABLE a (x)" };
  const second = { name: "second", sql: "CREATE TABLE b (x); INSERT INTO b VALUES (1)" };
  const broken = { name: "broken", sql: "CREATE TABLE c (x); INSERT INTO nowhere VALUES (1)" };

  beforeEach(() => {
    db = new DatabaseSync(join(temporaryDirectory(), "procedo.sqlite"));
    onTestFinished(() => db.close());
  });

  const tables = (): readonly unknown[] =>
    db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .all()
      .map(({ name }) => name);

  it("migrates an empty or an older file to the newest version", () => {
    migrate(db, [first], true);
    expect(tables()).toEqual(["a"]);
    migrate(db, [first, second], true);
    migrate(db, [first, second], true);
    expect(tables()).toEqual(["a", "b"]);
    expect(readPragma(db, "user_version")).toBe(2);
  });

  it("keeps all data of a database when it migrates to the next version", async () => {
    const storage = new SqliteStorage({ database: db, pollMs: 0 });
    await commitAll(storage.runs, [firstRow("run-1"), firstRow("run-2")]);
    await storage.close();
    const further = { name: "notes", sql: "ALTER TABLE runs ADD COLUMN note TEXT NOT NULL DEFAULT 'none'" };
    migrate(db, [...migrations, further], true);
    expect(db.prepare("SELECT run_id, note FROM runs ORDER BY run").all()).toMatchObject([
      { run_id: "run-1", note: "none" },
      { run_id: "run-2", note: "none" },
    ]);
    expect(readPragma(db, "user_version")).toBe(migrations.length + 1);
    expect(() => new SqliteStorage({ database: db, pollMs: 0 })).toThrow("Use the newer program");
  });

  it("keeps a database of the version before triggers, whose runs then have none", async () => {
    migrate(db, migrations.slice(0, 1), true);
    db.exec(`INSERT INTO scopes VALUES (1, 'acme', 'live');
      INSERT INTO runs (run_id, scope, procedure_id, procedure_version, started_by, created_at_ms, status, epoch)
      VALUES ('run-1', 1, 'pay', 'v1', 'ada', 5, 'running', 1)`);
    const storage = new SqliteStorage({ database: db, pollMs: 0 });
    const { items } = await storage.runs.list({ scope: { workspace: "acme", environment: "live" }, limit: 9 });
    expect(items).toMatchObject([{ runId: "run-1", trigger: undefined }]);
    await storage.close();
  });

  it("keeps the previous version when a step fails", () => {
    migrate(db, [first], true);
    expect(() => migrate(db, [first, second, broken], true)).toThrow("nowhere");
    expect(tables()).toEqual(["a"]);
    expect(readPragma(db, "user_version")).toBe(1);
    expect(db.isTransaction).toBe(false);
  });

  it("rejects a database of a newer version, with instructions", () => {
    migrate(db, [first, second], true);
    expect(() => migrate(db, [first], true)).toThrow(
      expect.objectContaining({
        code: "invalid_configuration",
        message: expect.stringMatching(/version 2, but this program knows only 1.*restore a backup/),
      }),
    );
  });

  it("rejects a file of another application", () => {
    db.exec("CREATE TABLE notes (text)");
    expect(() => migrate(db, [first], true)).toThrow(expect.objectContaining({ code: "invalid_configuration" }));
    db.exec("DROP TABLE notes; PRAGMA application_id = 7");
    expect(() => migrate(db, [first], true)).toThrow("another application");
    expect(tables()).toEqual([]);
  });

  it("changes nothing without permission to migrate", () => {
    expect(() => migrate(db, [first], false)).toThrow("Start the server once");
    expect(tables()).toEqual([]);
    migrate(db, [first], true);
    migrate(db, [first], false);
  });
});
