import type { NewDecision, RunCommit } from "@procedo/storage";
import { beforeEach, expect, it } from "vitest";
import { idempotencyKeyOf } from "../src/idempotency-key.ts";
import type { PostgresStorage } from "../src/index.ts";
import { useInterleaving, type Interleaving } from "./interleaving.ts";
import { commitAll, firstRow, row, scope } from "./run-rows.ts";

/** Changes of a run by another node between the start of a statement and its locks. */
const ended = { kind: "ended", status: "completed", endedAtMs: 5 } as const;
const awaiting = { kind: "parked", status: "awaiting_review", wakeAtMs: undefined } as const;
const claimed = "UPDATE runs SET epoch = 2, worker_id = 'worker-2', status = 'running' WHERE run_id = 'run-1'";
const reported = `INSERT INTO inbox (run_id, effect_key, body) VALUES ('run-1', 'notification', '{}');
              UPDATE runs SET unread = unread + 1 WHERE run_id = 'run-1'`;

let storage: PostgresStorage;

const harness = useInterleaving({ timeoutMs: 40_000 });
const interleaved: Interleaving["interleaved"] = (change, call) => harness().interleaved(change, call);
beforeEach(() => {
  ({ storage } = harness());
});

/** For one run, and for one among others. */
const beside = [[], ["run-2"]].map((runIds) => ({ with: runIds.length + 1, runIds }));

it.each(beside)("the last row of an owner that lost its run is fenced, of $with runs", async ({ runIds }) => {
  await commitAll(
    storage.runs,
    ["run-1", ...runIds].map((runId) => firstRow(runId)),
  );
  const rows: readonly RunCommit[] = ["run-1", ...runIds].map((runId) => row(runId, 2, { then: ended }));
  const results = await interleaved(claimed, () => commitAll(storage.runs, rows));
  expect(results).toEqual([{ status: "fenced" }, ...runIds.map(() => ({ status: "committed" }))]);
  expect(await storage.runs.journal({ scope, runId: "run-1" })).toHaveLength(1);
  expect(await storage.workers.listRuns({ workerId: "worker-2" })).toEqual(["run-1"]);
});

it.each(beside)(
  "a run of $with does not end with an unread notification that arrived while its last row waited",
  async ({ runIds }) => {
    await commitAll(
      storage.runs,
      ["run-1", ...runIds].map((runId) => firstRow(runId)),
    );
    const rows: readonly RunCommit[] = ["run-1", ...runIds].map((runId) => row(runId, 2, { then: ended }));
    const results = await interleaved(reported, () => commitAll(storage.runs, rows));
    expect(results).toEqual([{ status: "inbox_not_empty" }, ...runIds.map(() => ({ status: "committed" }))]);
    expect(await storage.runs.get({ scope, runId: "run-1" })).toMatchObject({ status: "running" });
  },
);

it("a run that parks is claimable if a notification arrived while its row waited", async () => {
  await storage.runs.commit(firstRow("run-1"));
  expect(await interleaved(reported, () => commitAll(storage.runs, [row("run-1", 2, { then: awaiting })]))).toEqual([
    { status: "committed" },
  ]);
  const claim = { workspace: scope.workspace, workerId: "worker-2", limit: 1 };
  expect(await storage.runs.claim(claim)).toMatchObject({
    runs: [{ runId: "run-1", inbox: [{ effectKey: "notification" }] }],
  });
});

function deciding(runId: string): NewDecision {
  const decided = { decisionId: `decision-on-${runId}`, person: "ada", approved: true, body: "{}", atMs: 100 };
  const next = row(runId, 2, { epoch: 2, consume: ["approve-1"] });
  const keyed = { reviewId: `review-of-${runId}`, idempotencyKey: `key-of-${runId}` };
  return { scope, runId, ...decided, ...keyed, approvalsNeeded: 1, claimFor: "worker-1", next };
}

it.each(beside)(
  "a run of $with that was claimed or notified while its decision waited is not continued",
  async ({ runIds }) => {
    const shown = { nodeId: "approve", kind: "human_review", title: "Pay?", body: "{}", digest: "digest" };
    const asking = ["run-1", ...runIds].map((runId) => {
      const openReview = { ...shown, reviewId: `review-of-${runId}`, effectKey: "approve-1", openedAtMs: 1 };
      return firstRow(runId, { openReview, then: awaiting });
    });
    await commitAll(storage.runs, asking);
    const decide = () => Promise.all(asking.map(({ runId }) => storage.reviews.decide(deciding(runId))));
    const [first, ...others] = await interleaved(`${reported}; ${claimed}`, decide);
    expect(first).toEqual({ status: "recorded", closed: true, claimed: undefined });
    expect(others).toEqual(runIds.map(() => ({ ...first, continued: true })));
    expect(await storage.runs.journal({ scope, runId: "run-1" })).toHaveLength(1);
    expect(await storage.inbox.read({ scope, runId: "run-1" })).toMatchObject([
      { effectKey: "notification" },
      { effectKey: "approve-1" },
    ]);
  },
);

it.each([1, 2, 5, 8])("one of %i created runs lacks its key, which was taken meanwhile", async (count) => {
  const created = Array.from({ length: count }, (_, number): RunCommit => {
    const create = { procedureId: "pay", procedureVersion: "v1", createdAtMs: 1, startedBy: "key-1" };
    const idempotency = { key: `key-${number}`, digest: "own", expiresAtMs: Number.MAX_SAFE_INTEGER };
    return firstRow(`run-${number}`, { create: { ...create, idempotency } });
  });
  const taken = Math.floor(count / 2);
  const taking = `INSERT INTO idempotency (key, run_id, digest, expires_at_ms)
    VALUES ('${idempotencyKeyOf(scope, "pay", `key-${taken}`)}', 'run-of-other', 'other', ${Number.MAX_SAFE_INTEGER})`;
  const results = await interleaved(taking, () => commitAll(storage.runs, created));
  expect(results).toEqual(
    created.map((_run, number) =>
      number === taken ? { status: "exists", runId: "run-of-other", digest: "other" } : { status: "committed" },
    ),
  );
  const { items } = await storage.runs.list({ scope, limit: 9 });
  expect(items.map(({ runId }) => runId)).not.toContain(`run-${taken}`);
  expect(items).toHaveLength(count - 1);
});
