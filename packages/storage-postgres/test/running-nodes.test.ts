import type { Change } from "@procedo/storage";
import { describe, expect, it, vi } from "vitest";
import { commitAll, firstRow, post, row, scope } from "./run-rows.ts";
import { together, useThreeNodes } from "./three-nodes.ts";

const claim = { workspace: "acme", limit: 5 };

describe("runs on several nodes", () => {
  const nodes = useThreeNodes();

  it("are claimed by one worker each, and none is left", async () => {
    const [first] = nodes().storages;
    const parked = { kind: "parked", status: "running", wakeAtMs: 0 } as const;
    await commitAll(
      first.runs,
      Array.from({ length: 60 }, (_, index) => firstRow(`run-${index}`, { then: parked })),
    );
    const workers = Array.from({ length: 12 }, (_, number) => `worker-${number}`);
    await Promise.all(workers.map((workerId) => first.workers.heartbeat({ workerId, leaseMs: 60_000 })));
    const seen: string[] = [];
    for (let before = -1; before < seen.length;) {
      before = seen.length;
      const claims = await together(workers.length, (number) =>
        nodes()
          .node(number)
          .runs.claim({ ...claim, workerId: workers[number] ?? "" }),
      );
      for (const { runs } of claims) seen.push(...runs.map(({ runId }) => runId));
    }
    expect(seen).toHaveLength(60);
    expect(new Set(seen).size).toBe(60);
  });

  it("are written by one of two owners: a row is in the next owner's journal, or it is fenced", async () => {
    const ids = Array.from({ length: 40 }, (_, index) => `run-${index}`);
    const [first, second, third] = nodes().storages;
    await commitAll(
      first.runs,
      ids.map((runId) => firstRow(runId)),
    );
    await third.workers.heartbeat({ workerId: "worker-3", leaseMs: 60_000 });
    const commits = ids.map((runId) => commitAll(first.runs, [row(runId, 2)]));
    const claims = Array.from({ length: 8 }, (_, turn) =>
      (turn % 2 === 0 ? second : third).runs.claim({ ...claim, workerId: "worker-3" }),
    );
    const statuses = new Map<string, string | undefined>();
    for (const [index, commit] of commits.entries()) statuses.set(ids[index] ?? "", (await commit)[0]?.status);
    const claimed = (await Promise.all(claims)).flatMap(({ runs }) => runs);
    expect(claimed.length).toBeGreaterThan(0);
    for (const { runId, epoch, journal } of claimed) {
      expect(epoch).toBe(2);
      expect([runId, statuses.get(runId)]).toEqual([runId, journal.length === 2 ? "committed" : "fenced"]);
    }
    const next = claimed.map(({ runId, journal }) =>
      row(runId, journal.length + 1, { epoch: 2, hash: "next", then: { kind: "hot", workerId: "worker-3" } }),
    );
    expect(await commitAll(second.runs, next)).toEqual(next.map(() => ({ status: "committed" })));
  });

  it("are either ended or notified, and never ended with an unread notification", async () => {
    const ids = Array.from({ length: 30 }, (_, index) => `run-${index}`);
    const [first, second] = nodes().storages;
    await commitAll(
      first.runs,
      ids.map((runId) => firstRow(runId)),
    );
    const end = { kind: "ended", status: "completed", endedAtMs: 5 } as const;
    const pairs = await Promise.all(
      ids.map(async (runId) => {
        const [ended, reported] = await Promise.all([
          commitAll(first.runs, [row(runId, 2, { then: end })]),
          second.inbox.post([post(runId)]),
        ]);
        return `${ended[0]?.status} ${reported[0]?.status}`;
      }),
    );
    for (const pair of pairs) expect(["committed ended", "inbox_not_empty accepted"]).toContain(pair);
  });

  it("read each notification once, however often a row lists it", async () => {
    const [first] = nodes().storages;
    await first.runs.commit(firstRow("run-1"));
    await first.inbox.post([post("run-1", "a"), post("run-1", "b")]);
    const end = { kind: "ended", status: "completed", endedAtMs: 5 } as const;
    expect(await first.runs.commit(row("run-1", 2, { consume: ["a", "a"], then: end }))).toEqual({
      status: "inbox_not_empty",
    });
    expect(await first.runs.commit(row("run-1", 2, { consume: ["a", "b", "a"], then: end }))).toEqual({
      status: "committed",
    });
  });

  it("are created once for an idempotency key", async () => {
    const create = {
      procedureId: "pay",
      procedureVersion: "v1",
      createdAtMs: 1,
      startedBy: "key-1",
      idempotency: { key: "key-1", digest: "same", expiresAtMs: Number.MAX_SAFE_INTEGER },
    };
    const results = (
      await together(30, (number) => commitAll(nodes().node(number).runs, [firstRow(`run-${number}`, { create })]))
    ).flat();
    const made = results.findIndex(({ status }) => status === "committed");
    for (const [number, result] of results.entries()) {
      if (number !== made) expect(result).toEqual({ status: "exists", runId: `run-${made}`, digest: "same" });
    }
    expect((await nodes().storages[0].runs.list({ scope, limit: 50 })).items).toHaveLength(1);
  });

  it("have one row for each place if their owner sends it through two nodes at once", async () => {
    const [first, second] = nodes().storages;
    const results = await Promise.all(
      [first, second, first, second].map((node) => commitAll(node.runs, [firstRow("run-1")])),
    );
    expect(results).toEqual(results.map(() => [{ status: "committed" }]));
    expect(await first.runs.journal({ scope, runId: "run-1" })).toHaveLength(1);
  });

  it("notify the other nodes of changes, and the own node once", async () => {
    const [first, second] = nodes().storages;
    const received: Record<"first" | "second", Change[]> = { first: [], second: [] };
    const isNamed = ({ type }: Change): boolean => type !== "resync" && type !== "written";
    first.watch((change) => void (isNamed(change) && received.first.push(change)));
    second.watch((change) => void (isNamed(change) && received.second.push(change)));
    await commitAll(first.runs, [firstRow("run-1"), firstRow("run-2")]);
    await first.runs.commit(row("run-1", 2, { then: { kind: "parked", status: "running", wakeAtMs: 0 } }));
    await first.inbox.post([post("run-2")]);
    await second.records.put({
      record: { ...scope, kind: "key", id: "a", body: "{}", uniqueKeys: [], keys: [] },
      ifRevision: 0,
    });
    const all: readonly Change[] = [
      { type: "settled", runId: "run-1", scope },
      { type: "claimable" },
      { type: "notified", runId: "run-2" },
      { type: "record_changed", kind: "key", id: "a", environment: scope.environment },
    ];
    await vi.waitFor(() => {
      expect(received.first).toHaveLength(all.length);
      expect(received.second).toHaveLength(all.length);
    });
    for (const change of all) {
      expect(received.first).toContainEqual(change);
      expect(received.second).toContainEqual(change);
    }
  });

  it("tell the other nodes that runs started, together, and say nothing while nothing is written", async () => {
    const [first, second] = nodes().storages;
    const received: Record<"first" | "second", Change[]> = { first: [], second: [] };
    const isWritten = ({ type }: Change): boolean => type === "written";
    first.watch((change) => void (isWritten(change) && received.first.push(change)));
    second.watch((change) => void (change.type === "resync" || isWritten(change) ? received.second.push(change) : 0));
    await commitAll(first.runs, [firstRow("run-1"), firstRow("run-2"), firstRow("run-3")]);
    const written: Change = { type: "written", scope };
    await vi.waitFor(() => expect(received.second).toContainEqual(written), 5_000);
    // The polls of the meantime knew of nothing that was missed.
    expect(received.second.filter(({ type }) => type === "resync")).toEqual(
      received.second.flatMap(({ type }) => (type === "resync" ? [{ type, isTimed: true }] : [])),
    );
    expect(received.second.filter(isWritten)).toEqual([written]);
    expect(received.first).toEqual([]);
  });
});
