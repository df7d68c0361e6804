import type { Environment } from "@procedo/contract";
import { describe, expect, it } from "vitest";
import type { Change } from "../storage.ts";
import type { ConformanceOptions } from "./harness.ts";
import { useHarness } from "./harness.ts";
import {
  commitAll,
  audit,
  awaiting,
  completed,
  decision,
  elsewhere,
  event,
  firstRow,
  invokingRun,
  live,
  parked,
  post,
  record,
  row,
  sandbox,
  version,
  waitingRun,
  worker,
} from "./samples.ts";

export function describeWatch(options: ConformanceOptions): void {
  describe("watch", () => {
    const harness = useHarness(options);

    /** The changes that were announced during the work by this process. */
    async function changesDuring(work: () => Promise<unknown>): Promise<readonly Change[]> {
      const { changes } = harness();
      const before = changes.length;
      await work();
      return changes.slice(before).filter(({ type }) => type !== "resync");
    }

    it("announces that a run was parked or has ended, and when it can be claimed", async () => {
      const { storage, clock } = harness();
      const { runs } = storage;
      expect(await changesDuring(() => commitAll(runs, [firstRow("a"), firstRow("b"), firstRow("c")]))).toEqual([]);
      expect(await changesDuring(() => commitAll(runs, [row("a", 2, { then: completed })]))).toEqual([
        { type: "settled", runId: "a", scope: sandbox },
      ]);
      expect(await changesDuring(() => commitAll(runs, [row("b", 2, { then: parked(clock.now() + 1) })]))).toEqual([
        { type: "settled", runId: "b", scope: sandbox },
      ]);
      expect(await changesDuring(() => commitAll(runs, [row("c", 2, { then: parked(clock.now()) })]))).toEqual([
        { type: "settled", runId: "c", scope: sandbox },
        { type: "claimable" },
      ]);
      expect(await changesDuring(() => runs.commit(firstRow("d", { scope: live, then: awaiting })))).toEqual([
        { type: "settled", runId: "d", scope: live },
      ]);
      expect(await changesDuring(() => runs.commit(firstRow("e", { scope: elsewhere, then: completed })))).toEqual([
        { type: "settled", runId: "e", scope: elsewhere },
      ]);
    });

    it("announces notifications of parked and of hot runs", async () => {
      const { runs, inbox, reviews } = harness().storage;
      await commitAll(runs, [firstRow("hot"), firstRow("parked", { then: awaiting }), waitingRun("asks", "review-1")]);
      expect(await changesDuring(() => inbox.post([post("hot", "a")]))).toEqual([{ type: "notified", runId: "hot" }]);
      expect(await changesDuring(() => inbox.post([post("hot", "a")]))).toEqual([]);
      expect(await changesDuring(() => inbox.post([post("parked", "a")]))).toEqual([{ type: "claimable" }]);
      expect(await changesDuring(() => inbox.post([post("parked", "b", { claimFor: worker })]))).toEqual([]);
      expect(await changesDuring(() => reviews.decide(decision("asks", "review-1")))).toEqual([{ type: "claimable" }]);
    });

    it("announces released runs", async () => {
      const { runs, workers } = harness().storage;
      await commitAll(runs, [firstRow("a"), firstRow("b")]);
      expect(await changesDuring(() => workers.releaseRuns({ workerId: worker, runIds: ["a"] }))).toEqual([
        { type: "claimable" },
      ]);
      expect(await changesDuring(() => workers.release({ workerId: worker }))).toEqual([{ type: "claimable" }]);
    });

    it("announces due deliveries", async () => {
      const { runs, records, deliveries } = harness().storage;
      const hook = record("hook-1", { kind: "webhook", keys: ["acme/sandbox/run_completed"] });
      await records.put({ record: hook, ifRevision: 0 });
      const deliverable = [{ type: "deliverable" }];
      const events = [event("event-1"), event("event-2"), event("event-3", { event: "run_failed" })];
      expect(await changesDuring(() => commitAll(runs, [firstRow("a", { events })]))).toEqual(deliverable);
      expect(await changesDuring(() => commitAll(runs, [firstRow("b", { events: events.slice(2) })]))).toEqual([]);
      const { items } = await deliveries.list({ scope: sandbox, webhookId: "hook-1", limit: 1 });
      const resend = { scope: sandbox, webhookId: "hook-1", deliveryId: items[0]?.deliveryId ?? "", repeatMs: 1 };
      expect(await changesDuring(() => deliveries.resend(resend))).toEqual(deliverable);
      expect(await changesDuring(() => deliveries.resend(resend))).toEqual([]);
      const test = { scope: sandbox, webhookId: "hook-1", event: event("event-4") };
      expect(await changesDuring(() => deliveries.post(test))).toEqual(deliverable);
    });

    it("announces an invocation when it can be leased", async () => {
      const { runs, invocations } = harness().storage;
      const settled = { type: "settled", runId: "a", scope: sandbox };
      const item = invokingRun("a", "invocation-1");
      const invocable = { type: "invocable", connectionId: "connection-1" };
      const announced = await changesDuring(() => commitAll(runs, [item]));
      expect(announced).toHaveLength(2);
      expect(announced).toEqual(expect.arrayContaining([settled, invocable]));
      expect(await changesDuring(() => commitAll(runs, [item]))).toEqual([]);
      const poll = { scope: sandbox, connectionId: "connection-1", manifest: "manifest-1" };
      expect(await changesDuring(() => invocations.recordClient(poll))).toEqual([]);
      const lease = { invocationId: "invocation-1", leaseToken: "token-1" };
      const request = { ...poll, ...lease, functions: ["screen"], limit: 1, leaseMs: 10, leases: [lease], body: "{}" };
      expect(await changesDuring(() => invocations.lease(request))).toEqual([]);
      expect(await changesDuring(() => invocations.extend(request))).toEqual([]);
      expect(await changesDuring(() => invocations.settle(request))).toEqual([{ type: "claimable" }]);
      expect(await changesDuring(() => invocations.settle(request))).toEqual([]);
    });

    it("announces the environment of a new default, and nothing for an unknown version", async () => {
      const { procedures } = harness().storage;
      const inLive = { type: "default_changed", environment: "live" };
      const inSandbox = { type: "default_changed", environment: "sandbox" };
      const publish = (name: string, defaultIn: readonly Environment[], seq: number) => () =>
        procedures.publish({ version: version(name), defaultIn, defaultIfFirst: "live", audit: audit(seq) });
      expect(await changesDuring(publish("v1", [], 1))).toEqual([inLive]);
      expect(await changesDuring(publish("v1", [], 1))).toEqual([]);
      expect(await changesDuring(publish("v2", [], 2))).toEqual([]);
      expect(await changesDuring(publish("v3", ["sandbox", "live", "live"], 3))).toEqual([inSandbox, inLive]);
      const setDefault = { ...version("v1"), environment: "sandbox", audit: audit(4) } as const;
      expect(await changesDuring(() => procedures.setDefault(setDefault))).toEqual([inSandbox]);
    });

    it("announces which record was written or removed", async () => {
      const { records } = harness().storage;
      for (const environment of ["live", undefined] as const) {
        const written = record(`a ${environment}`, { kind: "hook", environment });
        const { kind, id } = written;
        const changed = [{ type: "record_changed", kind, id, environment }];
        expect(await changesDuring(() => records.put({ record: written, ifRevision: 0 }))).toEqual(changed);
        expect(await changesDuring(() => records.put({ record: written, ifRevision: 0 }))).toEqual([]);
        expect(await changesDuring(() => records.put({ record: written, ifRevision: 1 }))).toEqual(changed);
        expect(await changesDuring(() => records.remove({ ...written, ifRevision: 1 }))).toEqual([]);
        expect(await changesDuring(() => records.remove(written))).toEqual(changed);
        expect(await changesDuring(() => records.remove(written))).toEqual([]);
      }
    });

    it("calls each listener until it stops listening", async () => {
      const { storage } = harness();
      const seen: string[] = [];
      const listener = (): void => void seen.push("first");
      const endFirst = storage.watch(listener);
      const endSecond = storage.watch(() => seen.push("second"));
      await storage.records.put({ record: record("a"), ifRevision: 0 });
      endFirst();
      endFirst();
      await storage.records.put({ record: record("b"), ifRevision: 0 });
      endSecond();
      await storage.records.put({ record: record("c"), ifRevision: 0 });
      expect(seen).toEqual(["first", "second", "second"]);
    });

    it("announces a change after it is readable", async () => {
      const { storage } = harness();
      const read: Promise<unknown>[] = [];
      storage.watch(() => void read.push(storage.records.get(record("a"))));
      await storage.records.put({ record: record("a"), ifRevision: 0 });
      expect(await read[0]).toMatchObject({ id: "a", revision: 1 });
    });
  });
}
