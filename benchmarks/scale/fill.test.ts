import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { SqliteStorage } from "@procedo/storage-sqlite";
import { afterEach, beforeEach, expect, test } from "vitest";
import { instantTools, paymentInput } from "../payment.ts";
import { openStorage } from "../procedo-storage.ts";
import { sessionOver } from "../procedo.ts";
import { copyStatement, fill } from "./fill.ts";

const scope = { workspace: "default", environment: "sandbox" } as const;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), "procedo-fill-"));
});
afterEach(() => rm(directory, { recursive: true, force: true }));

test("copies are runs that appear in lists, each with a journal and a review", async () => {
  const opened = await openStorage({ directory });
  const session = await sessionOver(opened, instantTools);
  await session.run(paymentInput(1));
  const waiting = await session.pause(paymentInput(2));
  const ended = (await opened.storage.runs.list({ scope, statuses: ["completed"], limit: 1 })).items[0]?.runId ?? "";
  await session.close();

  await fill(opened.database, { runId: ended, from: 0, count: 20 });
  await fill(opened.database, { runId: waiting, from: 20, count: 7 });

  const file = path.join(directory, "procedo.sqlite");
  const storage = await SqliteStorage.open({ path: file });
  const completed = await storage.runs.list({ scope, statuses: ["completed"], limit: 100 });
  expect(completed.items).toHaveLength(21);
  expect(new Set(completed.items.map(({ runId }) => runId)).size).toBe(21);
  expect((await storage.runs.list({ scope, statuses: ["awaiting_review"], limit: 100 })).items).toHaveLength(8);
  expect((await storage.reviews.list({ scope, status: "open", limit: 100 })).items).toHaveLength(8);
  const original = await storage.runs.journal({ scope, runId: ended });
  const copy = completed.items.find(({ runId }) => runId !== ended)?.runId ?? "";
  expect(await storage.runs.journal({ scope, runId: copy })).toEqual(original);
  await storage.close();
  const db = new DatabaseSync(file);
  expect(db.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
  db.close();
});

test("a column without a replacement is copied", () => {
  const statement = copyStatement({
    table: "t1",
    columns: ["id", "body"],
    changed: { id: "n" },
    numbers: "SELECT 1 AS n",
    where: "t.id = 0",
  });
  expect(statement).toBe(
    "INSERT INTO t1 (id, body) SELECT n, t.body FROM (SELECT 1 AS n) AS numbers, t1 AS t WHERE t.id = 0",
  );
});
