import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { firstRow } from "../test/rows.ts";
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

  it("takes an empty file to the newest version, and an older one the rest of the way", () => {
    migrate(db, [first], true);
    expect(tables()).toEqual(["a"]);
    migrate(db, [first, second], true);
    migrate(db, [first, second], true);
    expect(tables()).toEqual(["a", "b"]);
    expect(readPragma(db, "user_version")).toBe(2);
  });

  it("takes a database that has been used one version further, with all that is in it", async () => {
    const storage = new SqliteStorage({ database: db, pollMs: 0 });
    await storage.runs.commit([firstRow("run-1"), firstRow("run-2")]);
    await storage.close();
    const further = { name: "notes", sql: "ALTER TABLE runs ADD COLUMN note TEXT NOT NULL DEFAULT 'none'" };
    migrate(db, [...migrations, further], true);
    expect(db.prepare("SELECT run_id, note FROM runs ORDER BY run").all()).toMatchObject([
      { run_id: "run-1", note: "none" },
      { run_id: "run-2", note: "none" },
    ]);
    expect(readPragma(db, "user_version")).toBe(migrations.length + 1);
    expect(() => new SqliteStorage({ database: db, pollMs: 0 })).toThrow("use the newer program");
  });

  it("takes the deliveries of the first schema on: what waited is due, and is sent", async () => {
    migrate(db, migrations.slice(0, 1), true);
    db.exec(`
      INSERT INTO scopes VALUES (1, 'acme', 'live');
      INSERT INTO runs (run, run_id, scope, procedure_id, procedure_version, started_by, created_at_ms, status, epoch)
        VALUES (1, 'run-1', 1, 'p', 'v1', 'ada', 5, 'running', 1);
      INSERT INTO deliveries VALUES
        (1, 'dlv_1', 1, 1, 'hook-1', 'event-1', 'run_completed', 7, '{"n":1}', 'pending', 0),
        (2, 'dlv_2', 1, 1, 'hook-1', 'event-2', 'run_failed', 9, '{"n":2}', 'pending', 0);
    `);
    const storage = new SqliteStorage({ database: db, pollMs: 0, now: () => 100 });
    const live = { workspace: "acme", environment: "live" } as const;
    expect(await storage.deliveries.list({ scope: live, webhookId: "hook-1", limit: 9 })).toMatchObject({
      items: [
        { deliveryId: "dlv_2", runId: "run-1", event: "run_failed", data: '{"n":2}', status: "pending", dueAtMs: 9 },
        { deliveryId: "dlv_1", runId: "run-1", createdAtMs: 7, attemptCount: 0, url: undefined, dueAtMs: 7 },
      ],
    });
    const claim = { workspace: "acme", senderId: "s", limit: 9, perWebhook: 9, leaseMs: 1_000 };
    expect((await storage.deliveries.claim(claim)).deliveries.map(({ deliveryId }) => deliveryId)).toEqual([
      "dlv_1",
      "dlv_2",
    ]);
    await storage.close();
    expect(db.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
    expect(db.prepare("PRAGMA integrity_check").all()).toMatchObject([{ integrity_check: "ok" }]);
  });

  it("takes runs on that ended before there was an archive: they are archived with all that belongs to them", async () => {
    migrate(db, migrations.slice(0, 2), true);
    db.exec(`
      INSERT INTO scopes VALUES (1, 'acme', 'live');
      INSERT INTO runs (run, run_id, scope, procedure_id, procedure_version, started_by, created_at_ms, status, epoch,
                        ended_at_ms)
        VALUES (1, 'run-1', 1, 'p', 'v1', 'ada', 5, 'completed', 1, 8), (2, 'run-2', 1, 'p', 'v1', 'ada', 6, 'running', 1, NULL);
      INSERT INTO journal VALUES (1, 1, 'a', '{}'), (1, 2, 'b', '{}'), (2, 1, 'c', '{}');
      INSERT INTO idempotency VALUES (1, 'p', 'key', 1, 'digest', 1000);
      INSERT INTO reviews VALUES (1, 'rev-1', 1, 1, 'p', 'n', 'guard', 't', '{}', 'd', 'e', 6, 'approved', 7);
      INSERT INTO decisions VALUES (1, 'dec-1', 1, 'bob', 'acme', 'k', '{}', 7);
      INSERT INTO payloads VALUES (1, '{}');
      INSERT INTO deliveries (delivery, delivery_id, scope, run, webhook_id, event_id, event, created_at_ms, payload,
                              status, attempt_count)
        VALUES (1, 'dlv-1', 1, 1, 'hook-1', 'event-1', 'run_completed', 8, 1, 'delivered', 1);
      INSERT INTO delivery_attempts VALUES (1, 1, 8, 1, 'https://example.com', 200, NULL, NULL, 0);
    `);
    const storage = new SqliteStorage({ database: db, pollMs: 0, now: () => 100 });
    const scope = { workspace: "acme", environment: "live" } as const;
    const { items } = await storage.retention.archivable({ scope, endedBeforeMs: 100, limit: 9 });
    expect(items).toEqual([{ runId: "run-1", seq: 2, hash: "b", endedAtMs: 8 }]);
    const runs = items.map((head) => ({ ...head, output: "{}" }));
    const audit = { seq: 1, hash: "x", body: "{}" };
    expect(await storage.retention.archive({ scope, runs, audit })).toEqual({ status: "archived" });
    expect(await storage.runs.get({ scope, runId: "run-1" })).toMatchObject({ status: "completed", endedAtMs: 8 });
    const key = { scope, procedureId: "p", idempotencyKey: "key" };
    expect(await storage.runs.findByKey(key)).toMatchObject({ runId: "run-1" });
    await storage.close();
    const left = (table: string): unknown => db.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.["rows"];
    const tables = ["runs", "journal", "reviews", "decisions", "payloads", "deliveries", "delivery_attempts"];
    expect(tables.map(left)).toEqual([2, 1, 0, 0, 0, 0, 0]);
    expect(db.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
  });

  it("takes a database on that knew of no invocations: its runs call, and are archived, as new ones are", async () => {
    migrate(db, migrations.slice(0, 3), true);
    db.exec(`
      INSERT INTO scopes VALUES (1, 'acme', 'live');
      INSERT INTO runs (run, run_id, scope, procedure_id, procedure_version, started_by, created_at_ms, status, epoch,
                        worker_id)
        VALUES (1, 'run-1', 1, 'p', 'v1', 'ada', 5, 'running', 1, 'worker-1');
      INSERT INTO journal VALUES (1, 1, 'a', '{}');
    `);
    const storage = new SqliteStorage({ database: db, pollMs: 0, now: () => 100 });
    const scope = { workspace: "acme", environment: "live" } as const;
    const connection = { scope, connectionId: "connection-1" };
    const lease = { invocationId: "invocation-1", leaseToken: "token-1" };
    const call = { functionName: "screen", idempotent: false, payload: "{}", effectKey: "call-1", deadlineMs: 200 };
    const then = { kind: "parked", status: "running", wakeAtMs: 200 } as const;
    const row = { scope, runId: "run-1", epoch: 1, seq: 2, hash: "b", body: "{}" };
    const result = await storage.runs.commit([{ ...row, invocation: { ...connection, ...lease, ...call }, then }]);
    expect(result).toEqual([{ status: "committed" }]);
    const poll = { ...connection, ...lease, functions: ["screen"], limit: 9, leaseMs: 10 };
    expect(await storage.invocations.lease(poll)).toHaveLength(1);
    expect(await storage.invocations.settle({ ...connection, ...lease, body: "{}" })).toMatchObject({
      status: "accepted",
    });
    const ended = { kind: "ended", status: "completed", endedAtMs: 100 } as const;
    await storage.runs.claim({ workspace: "acme", workerId: "worker-1", limit: 1 });
    const end = { ...row, epoch: 2, seq: 3, hash: "c", consume: ["call-1"], then: ended };
    expect(await storage.runs.commit([end])).toEqual([{ status: "committed" }]);
    const stub = { runId: "run-1", seq: 3, hash: "c", output: undefined };
    const audit = { seq: 1, hash: "x", body: "{}" };
    expect(await storage.retention.archive({ scope, runs: [stub], audit })).toEqual({ status: "archived" });
    await storage.close();
    const left = (table: string): unknown => db.prepare(`SELECT count(*) AS rows FROM ${table}`).get()?.["rows"];
    expect(["invocations", "inbox"].map(left)).toEqual([0, 0]);
    expect(db.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
  });

  it("takes a database on that kept what a client is given apart: it is handed out still, and once it ends gone", async () => {
    migrate(db, migrations.slice(0, 5), true);
    db.exec(`
      INSERT INTO scopes VALUES (1, 'acme', 'live');
      INSERT INTO runs (run, run_id, scope, procedure_id, procedure_version, started_by, created_at_ms, status, epoch)
        VALUES (1, 'run-1', 1, 'p', 'v1', 'ada', 5, 'running', 1);
      INSERT INTO invocations (invocation, invocation_id, scope, run, connection_id, function_name, idempotent,
                               effect_key, created_at_ms, deadline_ms)
        VALUES (7, 'invocation-1', 1, 1, 'connection-1', 'screen', 1, 'call-1', 5, 200);
      INSERT INTO invocation_payloads VALUES (7, '{"name":"Acme"}');
    `);
    const storage = new SqliteStorage({ database: db, pollMs: 0, now: () => 100 });
    const connection = { scope: { workspace: "acme", environment: "live" }, connectionId: "connection-1" } as const;
    const poll = { ...connection, leaseToken: "token-1", functions: ["screen"], limit: 9, leaseMs: 10 };
    expect(await storage.invocations.lease(poll)).toMatchObject([{ payload: '{"name":"Acme"}' }]);
    const lease = { invocationId: "invocation-1", leaseToken: "token-1" };
    await storage.invocations.settle({ ...connection, ...lease, body: "{}" });
    await storage.close();
    expect(db.prepare("SELECT status, payload FROM invocations").all()).toEqual([{ status: "settled", payload: null }]);
  });

  it("takes a database on that stored no answers: its runs and reviews have none, and new ones do", async () => {
    migrate(db, migrations.slice(0, 6), true);
    db.exec(`
      INSERT INTO scopes VALUES (1, 'acme', 'live');
      INSERT INTO runs (run, run_id, scope, procedure_id, procedure_version, started_by, created_at_ms, status, epoch,
                        ended_at_ms)
        VALUES (1, 'run-1', 1, 'p', 'v1', 'ada', 5, 'completed', 1, 6);
      INSERT INTO runs (run, run_id, scope, procedure_id, procedure_version, started_by, created_at_ms, status, epoch)
        VALUES (2, 'run-2', 1, 'p', 'v1', 'ada', 5, 'awaiting_review', 1);
      INSERT INTO journal VALUES (1, 1, 'a', '{}'), (2, 1, 'b', '{}');
      INSERT INTO reviews VALUES (1, 'review-2', 2, 1, 'p', 'n', 'human_review', 'T', '{}', 'd', 'k', 5, 'open', NULL);
    `);
    const storage = new SqliteStorage({ database: db, pollMs: 0, now: () => 100 });
    const scope = { workspace: "acme", environment: "live" } as const;
    expect(await storage.runs.output({ scope, runId: "run-1", maxBytes: 99 })).toBeUndefined();
    expect(await storage.reviews.open({ scope, runId: "run-2" })).toMatchObject({ shown: undefined });
    const then = { kind: "ended", status: "completed", endedAtMs: 100, output: '{"n":1}' } as const;
    const end = { scope, runId: "run-2", epoch: 1, seq: 2, hash: "c", body: "{}", then };
    expect(await storage.runs.commit([end])).toEqual([{ status: "committed" }]);
    expect(await storage.runs.output({ scope, runId: "run-2", maxBytes: 99 })).toEqual({ bytes: 7, text: '{"n":1}' });
    await storage.close();
  });

  it("takes a database on that knew of no budgets: its runs reserve, settle and are archived as new ones are", async () => {
    migrate(db, migrations.slice(0, 4), true);
    db.exec(`
      INSERT INTO scopes VALUES (1, 'acme', 'live');
      INSERT INTO runs (run, run_id, scope, procedure_id, procedure_version, started_by, created_at_ms, status, epoch,
                        worker_id)
        VALUES (1, 'run-1', 1, 'p', 'v1', 'ada', 5, 'running', 1, 'worker-1');
      INSERT INTO journal VALUES (1, 1, 'a', '{}');
    `);
    const storage = new SqliteStorage({ database: db, pollMs: 0, now: () => 100 });
    const scope = { workspace: "acme", environment: "live" } as const;
    const amounts = [{ budget: "budget-1", amount: 7, atMost: 9 }];
    const request = { scope, runId: "run-1", key: "call-1", amounts };
    expect(await storage.budgets.reserve(request)).toMatchObject({ status: "reserved" });
    expect(await storage.budgets.reserve({ ...request, key: "call-2" })).toMatchObject({
      status: "exceeded",
      taken: 7,
    });
    const settle = [{ key: "call-1", spent: [{ budget: "budget-1", amount: 4 }] }];
    const then = { kind: "ended", status: "completed", endedAtMs: 100 } as const;
    const row = { scope, runId: "run-1", epoch: 1, seq: 2, hash: "b", body: "{}", settle, then };
    expect(await storage.runs.commit([row])).toEqual([{ status: "committed" }]);
    const stub = { runId: "run-1", seq: 2, hash: "b", output: undefined };
    const audit = { seq: 1, hash: "x", body: "{}" };
    expect(await storage.retention.archive({ scope, runs: [stub], audit })).toEqual({ status: "archived" });
    expect(await storage.budgets.taken(scope, ["budget-1"])).toEqual([4]);
    await storage.close();
    expect(db.prepare("SELECT count(*) AS rows FROM reservations").get()).toMatchObject({ rows: 0 });
    expect(db.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
  });

  it("takes deliveries on with their attempts, and has an inactive webhook subscribe again", async () => {
    migrate(db, migrations.slice(0, 7), true);
    db.exec(`
      INSERT INTO scopes VALUES (1, 'acme', 'live');
      INSERT INTO records VALUES
        (1, 'acme', 'webhook', 'hook-1', 'live', '{"isActive":false,"events":["run_failed","custom.paid"]}', 2),
        (2, 'acme', 'connection', 'bank', 'live', '{"events":["run_failed"]}', 1);
      INSERT INTO payloads VALUES (1, '{"n":1}');
      INSERT INTO deliveries (delivery, delivery_id, scope, webhook_id, event_id, event, created_at_ms, payload, status,
                              attempt_count, epoch, error)
        VALUES (7, 'dlv_1', 1, 'hook-1', 'event-1', 'run_failed', 5, 1, 'failed', 1, 1, 'It answered 500.');
      INSERT INTO delivery_attempts VALUES (7, 1, 6, 1, 'https://receiver.test', 500, 'status', 'It answered 500.', 0);
    `);
    const storage = new SqliteStorage({ database: db, pollMs: 0, now: () => 100 });
    const address = { scope: { workspace: "acme", environment: "live" }, webhookId: "hook-1" } as const;
    expect((await storage.deliveries.list({ ...address, limit: 9 })).items).toMatchObject([
      { deliveryId: "dlv_1", status: "failed", attemptCount: 1, data: '{"n":1}' },
    ]);
    expect(await storage.deliveries.attempts({ ...address, deliveryId: "dlv_1" })).toHaveLength(1);
    expect(await storage.records.get({ workspace: "acme", kind: "webhook", id: "hook-1" })).toMatchObject({
      keys: ["acme/live/custom.paid", "acme/live/run_failed"],
    });
    expect(await storage.records.get({ workspace: "acme", kind: "connection", id: "bank" })).toMatchObject({
      keys: [],
    });
    await storage.close();
    expect(db.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
    expect(db.prepare("SELECT name FROM sqlite_schema WHERE name LIKE 'new!_%' ESCAPE '!'").all()).toEqual([]);
  });

  it("leaves the version that was there when a step fails", () => {
    migrate(db, [first], true);
    expect(() => migrate(db, [first, second, broken], true)).toThrow("nowhere");
    expect(tables()).toEqual(["a"]);
    expect(readPragma(db, "user_version")).toBe(1);
    expect(db.isTransaction).toBe(false);
  });

  it("refuses a database of a newer version and says what to do", () => {
    migrate(db, [first, second], true);
    expect(() => migrate(db, [first], true)).toThrow(
      expect.objectContaining({
        code: "invalid_configuration",
        message: expect.stringMatching(/version 2, this program knows 1.*restore a backup/),
      }),
    );
  });

  it("refuses a file of another application", () => {
    db.exec("CREATE TABLE notes (text)");
    expect(() => migrate(db, [first], true)).toThrow(expect.objectContaining({ code: "invalid_configuration" }));
    db.exec("DROP TABLE notes; PRAGMA application_id = 7");
    expect(() => migrate(db, [first], true)).toThrow("another application");
    expect(tables()).toEqual([]);
  });

  it("changes nothing where it may not", () => {
    expect(() => migrate(db, [first], false)).toThrow("start the server once");
    expect(tables()).toEqual([]);
    migrate(db, [first], true);
    migrate(db, [first], false);
  });

  it("knows every released version by its number and name; none may change", () => {
    expect(migrations.map(({ name }) => name)).toEqual([
      "first schema",
      "sent deliveries",
      "archived runs",
      "invocations",
      "budgets",
      "payloads of invocations",
      "stored answers",
      "skipped deliveries",
    ]);
  });
});
