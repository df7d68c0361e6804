import { copyFileSync, mkdirSync, renameSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { SqliteStorage } from "../src/index.ts";
import { committed, firstRow, row, scope } from "./rows.ts";
import { temporaryDirectory } from "./temporary-files.ts";

interface Opened {
  readonly folder: string;
  readonly path: string;
  readonly storage: SqliteStorage;
  readonly reported: readonly string[];
}

/** A storage in a separate folder with one run; only its own commits check its files. */
async function open(pollMs = 0): Promise<Opened> {
  const folder = join(temporaryDirectory(), "data");
  mkdirSync(folder);
  const path = join(folder, "procedo.sqlite");
  const reported: string[] = [];
  const storage = await SqliteStorage.open({ path, pollMs, onFileLost: (message) => reported.push(message) });
  onTestFinished(() => storage.close());
  expect(await storage.runs.commit(firstRow("run-1"))).toEqual(committed);
  return { folder, path, storage, reported };
}

const replace = (path: string): void => {
  copyFileSync(path, `${path}.copy`);
  renameSync(`${path}.copy`, path);
};

const losses: readonly [string, string, string, (opened: Opened) => void][] = [
  ["the database is removed", "", "was removed", ({ path }) => rmSync(path)],
  ["the database is moved", "", "was removed", ({ path }) => renameSync(path, `${path}.old`)],
  ["the database is replaced", "", "was replaced", ({ path }) => replace(path)],
  ["the database is emptied", "", "was emptied", ({ path }) => truncateSync(path)],
  ["the log is removed", "-wal", "was removed", ({ path }) => rmSync(`${path}-wal`)],
  ["the log is replaced", "-wal", "was replaced", ({ path }) => replace(`${path}-wal`)],
  ["the log's index is removed", "-shm", "was removed", ({ path }) => rmSync(`${path}-shm`)],
  ["the folder is moved", "", "was removed", ({ folder }) => renameSync(folder, `${folder}.old`)],
];

test.each(losses)("once %s, nothing more is acknowledged or read", async (_name, end, what, lose) => {
  const opened = await open();
  const { storage, reported, path } = opened;
  lose(opened);
  const refusal = { code: "storage_unavailable", retryable: true, message: expect.stringContaining(what) as string };
  await expect(storage.runs.commit(row("run-1", 2))).rejects.toMatchObject(refusal);
  await expect(storage.runs.commit(firstRow("run-2"))).rejects.toMatchObject(refusal);
  await expect(storage.runs.get({ scope, runId: "run-1" })).rejects.toMatchObject(refusal);
  expect(reported).toEqual([expect.stringMatching(/procedo restore.* start again/)]);
  expect(reported[0]).toContain(`"${path}${end}" ${what}`);
});

test("a database that is moved back is used again, with its data", async () => {
  const { storage, path, reported } = await open();
  renameSync(path, `${path}.old`);
  await expect(storage.runs.commit(row("run-1", 2))).rejects.toMatchObject({ code: "storage_unavailable" });
  renameSync(`${path}.old`, path);
  expect(await storage.runs.commit(row("run-1", 2))).toEqual(committed);
  expect(await storage.runs.journal({ scope, runId: "run-1" })).toHaveLength(2);
  expect(reported).toHaveLength(1);
});

test("a loss is noticed without a commit, by a check", async () => {
  const { storage, path, reported } = await open(1);
  rmSync(path);
  await expect.poll(() => reported.length).toBe(1);
  await expect(storage.runs.get({ scope, runId: "run-1" })).rejects.toMatchObject({ code: "storage_unavailable" });
});
