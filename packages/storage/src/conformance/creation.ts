import { describe, expect, it } from "vitest";
import type { RunCommit } from "../runs.ts";
import type { Scope } from "../scope.ts";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import {
  commitAll,
  audit,
  committed,
  completed,
  elsewhere,
  event,
  firstRow,
  live,
  record,
  review,
  row,
  sandbox,
} from "./samples.ts";

export function describeCreation(options: ConformanceOptions): void {
  describe("creating runs by runs.commit", () => {
    const harness = useHarness(options);

    const withKey = (runId: string, changes: Partial<Omit<RunCommit, "create">> = {}, procedureId = "pay"): RunCommit =>
      firstRow(runId, {
        ...changes,
        create: {
          procedureId,
          idempotency: { key: "key-1", digest: `digest-${runId}`, expiresAtMs: startMs + 1_000 },
        },
      });

    it("answers a known idempotency key with the run that holds it, and stores nothing", async () => {
      const { runs } = harness().storage;
      await runs.commit(withKey("run-1"));
      expect(await runs.commit(withKey("run-2"))).toEqual({ status: "exists", runId: "run-1", digest: "digest-run-1" });
      expect(await runs.get({ scope: sandbox, runId: "run-2" })).toBeUndefined();
      expect(await runs.journal({ scope: sandbox, runId: "run-2" })).toEqual([]);
    });

    it("returns the holder of the key also when the run's id is taken", async () => {
      const { runs } = harness().storage;
      await commitAll(runs, [withKey("run-1"), firstRow("run-2", { scope: live })]);
      expect(await runs.commit(withKey("run-2"))).toMatchObject({ status: "exists", runId: "run-1" });
    });

    it("keeps the key after the run has ended", async () => {
      const { runs } = harness().storage;
      await runs.commit(withKey("run-1", { then: completed }));
      expect(await runs.commit(withKey("run-2"))).toMatchObject({ status: "exists", runId: "run-1" });
    });

    it("answers a repeated creation as committed", async () => {
      const { runs } = harness().storage;
      await runs.commit(withKey("run-1"));
      expect(await runs.commit(withKey("run-1"))).toEqual(committed);
    });

    it("answers a repeated creation as committed also when another run now holds its key", async () => {
      const { storage, clock } = harness();
      await storage.runs.commit(withKey("run-1"));
      clock.advance(1_000);
      const later = { key: "key-1", digest: "later", expiresAtMs: startMs + 9_000 };
      await storage.runs.commit(firstRow("run-2", { create: { procedureId: "pay", idempotency: later } }));
      expect(await storage.runs.commit(withKey("run-1"))).toEqual(committed);
    });

    it("keeps keys of different workspaces, environments and procedures apart", async () => {
      const { runs } = harness().storage;
      const results = await commitAll(runs, [
        withKey("run-1"),
        withKey("run-2", { scope: live }),
        withKey("run-3", { scope: elsewhere }),
        withKey("run-4", {}, "refund"),
      ]);
      expect(results).toEqual([committed, committed, committed, committed]);
    });

    it("frees a key for the next run when it expires", async () => {
      const { storage, clock } = harness();
      const { runs } = storage;
      await runs.commit(withKey("run-1"));
      clock.advance(999);
      expect(await runs.commit(withKey("run-2"))).toMatchObject({ status: "exists" });
      clock.advance(1);
      const idempotency = { key: "key-1", digest: "new", expiresAtMs: startMs + 9_000 };
      expect(await runs.commit(firstRow("run-2", { create: { procedureId: "pay", idempotency } }))).toEqual(committed);
      expect(await runs.commit(withKey("run-3"))).toEqual({ status: "exists", runId: "run-2", digest: "new" });
    });

    it("creates one run of fifty concurrent creations with one key", async () => {
      const { runs } = harness().storage;
      const results = (
        await Promise.all(Array.from({ length: 50 }, (_, index) => commitAll(runs, [withKey(`run-${index}`)])))
      ).flat();
      const created = results.findIndex(({ status }) => status === "committed");
      expect(results.filter(({ status }) => status === "committed")).toHaveLength(1);
      for (const [index, result] of results.entries()) {
        if (index !== created) expect(result).toMatchObject({ status: "exists", runId: `run-${created}` });
      }
      expect((await runs.list({ scope: sandbox, limit: 100 })).items).toHaveLength(1);
    });

    it("lets the first of two creations in one batch win", async () => {
      const { runs } = harness().storage;
      expect(await commitAll(runs, [withKey("run-1"), withKey("run-2")])).toMatchObject([
        { status: "committed" },
        { status: "exists", runId: "run-1" },
      ]);
    });

    it("finds the run that holds a key, until the key expires", async () => {
      const { storage, clock } = harness();
      const { runs } = storage;
      const request = { scope: sandbox, procedureId: "pay", idempotencyKey: "key-1" };
      expect(await runs.findByKey(request)).toBeUndefined();
      await commitAll(runs, [withKey("run-1", { then: completed }), firstRow("run-2")]);
      clock.advance(999);
      expect(await runs.findByKey(request)).toEqual({
        runId: "run-1",
        digest: "digest-run-1",
        procedureVersion: "v1",
        startedBy: "key-1",
      });
      clock.advance(1);
      expect(await runs.findByKey(request)).toBeUndefined();
      const idempotency = { key: "key-1", digest: "new", expiresAtMs: startMs + 9_000 };
      await runs.commit(
        firstRow("run-3", { create: { procedureId: "pay", procedureVersion: "v2", startedBy: "ana", idempotency } }),
      );
      expect(await runs.findByKey(request)).toEqual({
        runId: "run-3",
        digest: "new",
        procedureVersion: "v2",
        startedBy: "ana",
      });
    });

    it("finds no run by a key of another scope or procedure, or by an unknown key", async () => {
      const { runs } = harness().storage;
      await commitAll(runs, [withKey("run-1", { scope: live }), withKey("run-2", {}, "refund")]);
      await runs.commit(withKey("run-3", { scope: elsewhere, openReview: review("taken") }, "third"));
      expect(await runs.commit(withKey("bad", { openReview: review("taken") }))).toMatchObject({ status: "refused" });
      const find = (scope: Scope, procedureId: string, idempotencyKey = "key-1"): Promise<unknown> =>
        runs.findByKey({ scope, procedureId, idempotencyKey });
      expect(await find(live, "pay")).toMatchObject({ runId: "run-1" });
      expect(await find(sandbox, "refund")).toMatchObject({ runId: "run-2" });
      for (const nothing of [
        find(sandbox, "pay"),
        find(elsewhere, "pay"),
        find(live, "refund"),
        find(sandbox, "third"),
        find(sandbox, "refund", "key-2"),
      ]) {
        expect(await nothing).toBeUndefined();
      }
    });

    const misfits: readonly (readonly [name: string, item: RunCommit])[] = [
      ["a first row without a creation", row("bad", 1)],
      ["a creation with a later row", { ...firstRow("bad"), seq: 2 }],
      ["a review id that is taken", withKey("bad", { openReview: review("taken") })],
      ["an event id that is taken", withKey("bad", { events: [event("new"), event("taken")] })],
      ["the same event twice", withKey("bad", { events: [event("new"), event("new")] })],
      ["a NUL character", withKey("bad", { body: "a\u0000b" })],
      ["half a surrogate pair", withKey("bad", { body: '"\ud83d"' })],
      ["half a surrogate pair in the run's error", withKey("bad", { then: failedWith("\ude00") })],
    ];
    it.each(misfits)("refuses %s without failing other commits or storing any part of it", async (_name, bad) => {
      const { storage } = harness();
      const { runs, records, reviews, deliveries } = storage;
      const hook = record("hook", { kind: "webhook", keys: ["acme/sandbox/run_completed"] });
      await records.put({ record: hook, ifRevision: 0, audit: audit(1) });
      await runs.commit(firstRow("run-0", { openReview: review("taken"), events: [event("taken")] }));

      const results = await commitAll(runs, [firstRow("run-1"), bad, row("run-0", 2), firstRow("run-2")]);
      expect(results.map(({ status }) => status)).toEqual(["committed", "refused", "committed", "committed"]);
      expect((await runs.list({ scope: sandbox, limit: 10 })).items.map(({ runId }) => runId)).not.toContain("bad");
      expect(await runs.journal({ scope: sandbox, runId: "bad" })).toEqual([]);
      expect((await reviews.list({ scope: sandbox, limit: 10 })).items).toHaveLength(1);
      expect((await deliveries.list({ scope: sandbox, webhookId: "hook", limit: 10 })).items).toHaveLength(1);
      expect(await runs.commit(withKey("run-3"))).toEqual(committed);
    });

    it("keeps scopes apart although the first commit in one of them was refused", async () => {
      const { runs } = harness().storage;
      await runs.commit(firstRow("run-0", { openReview: review("taken") }));
      const bad = firstRow("bad", { scope: elsewhere, openReview: review("taken") });
      expect(await runs.commit(bad)).toMatchObject({ status: "refused" });
      await runs.commit(firstRow("live-1", { scope: live }));
      expect(await runs.commit(firstRow("globex-1", { scope: elsewhere }))).toEqual(committed);
      for (const [scope, runId] of [
        [live, "live-1"],
        [elsewhere, "globex-1"],
      ] as const) {
        expect((await runs.list({ scope, limit: 9 })).items.map((row) => row.runId)).toEqual([runId]);
      }
    });

    it("refuses a second open review of a run", async () => {
      const { runs } = harness().storage;
      await runs.commit(firstRow("run-1", { openReview: review("first") }));
      const results = await commitAll(runs, [row("run-1", 2, { openReview: review("second") })]);
      expect(results).toMatchObject([{ status: "refused", error: { name: "ProcedoError", retryable: false } }]);
      expect(await runs.commit(row("run-1", 2))).toEqual(committed);
    });
  });
}

function failedWith(error: string): RunCommit["then"] {
  return { kind: "ended", status: "failed", error, endedAtMs: startMs };
}
