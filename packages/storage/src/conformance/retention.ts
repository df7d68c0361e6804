import { describe, expect, it } from "vitest";
import { webhookEventKey } from "../deliveries.ts";
import type { RunHead } from "../heads.ts";
import type { ArchiveResult, NewStub } from "../retention.ts";
import type { RunCommit } from "../runs.ts";
import type { Scope } from "../scope.ts";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { codeOf, readAll } from "./pages.ts";
import {
  commitAll,
  accepted,
  audit,
  awaiting,
  claimLimits,
  completed,
  decision,
  elsewhere,
  event,
  firstRow,
  live,
  record,
  row,
  sandbox,
  waitingRun,
  workspace,
} from "./samples.ts";

const dayMs = 86_400_000;
const later = startMs + dayMs;

export function describeRetention(options: ConformanceOptions): void {
  describe("retention", () => {
    const harness = useHarness(options);

    const endedAt = (ms: number) => ({ kind: "ended", status: "completed", endedAtMs: startMs + ms }) as const;
    const ended = (runId: string, changes: Parameters<typeof firstRow>[1] = {}): RunCommit =>
      firstRow(runId, { then: completed, ...changes });
    const archivable = (endedBeforeMs = later, limit = 100, scope: Scope = sandbox): Promise<readonly RunHead[]> =>
      readAll(limit, (page) => harness().storage.retention.archivable({ scope, endedBeforeMs, ...page }));
    const idsOf = (heads: readonly RunHead[]): readonly string[] => heads.map(({ runId }) => runId);
    const stub = (runId: string, seq = 1, changes: Partial<NewStub> = {}): NewStub => {
      return { runId, seq, hash: `hash-${runId}-${seq}`, output: undefined, ...changes };
    };
    const archive = (runs: readonly NewStub[], seq = 1, scope: Scope = sandbox): Promise<ArchiveResult> =>
      harness().storage.retention.archive({ scope, runs, audit: audit(seq) });
    const hook = () => record("hook-1", { kind: "webhook", keys: [webhookEventKey(sandbox, "run_completed")] });
    const claimDeliveries = async () => {
      const request = { workspace, limits: claimLimits(10), leaseMs: 1_000 };
      return (await harness().storage.deliveries.claim(request)).deliveries;
    };

    describe("archivable", () => {
      it("lists the runs that ended before a time with their heads, in the order of ending", async () => {
        const { runs } = harness().storage;
        await commitAll(runs, [firstRow("run-1"), ended("run-2", { then: endedAt(700) }), firstRow("run-3")]);
        await runs.commit(row("run-1", 2, { then: endedAt(600) }));
        await commitAll(runs, [ended("run-4", { then: endedAt(701) }), firstRow("run-5", { then: awaiting })]);
        expect(await archivable(startMs + 701)).toEqual([
          { runId: "run-1", seq: 2, hash: "hash-run-1-2", endedAtMs: startMs + 600 },
          { runId: "run-2", seq: 1, hash: "hash-run-2-1", endedAtMs: startMs + 700 },
        ]);
      });

      it.each([1, 2, 5])(
        "returns pages of %i, and continues after runs that were archived in the meantime",
        async (limit) => {
          const { storage } = harness();
          const ids = ["run-1", "run-2", "run-3", "run-4", "run-5"];
          await commitAll(
            storage.runs,
            ids.map((id) => ended(id)),
          );
          expect(idsOf(await archivable(later, limit))).toEqual(ids);
          const first = await storage.retention.archivable({ scope: sandbox, endedBeforeMs: later, limit: 2 });
          await archive(first.items.map(({ runId }) => stub(runId)));
          const request = { scope: sandbox, endedBeforeMs: later, limit: 9, cursor: first.nextCursor ?? "" };
          expect(idsOf((await storage.retention.archivable(request)).items)).toEqual(["run-3", "run-4", "run-5"]);
          expect(idsOf(await archivable(later, limit))).toEqual(["run-3", "run-4", "run-5"]);
        },
      );

      it("omits a run while one of its deliveries is pending, without delaying others", async () => {
        const { storage } = harness();
        await storage.records.put({ record: hook(), ifRevision: 0 });
        await commitAll(storage.runs, [ended("run-1", { events: [event("event-1")] }), ended("run-2")]);
        expect(idsOf(await archivable(later, 1))).toEqual(["run-2"]);
        const claimed = await claimDeliveries();
        expect(idsOf(await archivable())).toEqual(["run-2"]);
        await storage.deliveries.settle(claimed.map(accepted));
        expect(idsOf(await archivable())).toEqual(["run-1", "run-2"]);
      });

      it("returns nothing of another scope, and refuses its cursors and those of another time", async () => {
        const { runs, retention } = harness().storage;
        await commitAll(runs, [ended("run-1"), ended("run-2"), ended("live-1", { scope: live })]);
        expect(idsOf(await archivable(later, 1, live))).toEqual(["live-1"]);
        expect(await archivable(later, 1, elsewhere)).toEqual([]);
        const request = { endedBeforeMs: later, limit: 1 };
        const { nextCursor: cursor = "" } = await retention.archivable({ scope: sandbox, ...request });
        for (const changed of [{ scope: live }, { scope: sandbox, endedBeforeMs: later + 1 }]) {
          expect(await codeOf(retention.archivable({ ...request, ...changed, cursor }))).toBe("invalid_cursor");
        }
      });
    });

    describe("archive", () => {
      it("keeps row, head and output, and removes all other data", async () => {
        const { storage } = harness();
        const { runs, reviews, inbox } = storage;
        await storage.records.put({ record: hook(), ifRevision: 0 });
        await runs.commit(waitingRun("run-1", "review-1"));
        await reviews.decide(decision("run-1", "review-1"));
        const end = { consume: ["effect-review-1"], events: [event("event-1")], then: completed };
        await runs.claim({ workspace, workerId: "worker-1", limit: 1 });
        await runs.commit(row("run-1", 2, { epoch: 2, ...end }));
        await storage.deliveries.settle((await claimDeliveries()).map(accepted));
        const address = { scope: sandbox, runId: "run-1" };
        const before = await runs.get(address);
        const heads = await runs.heads({ scope: sandbox, limit: 9 });
        const { items } = await runs.list({ scope: sandbox, limit: 9 });
        expect(heads.items).toHaveLength(1);

        expect(await archive([stub("run-1", 2, { output: '{"paid":1}' })])).toEqual({ status: "archived" });

        expect(await runs.get(address)).toEqual(before);
        expect((await runs.list({ scope: sandbox, limit: 9 })).items).toEqual(items);
        expect(await runs.heads({ scope: sandbox, limit: 9 })).toEqual(heads);
        const kept = { runId: "run-1", seq: 2, hash: "hash-run-1-2", endedAtMs: startMs + 500, auditSeq: 1 };
        expect(await storage.retention.stub(address)).toEqual({ ...kept, output: '{"paid":1}' });
        expect((await storage.retention.stubs({ scope: sandbox, limit: 9 })).items).toEqual([kept]);
        expect(await storage.audit.head({ workspace })).toEqual(audit(1));

        expect(await runs.journal(address)).toEqual([]);
        expect(await reviews.ofRun(address)).toEqual([]);
        expect(await reviews.get({ scope: sandbox, reviewId: "review-1" })).toBeUndefined();
        expect((await storage.deliveries.list({ scope: sandbox, webhookId: "hook-1", limit: 9 })).items).toEqual([]);
        expect(await archivable()).toEqual([]);
        const notification = { ...address, effectKey: "effect-9", body: "{}" };
        expect(await inbox.post([notification])).toEqual([{ status: "ended" }]);
        expect(await reviews.decide(decision("run-1", "review-1"))).toMatchObject({ status: "not_open" });
        expect(await runs.commit(row("run-1", 3, { epoch: 2 }))).toEqual({ status: "fenced" });
        expect(await runs.commit(row("run-1", 2, { epoch: 2, ...end }))).toEqual({ status: "fenced" });
        expect(await runs.commit(ended("run-1"))).toEqual({ status: "fenced" });
      });

      it("does not change other runs or their deliveries", async () => {
        const { storage } = harness();
        await storage.records.put({ record: hook(), ifRevision: 0 });
        await commitAll(storage.runs, [
          ended("run-1", { events: [event("event-1")] }),
          ended("run-2", { events: [event("event-2")] }),
          waitingRun("run-3", "review-3"),
        ]);
        await storage.deliveries.settle((await claimDeliveries()).map(accepted));
        await archive([stub("run-1")]);
        expect(await storage.runs.journal({ scope: sandbox, runId: "run-2" })).toHaveLength(1);
        expect(await storage.retention.stub({ scope: sandbox, runId: "run-2" })).toBeUndefined();
        const { items } = await storage.deliveries.list({ scope: sandbox, webhookId: "hook-1", limit: 9 });
        expect(items.map(({ runId, data }) => ({ runId, data }))).toEqual([
          { runId: "run-2", data: '{"event":"event-2"}' },
        ]);
        expect((await storage.reviews.list({ scope: sandbox, limit: 9 })).items).toHaveLength(1);
      });

      it("removes skipped deliveries with their runs, so that an inactive webhook leaves no rows behind", async () => {
        const { storage } = harness();
        await storage.records.put({ record: hook(), ifRevision: 0 });
        await storage.runs.commit(ended("run-1", { events: [event("event-1")] }));
        const next = { status: "skipped" } as const;
        const error = "The webhook was inactive.";
        await storage.deliveries.settle(
          (await claimDeliveries()).map(({ scope, deliveryId, epoch }) => ({ scope, deliveryId, epoch, error, next })),
        );
        const list = async () =>
          (await storage.deliveries.list({ scope: sandbox, webhookId: "hook-1", limit: 9 })).items;
        expect(await list()).toMatchObject([{ status: "skipped" }]);
        expect(idsOf(await archivable())).toEqual(["run-1"]);
        expect(await archive([stub("run-1")])).toEqual({ status: "archived" });
        expect(await list()).toEqual([]);
      });

      it.each([
        ["has another head", stub("run-2", 2)],
        ["has another hash", stub("run-2", 1, { hash: "other" })],
        ["is open", stub("run-3")],
        ["does not exist", stub("run-9")],
        ["belongs to another scope", stub("live-1")],
      ])("changes nothing when one of the runs %s", async (_why, misfit) => {
        const { storage } = harness();
        await commitAll(storage.runs, [
          ended("run-1"),
          ended("run-2"),
          firstRow("run-3"),
          ended("live-1", { scope: live }),
        ]);
        expect(await archive([stub("run-1"), misfit])).toEqual({ status: "changed", runIds: [misfit.runId] });
        expect(await storage.runs.journal({ scope: sandbox, runId: "run-1" })).toHaveLength(1);
        expect(await storage.audit.head({ workspace })).toBeUndefined();
        expect(await archive([stub("run-1")])).toEqual({ status: "archived" });
        expect(await archive([stub("run-1")], 2)).toEqual({ status: "changed", runIds: ["run-1"] });
      });

      it("changes nothing when a delivery of a run has become pending again", async () => {
        const { storage } = harness();
        await storage.records.put({ record: hook(), ifRevision: 0 });
        await storage.runs.commit(ended("run-1", { events: [event("event-1")] }));
        const [delivery] = await claimDeliveries();
        await storage.deliveries.settle([delivery].flatMap((one) => (one === undefined ? [] : [accepted(one)])));
        const { deliveryId = "" } = delivery ?? {};
        await storage.deliveries.resend({ scope: sandbox, webhookId: "hook-1", deliveryId, repeatMs: 0 });
        expect(await archive([stub("run-1")])).toEqual({ status: "changed", runIds: ["run-1"] });
        expect(await storage.runs.journal({ scope: sandbox, runId: "run-1" })).toHaveLength(1);
      });

      it("changes nothing when its audit entry does not follow the chain", async () => {
        const { storage } = harness();
        await storage.runs.commit(ended("run-1"));
        expect(await archive([stub("run-1")], 2)).toEqual({ status: "audit_behind" });
        expect(await storage.runs.journal({ scope: sandbox, runId: "run-1" })).toHaveLength(1);
        expect(idsOf(await archivable())).toEqual(["run-1"]);
      });

      it("archives a run for one of several concurrent callers", async () => {
        const { storage } = harness();
        await storage.runs.commit(ended("run-1"));
        const results = await Promise.all([1, 1, 2, 2].map((seq) => archive([stub("run-1")], seq)));
        expect(results.filter(({ status }) => status === "archived")).toHaveLength(1);
        expect((await storage.retention.stubs({ scope: sandbox, limit: 9 })).items).toHaveLength(1);
      });

      it("keeps an idempotency key pointing to its run until it expires", async () => {
        const { storage, clock } = harness();
        const idempotency = { key: "key-1", digest: "digest-1", expiresAtMs: startMs + 1_000 };
        await storage.runs.commit(ended("run-1", { create: { startedBy: "ana", reference: "INV-1", idempotency } }));
        await archive([stub("run-1")]);
        expect(await storage.runs.get({ scope: sandbox, runId: "run-1" })).toMatchObject({ reference: "INV-1" });
        const key = { scope: sandbox, procedureId: "vendor-payment", idempotencyKey: "key-1" };
        expect(await storage.runs.findByKey(key)).toMatchObject({ runId: "run-1", startedBy: "ana" });
        const again = { idempotency: { ...idempotency, expiresAtMs: startMs + 9_000 } };
        expect(await storage.runs.commit(firstRow("run-2", { create: again }))).toEqual({
          status: "exists",
          runId: "run-1",
          digest: "digest-1",
        });
        clock.advance(1_000);
        expect(await storage.runs.commit(firstRow("run-2", { create: again }))).toEqual({ status: "committed" });
      });
    });

    it.each([1, 2, 5])(
      "stubs are listed in pages of %i in the order in which their runs ended, per scope",
      async (limit) => {
        const { storage } = harness();
        const ids = [3, 1, 2, 0];
        await commitAll(
          storage.runs,
          ids.map((ms) => ended(`run-${ms}`, { then: endedAt(ms) })),
        );
        await archive([stub("run-2"), stub("run-0")], 1);
        await archive([stub("run-3")], 2);
        const stubs = await readAll(limit, (page) => storage.retention.stubs({ scope: sandbox, ...page }));
        expect(stubs.map(({ runId, auditSeq }) => [runId, auditSeq])).toEqual([
          ["run-0", 1],
          ["run-2", 1],
          ["run-3", 2],
        ]);
        expect(idsOf((await storage.runs.heads({ scope: sandbox, limit: 9 })).items)).toEqual([
          "run-0",
          "run-1",
          "run-2",
          "run-3",
        ]);
        expect((await storage.retention.stubs({ scope: live, limit: 9 })).items).toEqual([]);
        expect(await storage.retention.stub({ scope: live, runId: "run-0" })).toBeUndefined();
        const { nextCursor: cursor = "" } = await storage.retention.stubs({ scope: sandbox, limit: 1 });
        expect(await codeOf(storage.retention.stubs({ scope: live, limit: 1, cursor }))).toBe("invalid_cursor");
      },
    );

    describe("removeExpired", () => {
      it("removes expired keys and no others, up to the limit", async () => {
        const { storage, clock } = harness();
        const keys = [10, 20, 30, 40].map((ms) => ({ key: `key-${ms}`, digest: "d", expiresAtMs: startMs + ms }));
        await commitAll(
          storage.runs,
          keys.map((idempotency) => ended(idempotency.key, { create: { idempotency } })),
        );
        clock.advance(30);
        const request = { scope: sandbox, beforeMs: startMs, budgetsBeforeMs: startMs, limit: 2 };
        expect(await storage.retention.removeExpired(request)).toBe(2);
        expect(await storage.retention.removeExpired(request)).toBe(1);
        expect(await storage.retention.removeExpired(request)).toBe(0);
        const key = { scope: sandbox, procedureId: "vendor-payment", idempotencyKey: "key-40" };
        expect(await storage.runs.findByKey(key)).toMatchObject({ runId: "key-40" });
      });

      it("removes the key that expired first, and not one that another run now holds", async () => {
        const { storage, clock } = harness();
        const keyed = (runId: string, key: string, expiresInMs: number) =>
          ended(runId, { create: { idempotency: { key, digest: "d", expiresAtMs: startMs + expiresInMs } } });
        await commitAll(storage.runs, [keyed("run-1", "first", 10), keyed("run-2", "second", 20)]);
        clock.advance(20);
        await commitAll(storage.runs, [keyed("run-3", "first", 50), keyed("run-4", "third", 60)]);
        const request = { scope: sandbox, beforeMs: startMs, budgetsBeforeMs: startMs, limit: 1 };
        expect(await storage.retention.removeExpired(request)).toBe(1);
        expect(await storage.retention.removeExpired(request)).toBe(0);
        const key = { scope: sandbox, procedureId: "vendor-payment", idempotencyKey: "first" };
        expect(await storage.runs.findByKey(key)).toMatchObject({ runId: "run-3" });
      });

      it("removes old ended deliveries without a run, with their attempts, and no others", async () => {
        const { storage, clock } = harness();
        await storage.records.put({ record: hook(), ifRevision: 0 });
        const send = (id: string, createdAtMs: number) =>
          storage.deliveries.post({ scope: sandbox, webhookId: "hook-1", event: event(id, { createdAtMs }) });
        await send("test-1", startMs);
        await send("test-2", startMs + 10);
        await storage.runs.commit(ended("run-1", { events: [event("event-1")] }));
        await storage.deliveries.settle((await claimDeliveries()).map(accepted));
        await send("test-3", startMs);
        clock.advance(dayMs);
        const request = { scope: sandbox, beforeMs: startMs + 10, budgetsBeforeMs: startMs, limit: 9 };
        expect(await storage.retention.removeExpired({ ...request, scope: live })).toBe(0);
        expect(await storage.retention.removeExpired(request)).toBe(1);
        expect(await storage.retention.removeExpired(request)).toBe(0);
        const { items } = await storage.deliveries.list({ scope: sandbox, webhookId: "hook-1", limit: 9 });
        expect(items.map(({ eventId }) => eventId).sort()).toEqual(["event-1", "test-2", "test-3"]);
      });
    });
  });
}
