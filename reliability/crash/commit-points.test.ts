import type { RunCommit } from "@procedo/storage";
import type { Entry } from "@procedo/procedure";
import { expect, test } from "vitest";
import { createRowCodec } from "../../packages/engine/src/journal/row-codec.ts";
import { pointsOf } from "./commit-points.ts";

const hot = { kind: "hot", workerId: "wrk_1" } as const;

function commit(entries: readonly object[], more: Partial<RunCommit> = {}): RunCommit {
  const scope = { workspace: "default", environment: "sandbox" } as const;
  const body = JSON.stringify(entries);
  return { scope, runId: "run_1", epoch: 1, seq: 1, hash: "h", body, then: hot, ...more };
}

test("a first row creates the run, and stores its idempotency key if it has one", () => {
  const create = { procedureId: "p", procedureVersion: "1", createdAtMs: 0, startedBy: "ana" };
  expect(pointsOf(commit([{ type: "started" }], { create }))).toEqual(new Set(["run.create"]));
  const withKey = { ...create, idempotency: { key: "k", digest: "d", expiresAtMs: 1 } };
  expect(pointsOf(commit([{ type: "started" }], { create: withKey }))).toEqual(new Set(["run.create", "idem.save"]));
});

test("a first row that settles a firing, and an event that procedures start from, are points of triggers", () => {
  const create = { procedureId: "p", procedureVersion: "1", createdAtMs: 0, startedBy: "ana" };
  const firing = { triggerId: "trg_1", firingId: "fir_1", epoch: 1 };
  const started = commit([{ type: "started" }], { create: { ...create, firing } });
  expect(pointsOf(started)).toEqual(new Set(["run.create", "trigger.fire"]));
  const fires = { keys: ["k"], body: "{}", digest: "d", chainDepth: 0 };
  const event = { eventId: "e", event: "custom.x", createdAtMs: 0, data: "{}", fires };
  expect(pointsOf(commit([{ type: "emitted" }], { events: [event] }))).toEqual(
    new Set(["webhook.enqueue", "trigger.dedupe"]),
  );
});

test("a row that leads from one node to the next is a result, an edge and an intent", () => {
  const entries = [
    { type: "outcome", nodeId: "vendor" },
    { type: "branch_taken", nodeId: "size" },
    { type: "intent", nodeId: "pay" },
  ];
  const points = ["step.result", "edge.transition", "condition.eval", "step.intent"] as const;
  expect(pointsOf(commit(entries))).toEqual(new Set(points));
});

test.each([
  ["another node", "book", 1, true],
  ["the same call once more", "pay", 2, false],
])("a row as it is written leads over an edge when its intent is of %s", (_what, nodeId, attempt, isEdge) => {
  const codec = createRowCodec("run_1");
  codec.encode(1, [intent("pay", 1)]);
  const outcome = { atMs: 2, visit: 1, call: 1, attempt: 1, result: { status: "ok", output: 1 } } as const;
  const body = codec.encode(2, [{ type: "outcome", nodeId: "pay", ...outcome }, intent(nodeId, attempt)]);
  const edge = isEdge ? (["edge.transition"] as const) : [];
  expect(pointsOf(commit([], { body }))).toEqual(new Set(["step.intent", "step.result", ...edge]));
});

function intent(nodeId: string, attempt: number): Entry {
  const frozen = { connection: "c", connectionId: "c", action: "a", revision: "r", effect: "once", args: {} } as const;
  const call = { nodeId, visit: 1, call: 1, attempt, key: "k", sendByMs: 9, timeoutMs: 9 };
  return { type: "intent", atMs: 1, ...call, frozen };
}

test("the name of a point within a user's values is no point", () => {
  expect(pointsOf(commit([{ type: "node_failed", nodeId: "a", values: { "/x": '{"type":"intent"}' } }]))).toEqual(
    new Set(),
  );
});

test("the consequences of a row, and the place where it leaves the run, are points", () => {
  const asleep = commit([{ type: "outcome", nodeId: "a" }], {
    then: { kind: "parked", status: "running", wakeAtMs: 1 },
    events: [{ eventId: "e", event: "custom.x", createdAtMs: 0, data: "{}" }],
  });
  expect(pointsOf(asleep)).toEqual(new Set(["step.result", "webhook.enqueue", "timer.arm"]));
  const waiting = commit([{ type: "review_closed" }], {
    then: { kind: "parked", status: "running", wakeAtMs: undefined },
  });
  expect(pointsOf(waiting)).toEqual(new Set(["review.resume"]));
});
