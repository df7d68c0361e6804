import type { RunCommit } from "@procedo/storage";
import { expect, it } from "vitest";
import { openRecordedStorage } from "./recorded-statements.ts";
import { commitAll, firstRow, scope } from "./run-rows.ts";

const committed = { status: "committed" };
const farMs = 1e15;

function keyed(runId: string, key: string, expiresAtMs = farMs): RunCommit {
  const first = firstRow(runId);
  if (first.create === undefined) throw new Error("A first row creates its run.");
  return { ...first, create: { ...first.create, idempotency: { key, digest: `digest of ${key}`, expiresAtMs } } };
}

it("first rows are one statement, for one run and for many, with keys and without", async () => {
  const { storage, asked } = await openRecordedStorage();
  asked();
  expect(await storage.runs.commit(firstRow("run-1"))).toEqual(committed);
  expect(asked()).toEqual(["commit-create"]);
  expect(await storage.runs.commit(keyed("run-2", "a"))).toEqual(committed);
  expect(asked()).toEqual(["commit-create"]);
  const many = [firstRow("run-3"), keyed("run-4", "b"), keyed("run-5", "c")];
  expect(await commitAll(storage.runs, many)).toEqual([committed, committed, committed]);
  expect(asked()).toEqual(["commit-create"]);
  const { items } = await storage.runs.list({ scope, limit: 9 });
  expect(items.map(({ runId }) => runId)).toEqual(["run-5", "run-4", "run-3", "run-2", "run-1"]);
});

it("a run is created in the same way with an event and without", async () => {
  const { storage, asked } = await openRecordedStorage();
  await storage.runs.commit(keyed("run-1", "a"));
  asked();
  const saysMore: RunCommit = {
    ...keyed("run-2", "b"),
    events: [{ eventId: "evt-2", event: "paid", createdAtMs: 5, data: "{}" }],
  };
  await storage.runs.commit(saysMore);
  expect(asked()).toEqual(["commit-create-events"]);
  const leftBy = async (runId: string) => {
    const run = await storage.runs.get({ scope, runId });
    const rows = await storage.runs.journal({ scope, runId });
    return JSON.parse(JSON.stringify({ run, rows }).replaceAll(runId, "run")) as unknown;
  };
  expect(await leftBy("run-1")).toEqual(await leftBy("run-2"));
  for (const key of ["a", "b"]) {
    const again = await commitAll(storage.runs, [keyed("run-9", key)]);
    expect(again).toEqual([{ status: "exists", runId: key === "a" ? "run-1" : "run-2", digest: `digest of ${key}` }]);
  }
});

it("an existing run or key is reported, and does not affect other runs", async () => {
  const { storage, asked } = await openRecordedStorage();
  await commitAll(storage.runs, [keyed("run-1", "a"), keyed("run-2", "b", 1), firstRow("run-3")]);
  asked();
  const results = await commitAll(storage.runs, [
    keyed("run-4", "a"),
    keyed("run-5", "b"),
    firstRow("run-6"),
    keyed("run-1", "a"),
    firstRow("run-3"),
    { ...firstRow("run-3"), hash: "another" },
  ]);
  expect(results).toEqual([
    { status: "exists", runId: "run-1", digest: "digest of a" },
    // The key had expired.
    committed,
    committed,
    // A repetition.
    committed,
    committed,
    { status: "fenced" },
  ]);
  expect(await storage.runs.commit(keyed("run-7", "b"))).toEqual({
    status: "exists",
    runId: "run-5",
    digest: "digest of b",
  });
});
