import { createMemoryStorage, type RunCommit } from "@procedo/storage";
import { expect, test } from "vitest";
import { withFailpoints } from "./failing-storage.ts";
import type { Failpoints } from "./failpoints.ts";

const scope = { workspace: "default", environment: "sandbox" } as const;

/** A storage whose points are recorded instead of killing the process. */
function observed() {
  const inner = createMemoryStorage({ now: () => Date.now() });
  const reached: string[] = [];
  const failpoints: Failpoints = { arm: () => {}, reach: (name, phase) => void reached.push(`${name} ${phase}`) };
  let applied = 0;
  const storage = withFailpoints(inner, failpoints, () => void applied++);
  return { inner, storage, reached, applied: () => applied };
}

function firstRow(runId: string, then: RunCommit["then"]): RunCommit {
  const create = { procedureId: "p", procedureVersion: "1", createdAtMs: 0, startedBy: "ana" };
  return { scope, runId, epoch: 1, seq: 1, hash: "h", body: '[{"type":"started"}]', create, then };
}

test("a commit's points are reached before its row is stored, and again afterwards", async () => {
  const { inner, storage, reached, applied } = observed();
  const committing = storage.runs.commit(firstRow("run_1", { kind: "hot", workerId: "wrk_1" }));
  expect(reached).toEqual(["run.create before"]);
  expect(applied()).toBe(0);
  await committing;
  expect(reached).toEqual(["run.create before", "run.create after"]);
  expect(await inner.runs.get({ scope, runId: "run_1" })).toBeDefined();
  expect(applied()).toBe(1);
});

test("the first heartbeat takes the lease, the others renew it", async () => {
  const { storage, reached } = observed();
  for (let beat = 0; beat < 2; beat++) await storage.workers.heartbeat({ workerId: "wrk_1", leaseMs: 1_000 });
  expect(reached).toEqual(["lease.take before", "lease.take after", "lease.renew before", "lease.renew after"]);
});

test("a claim of a waiting run fires its timer; a claim of a dead worker's run is a takeover", async () => {
  const { storage, reached } = observed();
  await storage.runs.commit(firstRow("run_1", { kind: "parked", status: "running", wakeAtMs: 1 }));
  await storage.runs.commit(firstRow("run_2", { kind: "hot", workerId: "wrk_dead" }));
  reached.length = 0;
  await storage.runs.claim({ workspace: scope.workspace, workerId: "wrk_1", limit: 10 });
  expect(reached).toEqual(["timer.fire before", "run.takeover before", "timer.fire after", "run.takeover after"]);
});

test("an expiry is a separate point, and other notifications are none", async () => {
  const { storage, reached } = observed();
  await storage.runs.commit(firstRow("run_1", { kind: "hot", workerId: "wrk_1" }));
  reached.length = 0;
  await storage.inbox.post([{ scope, runId: "run_1", effectKey: "cancel", body: "{}" }]);
  expect(reached).toEqual([]);
  await storage.inbox.post([{ scope, runId: "run_1", effectKey: "review:1", body: "{}", closeReview: "expired" }]);
  expect(reached).toEqual(["review.expire before", "review.expire after"]);
});
