import { existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { webhookEventKey, type TriggerGate } from "@procedo/storage";
import { backupDatabase, restoreDatabase, SqliteStorage } from "../src/index.ts";
import { commitAll, firstRow, scope } from "./rows.ts";
import { temporaryDirectory } from "./temporary-files.ts";

async function backupIn(folder: string): Promise<string> {
  const path = join(temporaryDirectory(), "procedo.sqlite");
  await (await SqliteStorage.open({ path })).close();
  const to = join(folder, "backup.sqlite");
  await backupDatabase({ from: path, to });
  return to;
}

it("a backup that is taken during writes contains every commit that was acknowledged before, and opens as storage", async () => {
  const folder = temporaryDirectory();
  const from = join(folder, "procedo.sqlite");
  const to = join(folder, "backup.sqlite");
  const storage = await SqliteStorage.open({ path: from });
  onTestFinished(() => storage.close());
  const acknowledged: string[] = [];
  let writing = true;
  const writer = (async () => {
    for (let index = 0; writing; index++) {
      const runId = `run-${index}`;
      await storage.runs.commit(firstRow(runId));
      acknowledged.push(runId);
    }
  })();
  while (acknowledged.length < 50) await new Promise((resolve) => setImmediate(resolve));

  const before = [...acknowledged];
  const { bytes } = await backupDatabase({ from, to });
  writing = false;
  await writer;

  expect(statSync(to)).toMatchObject({ size: bytes });
  expect(statSync(to).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).filter((name) => name.startsWith("backup"))).toEqual(["backup.sqlite"]);
  const copy = await SqliteStorage.open({ path: to, migrate: false });
  onTestFinished(() => copy.close());
  for (const runId of before) expect(await copy.runs.journal({ scope, runId })).toHaveLength(1);
});

it("an existing file is never replaced", async () => {
  const folder = temporaryDirectory();
  const from = join(folder, "procedo.sqlite");
  await (await SqliteStorage.open({ path: from })).close();
  const to = join(folder, "precious.txt");
  writeFileSync(to, "precious");
  await expect(backupDatabase({ from, to })).rejects.toMatchObject({ code: "invalid_input" });
  expect(statSync(to).size).toBe(8);
});

it("a backup of a missing database does not create it", async () => {
  const folder = temporaryDirectory();
  const from = join(folder, "missing.sqlite");
  const attempt = backupDatabase({ from, to: join(folder, "backup.sqlite") });
  await expect(attempt).rejects.toMatchObject({ code: "invalid_input", message: expect.stringContaining(from) });
  expect(readdirSync(folder)).toEqual([]);
});

it("a file that is not a database is refused, and nothing is left behind", async () => {
  const folder = temporaryDirectory();
  const from = join(folder, "notes.txt");
  writeFileSync(from, "not a database, but long enough to be taken for one".repeat(100));
  const to = join(folder, "backup.sqlite");
  await expect(backupDatabase({ from, to })).rejects.toMatchObject({ code: "storage_unavailable" });
  expect(existsSync(to)).toBe(false);
  expect(readdirSync(folder)).toEqual(["notes.txt"]);
});

it("a restored backup resends no delivery that was pending in it, unless requested", async () => {
  const folder = temporaryDirectory();
  const [from, backup] = [join(folder, "procedo.sqlite"), join(folder, "backup.sqlite")];
  const storage = await SqliteStorage.open({ path: from });
  const body = { body: "{}", uniqueKeys: [], keys: [webhookEventKey(scope, "run_completed")] };
  const record = { ...scope, kind: "webhook", id: "webhook-1", ...body };
  await storage.records.put({ record, ifRevision: 0 });
  const event = { eventId: "event-1", event: "run_completed", createdAtMs: 1, data: "{}" };
  await storage.runs.commit(firstRow("run-1", { events: [event] }));
  await backupDatabase({ from, to: backup });
  await storage.close();

  const restored = async (name: string, resendDeliveries: boolean) => {
    const path = join(folder, name);
    const { deliveriesEnded } = await restoreDatabase({ from: backup, to: path, resendDeliveries });
    const opened = await SqliteStorage.open({ path });
    onTestFinished(() => opened.close());
    const limits = { total: 10, perWebhook: 10 };
    const request = { workspace: scope.workspace, limits: { sandbox: limits, live: limits }, leaseMs: 1_000 };
    const { deliveries } = await opened.deliveries.claim(request);
    const { items } = await opened.deliveries.list({ scope, webhookId: "webhook-1", limit: 10 });
    return { deliveriesEnded, claimed: deliveries.length, items };
  };
  expect(await restored("quiet.sqlite", false)).toMatchObject({
    deliveriesEnded: 1,
    claimed: 0,
    items: [{ status: "failed", error: expect.stringContaining("restored") }],
  });
  expect(await restored("again.sqlite", true)).toMatchObject({
    deliveriesEnded: 0,
    claimed: 1,
    items: [{ status: "pending" }],
  });
});

it("a restored backup dispatches no call that another database may have dispatched: people decide", async () => {
  const folder = temporaryDirectory();
  const [from, backup, to] = ["procedo.sqlite", "backup.sqlite", "restored.sqlite"].map((name) => join(folder, name));
  const connection = { scope, connectionId: "connection-1" };
  const poll = { ...connection, functions: ["pay", "screen"], limit: 9, leaseMs: 60_000 };
  const storage = await SqliteStorage.open({ path: from ?? "" });
  const call = { ...connection, effectKey: "call-1", payload: "{}", deadlineMs: Date.now() + 60_000 };
  const then = { kind: "parked", status: "running", wakeAtMs: call.deadlineMs } as const;
  const functions = [
    ["run-1", "pay", false],
    ["run-2", "screen", true],
    ["run-3", "pay", false],
    ["run-4", "pay", false],
  ] as const;
  await commitAll(
    storage.runs,
    functions.map(([runId, functionName, idempotent]) =>
      firstRow(runId, { invocation: { ...call, invocationId: `of-${runId}`, functionName, idempotent }, then }),
    ),
  );
  const [first] = await storage.invocations.lease({ ...poll, limit: 1, leaseToken: "token-1" });
  expect(first).toMatchObject({ runId: "run-1" });
  await storage.invocations.withdraw({ scope, runId: "run-4", effectKey: "call-1" });
  await backupDatabase({ from: from ?? "", to: backup ?? "" });
  await storage.close();

  await restoreDatabase({ from: backup ?? "", to: to ?? "" });
  const restored = await SqliteStorage.open({ path: to ?? "" });
  onTestFinished(() => restored.close());
  const leased = await restored.invocations.lease({ ...poll, leaseToken: "token-2" });
  expect(leased).toMatchObject([{ runId: "run-2", functionName: "screen" }]);
  const lapsed = await restored.invocations.expireLeases({ workspace: scope.workspace, limit: 9, body: "{}" });
  expect(lapsed.map(({ runId }) => runId)).toEqual(["run-1", "run-3"]);
  const late = { ...connection, invocationId: "of-run-1", leaseToken: "token-1", body: "{}" };
  expect(await restored.invocations.settle(late)).toMatchObject({ status: "accepted" });
});

it("a restored backup starts no firing of its queue, and marks the schedules whose times may have fired", async () => {
  const folder = temporaryDirectory();
  const [from, backup, to] = ["procedo.sqlite", "backup.sqlite", "restored.sqlite"].map((name) => join(folder, name));
  const storage = await SqliteStorage.open({ path: from ?? "" });
  const gate = { overlap: "queue", maxOpenRuns: undefined, isHeld: false, schedule: undefined } as const;
  const putTrigger = async (id: string, source: object, trigger: TriggerGate) => {
    const record = {
      ...scope,
      kind: "trigger",
      id,
      body: JSON.stringify({ source }),
      uniqueKeys: [],
      keys: [],
      trigger,
    };
    await storage.records.put({ record, ifRevision: 0 });
  };
  const schedule = { accountedAtMs: 1, dueAtMs: 2 };
  await putTrigger("trg-1", { kind: "webhook" }, gate);
  await putTrigger("trg-2", { kind: "schedule" }, { ...gate, schedule });
  const firings = ["one", "two", "three"].map((dedupeKey) => ({ dedupeKey }));
  await storage.triggers.add({ scope, triggerId: "trg-1", firings });
  const claim = { workspace: scope.workspace, limits: { sandbox: 9, live: 9 }, leaseMs: 60_000 };
  const { firings: claimed } = await storage.triggers.claim(claim);
  await storage.triggers.settle(
    claimed.map((firing) => ({ ...firing, next: { status: "skipped", reason: "filtered" } as const })),
  );
  await backupDatabase({ from: from ?? "", to: backup ?? "" });
  await storage.close();

  const beforeMs = Date.now();
  expect(await restoreDatabase({ from: backup ?? "", to: to ?? "" })).toMatchObject({ firingsEnded: 2 });
  const restored = await SqliteStorage.open({ path: to ?? "" });
  onTestFinished(() => restored.close());
  expect((await restored.triggers.claim({ ...claim, leaseMs: 1 })).firings).toEqual([]);
  const { items } = await restored.triggers.list({ scope, triggerId: "trg-1", limit: 9 });
  expect(items.map(({ status, reason }) => `${status}: ${reason}`)).toEqual([
    "skipped: restored",
    "skipped: restored",
    "skipped: filtered",
  ]);
  const rowOf = (id: string) => restored.records.get({ workspace: scope.workspace, kind: "trigger", id });
  expect(await rowOf("trg-1")).toMatchObject({ body: '{"source":{"kind":"webhook"}}', revision: 1 });
  const marked = await rowOf("trg-2");
  expect(marked).toMatchObject({ revision: 2 });
  const { source, restoredAtMs } = JSON.parse(marked?.body ?? "") as { source: object; restoredAtMs: number };
  expect(source).toEqual({ kind: "schedule" });
  expect(restoredAtMs).toBeGreaterThanOrEqual(beforeMs);
  // The mark makes an advance stale that was decided without it.
  const advance = { scope, triggerId: "trg-2", dueAtMs: 2, firings: [{ scheduledAtMs: 2 }], next: schedule };
  expect(await restored.triggers.advance([{ ...advance, revision: 1 }])).toEqual(["stale"]);
});

it.each(["-wal", "-shm", "-journal"])(
  "a log %s of another database stays unchanged, and no copy is placed beside it",
  async (end) => {
    const folder = temporaryDirectory();
    const to = join(folder, "procedo.sqlite");
    const from = await backupIn(folder);
    writeFileSync(`${to}${end}`, "its last commits");
    for (const copyTo of [restoreDatabase, backupDatabase]) {
      await expect(copyTo({ from, to })).rejects.toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining(`"${to}${end}" is left over`),
      });
    }
    expect(readdirSync(folder).sort()).toEqual(["backup.sqlite", `procedo.sqlite${end}`]);
    expect(readFileSync(`${to}${end}`, "utf8")).toBe("its last commits");
  },
);

it("a database that appears during the restore is left unchanged, and so is its log", async () => {
  const folder = temporaryDirectory();
  const to = join(folder, "procedo.sqlite");
  const from = await backupIn(folder);
  for (const appearing of [to, `${to}-wal`]) {
    const restoring = restoreDatabase({ from, to });
    while (!readdirSync(folder).some((name) => name.endsWith(".tmp"))) await nextTurn();
    writeFileSync(appearing, "somebody else's");
    await expect(restoring).rejects.toMatchObject({ code: "invalid_input" });
    expect(readFileSync(appearing, "utf8")).toBe("somebody else's");
    rmSync(appearing);
  }
  expect(readdirSync(folder)).toEqual(["backup.sqlite"]);
});

it("a file with a name like a draft's is not treated as a draft", async () => {
  const folder = temporaryDirectory();
  const to = join(folder, "procedo.sqlite");
  const from = await backupIn(folder);
  writeFileSync(`${to}.tmp`, "precious");
  const restored = await Promise.allSettled([restoreDatabase({ from, to }), restoreDatabase({ from, to })]);
  expect(restored.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  expect(readFileSync(`${to}.tmp`, "utf8")).toBe("precious");
  expect(readdirSync(folder).sort()).toEqual(["backup.sqlite", "procedo.sqlite", "procedo.sqlite.tmp"]);
});

it("a missing folder is reported", async () => {
  const from = await backupIn(temporaryDirectory());
  const attempt = backupDatabase({ from, to: join(temporaryDirectory(), "missing", "procedo.sqlite") });
  await expect(attempt).rejects.toMatchObject({ code: "storage_unavailable" });
});

it("only a backup of this format is restored", async () => {
  const folder = temporaryDirectory();
  const from = join(folder, "other.sqlite");
  const other = new DatabaseSync(from);
  other.exec("CREATE TABLE accounts (id)");
  other.close();
  const attempt = restoreDatabase({ from, to: join(folder, "procedo.sqlite") });
  await expect(attempt).rejects.toMatchObject({ code: "invalid_configuration" });
  expect(readdirSync(folder)).toEqual(["other.sqlite"]);
});
