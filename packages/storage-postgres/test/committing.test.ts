import { expect, it } from "vitest";
import type { RunCommit } from "@procedo/storage";
import { openRecordedStorage } from "./recorded-statements.ts";
import { commitAll, firstRow, post, row, scope } from "./run-rows.ts";

const ended = { kind: "ended", status: "completed", endedAtMs: 5 } as const;
const awaiting = { kind: "parked", status: "awaiting_review", wakeAtMs: undefined } as const;
const committed = { status: "committed" };

function toldOf(runId: string, event: string): NonNullable<RunCommit["events"]>[number] {
  return { eventId: `evt-${runId}-${event}`, event, createdAtMs: 5, data: "{}" };
}

function ending(runId: string): RunCommit {
  return row(runId, 2, { then: ended, events: [toldOf(runId, "run_completed")] });
}

function asking(runId: string): RunCommit {
  const shown = { nodeId: "approve", kind: "human_review", title: "Pay?", body: "{}", digest: "digest" };
  const openReview = { ...shown, reviewId: `review-of-${runId}`, effectKey: "approve-1", openedAtMs: 1 };
  return row(runId, 2, { openReview, then: awaiting, events: [toldOf(runId, "human_review_requested")] });
}

it("rows are one statement, with their effects, for one run and for many", async () => {
  const { storage, asked } = await openRecordedStorage();
  await commitAll(
    storage.runs,
    ["run-1", "run-2", "run-3"].map((runId) => firstRow(runId)),
  );
  asked();
  expect(await storage.runs.commit(asking("run-1"))).toEqual(committed);
  expect(asked()).toEqual(["commit-append-reviews-events"]);
  expect(await commitAll(storage.runs, [asking("run-2"), ending("run-3")])).toEqual([committed, committed]);
  expect(asked()).toEqual(["commit-append-reviews-events"]);
});

it("a run that parks until a past time is claimable at once", async () => {
  const { storage } = await openRecordedStorage();
  await commitAll(storage.runs, [firstRow("run-1"), firstRow("run-2")]);
  const changes: string[] = [];
  storage.watch(({ type }) => void changes.push(type));
  await storage.runs.commit(row("run-1", 2, { then: { kind: "parked", status: "running", wakeAtMs: 1e15 } }));
  expect(changes).not.toContain("claimable");
  await storage.runs.commit(row("run-2", 2, { then: { kind: "parked", status: "running", wakeAtMs: 0 } }));
  expect(changes).toContain("claimable");
  const claim = { workspace: scope.workspace, workerId: "worker-2", limit: 5 };
  expect(await storage.runs.claim(claim)).toMatchObject({ runs: [{ runId: "run-2", epoch: 2 }] });
});

it("one notification announces all claimable runs of a commit, and none of the refused ones", async () => {
  const { storage, asked } = await openRecordedStorage();
  const runIds = ["run-1", "run-2", "run-3", "run-4"];
  await commitAll(
    storage.runs,
    runIds.map((runId) => firstRow(runId)),
  );
  const changes: string[] = [];
  storage.watch(({ type }) => void changes.push(type));
  const parked = (runId: string, wakeAtMs: number): RunCommit =>
    row(runId, 2, { then: { kind: "parked", status: "running", wakeAtMs } });
  asked();
  const refused = { ...parked("run-4", 0), epoch: 2 };
  expect(await commitAll(storage.runs, [parked("run-1", 1e15), refused])).toEqual([committed, { status: "fenced" }]);
  expect(asked()).toContain("commit-append");
  expect(changes).not.toContain("claimable");
  await commitAll(storage.runs, [ending("run-2"), parked("run-3", 0), parked("run-4", 0)]);
  expect(changes.filter((type) => type === "claimable")).toEqual(["claimable"]);
});

it("rows of different kinds are stored separately, and none waits for the others", async () => {
  const { storage, asked } = await openRecordedStorage();
  await storage.runs.commit(firstRow("run-1"));
  asked();
  expect(await commitAll(storage.runs, [firstRow("run-2"), ending("run-1")])).toEqual([committed, committed]);
  expect(asked()).toEqual(expect.arrayContaining(["commit-create", "commit-append-events"]));
});

it("a refused row gets the reason, and delays no other run", async () => {
  const { storage } = await openRecordedStorage();
  const runIds = ["run-1", "run-2", "run-3", "run-4", "run-5", "run-6"];
  await commitAll(
    storage.runs,
    runIds.map((runId) => firstRow(runId)),
  );
  await storage.inbox.post([post("run-1"), post("run-2")]);
  await storage.runs.commit(ending("run-3"));
  const others = { workspace: "another", environment: "sandbox" } as const;
  const results = await commitAll(storage.runs, [
    ending("run-1"),
    asking("run-2"),
    ending("run-3"),
    { ...ending("run-4"), epoch: 2 },
    { ...ending("run-5"), scope: others },
    { ...ending("run-6"), seq: 3 },
    ending("run-7"),
  ]);
  const fenced = { status: "fenced" };
  expect(results).toEqual([{ status: "inbox_not_empty" }, committed, committed, fenced, fenced, fenced, fenced]);
  expect(await storage.runs.get({ scope, runId: "run-2" })).toMatchObject({ status: "running" });
  expect(await storage.runs.commit(ending("run-6"))).toEqual(committed);
});

it("an event is delivered to subscribed webhooks, and stored nowhere else", async () => {
  const { storage, asked } = await openRecordedStorage();
  const keys = [`${scope.workspace}/${scope.environment}/run_completed`];
  const record = { ...scope, kind: "webhook", id: "hook-1", body: "{}", uniqueKeys: [], keys };
  await storage.records.put({ record, ifRevision: 0 });
  await commitAll(
    storage.runs,
    ["run-1", "run-2", "run-3"].map((runId) => firstRow(runId)),
  );
  const changes: string[] = [];
  storage.watch(({ type }) => void changes.push(type));
  asked();
  await storage.runs.commit(asking("run-1"));
  expect(changes).not.toContain("deliverable");
  await commitAll(storage.runs, [ending("run-2"), ending("run-3")]);
  expect(asked()).toEqual(["commit-append-reviews-events", "commit-append-events"]);
  expect(changes.filter((type) => type === "deliverable")).toEqual(["deliverable"]);
  const { items } = await storage.deliveries.list({ scope, webhookId: "hook-1", limit: 5 });
  expect(items.map(({ eventId }) => eventId).sort()).toEqual(["evt-run-2-run_completed", "evt-run-3-run_completed"]);
});
