import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { LaterItems, RunCommit } from "@procedo/storage";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { SqliteStorage } from "../src/index.ts";
import { committed, firstRow, row, scope } from "./rows.ts";
import { temporaryDirectory } from "./temporary-files.ts";

let path: string;
let storage: SqliteStorage;
let other: DatabaseSync;

const heldByRun2 = { status: "exists", runId: "run-2", digest: "digest of run-2" };

const asks = { kind: "parked", status: "awaiting_review", wakeAtMs: undefined } as const;
const openReview = {
  reviewId: "review-1",
  nodeId: "node",
  kind: "human_review",
  title: "Pay?",
  body: "{}",
  digest: "digest",
  effectKey: "effect",
  openedAtMs: 1_790_000_000_000,
};

beforeEach(async () => {
  path = join(temporaryDirectory(), "procedo.sqlite");
  storage = await SqliteStorage.open({ path, lockWaitMs: 60_000, pollMs: 0 });
  onTestFinished(() => storage.close());
  other = new DatabaseSync(path);
  onTestFinished(() => other.close());
});

/** Counts commits of other connections. */
const version = (): unknown => other.prepare("PRAGMA data_version").get();

function lateRows(...rows: readonly RunCommit[]): LaterItems & { readonly waiting: RunCommit[] } {
  const waiting = [...rows];
  return { waiting, count: () => waiting.length, take: () => waiting.splice(0) };
}

function keyed(runId: string): RunCommit {
  const { create, ...rest } = firstRow(runId);
  if (create === undefined) throw new Error("It creates its run.");
  const idempotency = { key: "key", digest: `digest of ${runId}`, expiresAtMs: Date.now() + 60_000 };
  return { ...rest, create: { ...create, idempotency } };
}

it("what comes before the transaction begins is in it", async () => {
  await storage.runs.commit([firstRow("run-0")]);
  const before = version();
  const later = lateRows();
  const writing = storage.runs.commit([firstRow("run-1")], later);
  later.waiting.push(firstRow("run-2"), row("run-0", 2));
  expect(await writing).toEqual([committed, committed, committed]);
  const after = version();
  expect(after).not.toEqual(before);
  expect(await storage.runs.journal({ scope, runId: "run-0" })).toHaveLength(2);
  expect(version()).toEqual(after);
});

it("a late row that cannot be stored fails none of the others, and is asked for once", async () => {
  await storage.runs.commit([firstRow("run-0", { openReview, then: asks })]);
  let asked = 0;
  const take = (): readonly RunCommit[] => {
    asked += 1;
    // The first is refused before it is sent, the second by the database: its review exists.
    return [
      firstRow("run-3", { body: "half a pair: \ud800" }),
      firstRow("run-4", { openReview, then: asks }),
      row("run-1", 2),
    ];
  };
  const results = await storage.runs.commit([firstRow("run-1"), keyed("run-2")], { count: () => 3, take });
  expect(results.map(({ status }) => status)).toEqual(["committed", "committed", "refused", "refused", "committed"]);
  expect(asked).toBe(1);
  expect(await storage.runs.commit([keyed("run-5")])).toEqual([heldByRun2]);
});

it("while another process holds the lock nothing is taken, and then all of it at once", async () => {
  other.exec("BEGIN IMMEDIATE");
  const later = lateRows(firstRow("run-2"));
  const writing = storage.runs.commit([firstRow("run-1")], later);
  for (let turn = 0; turn < 50; turn++) await nextTurn();
  later.waiting.push(firstRow("run-3"));
  expect(later.waiting).toHaveLength(2);
  other.exec("COMMIT");
  expect(await writing).toEqual([committed, committed, committed]);
});

it("what was never taken is not failed by a lock that lasts", async () => {
  await storage.close();
  const impatient = await SqliteStorage.open({ path, lockWaitMs: 5, pollMs: 0 });
  onTestFinished(() => impatient.close());
  other.exec("BEGIN IMMEDIATE");
  const later = lateRows(firstRow("run-2"));
  await expect(impatient.runs.commit([firstRow("run-1")], later)).rejects.toMatchObject({
    code: "storage_unavailable",
  });
  expect(later.waiting).toHaveLength(1);
  other.exec("COMMIT");
});

it("a start that finds its key held writes nothing", async () => {
  await storage.runs.commit([keyed("run-2")]);
  const before = version();
  expect(await storage.runs.commit([keyed("run-3"), keyed("run-4")])).toEqual([heldByRun2, heldByRun2]);
  expect(version()).toEqual(before);
});
