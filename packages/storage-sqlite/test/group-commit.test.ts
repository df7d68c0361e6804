import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, expect, it, onTestFinished } from "vitest";
import { SqliteStorage } from "../src/index.ts";
import { commitAll, committed, firstRow, row, scope } from "./rows.ts";
import { temporaryDirectory } from "./temporary-files.ts";

let path: string;
let storage: SqliteStorage;
let other: DatabaseSync;

beforeEach(async () => {
  path = join(temporaryDirectory(), "procedo.sqlite");
  storage = await SqliteStorage.open({ path, lockWaitMs: 60_000, pollMs: 0 });
  onTestFinished(() => storage.close());
  other = new DatabaseSync(path);
  onTestFinished(() => other.close());
});

/** Changes with every transaction that another connection has committed. */
const version = (): unknown => other.prepare("PRAGMA data_version").get();

it("commits of one turn of the event loop become durable in one transaction", async () => {
  await storage.runs.commit(firstRow("run-0"));
  version();
  const versions: unknown[] = [];
  const noted = async (commit: Promise<unknown>): Promise<unknown> => {
    const result = await commit;
    versions.push(version());
    return result;
  };
  const commits = [firstRow("run-1"), firstRow("run-2"), row("run-0", 2)];
  expect(await Promise.all(commits.map((commit) => noted(storage.runs.commit(commit))))).toEqual(
    commits.map(() => committed),
  );
  expect(new Set(versions.map((each) => JSON.stringify(each))).size).toBe(1);
  expect(await storage.runs.journal({ scope, runId: "run-0" })).toHaveLength(2);
});

it("a commit that cannot be stored fails no other in its transaction", async () => {
  const then = { kind: "parked", status: "awaiting_review", wakeAtMs: undefined } as const;
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
  await storage.runs.commit(firstRow("run-0", { openReview, then }));
  const results = await commitAll(storage.runs, [
    firstRow("run-1"),
    // The first is refused before it is sent, the second by the database: its review exists.
    firstRow("run-2", { body: "half a pair: \ud800" }),
    firstRow("run-3", { openReview, then }),
    firstRow("run-4"),
  ]);
  expect(results.map(({ status }) => status)).toEqual(["committed", "refused", "refused", "committed"]);
});

it("a flood of commits in one environment does not delay a commit in the other", async () => {
  const order: string[] = [];
  const live = { ...firstRow("live"), scope: { ...scope, environment: "live" as const } };
  const flood = Array.from({ length: 1_000 }, (_, index) => ({
    ...firstRow(`sandbox-${index}`),
    scope: { ...scope, environment: "sandbox" as const },
  }));
  const commits = [...flood, live];
  await Promise.all(commits.map((commit) => storage.runs.commit(commit).then(() => order.push(commit.runId))));
  expect(order).toHaveLength(commits.length);
  expect(order.indexOf("live")).toBeLessThanOrEqual(64);
});

it("while another process holds the lock commits wait, and then become durable", async () => {
  other.exec("BEGIN IMMEDIATE");
  const first = storage.runs.commit(firstRow("run-1"));
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
  const second = storage.runs.commit(firstRow("run-2"));
  other.exec("COMMIT");
  expect(await Promise.all([first, second])).toEqual([committed, committed]);
});

it("a start that finds its key held writes nothing", async () => {
  const keyed = (runId: string) => {
    const { create, ...rest } = firstRow(runId);
    if (create === undefined) throw new Error("It creates its run.");
    const idempotency = { key: "key", digest: `digest of ${runId}`, expiresAtMs: Date.now() + 60_000 };
    return { ...rest, create: { ...create, idempotency } };
  };
  await storage.runs.commit(keyed("run-1"));
  const before = version();
  const heldByRun1 = { status: "exists", runId: "run-1", digest: "digest of run-1" };
  expect(await commitAll(storage.runs, [keyed("run-2"), keyed("run-3")])).toEqual([heldByRun1, heldByRun1]);
  expect(version()).toEqual(before);
});
