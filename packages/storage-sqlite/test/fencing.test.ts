import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, it, onTestFinished, vi } from "vitest";
import { SqliteStorage } from "../src/index.ts";
import { commitAll, committed, firstRow, row, scope } from "./rows.ts";
import { temporaryDirectory } from "./temporary-files.ts";

const fenced = { status: "fenced" } as const;

async function open(path: string): Promise<SqliteStorage> {
  const storage = await SqliteStorage.open({ path, pollMs: 0 });
  onTestFinished(() => storage.close());
  return storage;
}

it.each([
  ["claimed", []],
  ["claimed and continued", [{ kind: "hot", workerId: "worker-2" }]],
  ["claimed and ended", [{ kind: "ended", status: "completed", endedAtMs: 1 }]],
] as const)("a run that another connection has %s rejects further rows of its former owner", async (_what, places) => {
  const path = join(temporaryDirectory(), "procedo.sqlite");
  const [storage, other] = [await open(path), await open(path)];
  await storage.runs.commit(firstRow("run-1"));
  await storage.runs.commit(row("run-1", 2));
  const claim = { workspace: scope.workspace, workerId: "worker-2", limit: 1 };
  expect((await other.runs.claim(claim)).runs).toMatchObject([{ runId: "run-1", epoch: 2 }]);
  for (const then of places) expect(await other.runs.commit(row("run-1", 3, { epoch: 2, then }))).toEqual(committed);
  const before = await other.runs.journal({ scope, runId: "run-1" });

  expect(await storage.runs.commit(row("run-1", 3, { hash: "late" }))).toEqual(fenced);
  expect(await storage.runs.journal({ scope, runId: "run-1" })).toEqual(before);
});

it("a row that was lost on a full disk does not count as the predecessor of the next", async () => {
  const database = new DatabaseSync(join(temporaryDirectory(), "procedo.sqlite"));
  onTestFinished(() => database.close());
  const storage = new SqliteStorage({ database, pollMs: 0 });
  onTestFinished(() => storage.close());
  await commitAll(storage.runs, [firstRow("run-1"), firstRow("run-2")]);
  const large = row("run-2", 2, { body: JSON.stringify("x".repeat(500_000)) });
  database.exec(`PRAGMA max_page_count = ${String(database.prepare("PRAGMA page_count").get()?.["page_count"])}`);
  const lost = commitAll(storage.runs, [row("run-1", 2), large]);
  await expect(lost).rejects.toMatchObject({ code: "storage_unavailable" });
  database.exec("PRAGMA max_page_count = 1000000");

  expect(await storage.runs.commit(row("run-1", 3))).toEqual(fenced);
  expect(await storage.runs.commit(row("run-1", 2))).toEqual(committed);
});

it("a row whose COMMIT failed does not count as the predecessor of the next", async () => {
  const database = new DatabaseSync(join(temporaryDirectory(), "procedo.sqlite"));
  onTestFinished(() => database.close());
  const prepare = vi.spyOn(database, "prepare");
  const storage = new SqliteStorage({ database, pollMs: 0 });
  onTestFinished(() => storage.close());
  const index = prepare.mock.calls.findIndex(([sql]) => sql === "COMMIT");
  const commit: unknown = prepare.mock.results[index]?.value;
  await storage.runs.commit(firstRow("run-1"));
  vi.spyOn(commit as ReturnType<DatabaseSync["prepare"]>, "run").mockImplementationOnce(() => {
    throw Object.assign(new Error("database or disk is full"), { code: "ERR_SQLITE_ERROR", errcode: 13 });
  });
  await expect(storage.runs.commit(row("run-1", 2))).rejects.toMatchObject({ code: "storage_unavailable" });

  expect(await storage.runs.commit(row("run-1", 3))).toEqual(fenced);
  expect(await storage.runs.commit(row("run-1", 2))).toEqual(committed);
});
