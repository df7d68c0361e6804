import { describe, expect, it } from "vitest";
import type { Scope } from "../scope.ts";
import type { Storage } from "../storage.ts";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import {
  commitAll,
  audit,
  completed,
  decision,
  elsewhere,
  event,
  firstRow,
  invocation,
  live,
  otherWorker,
  parked,
  post,
  record,
  review,
  row,
  sandbox,
  session,
} from "./samples.ts";

type ReadVerb = (storage: Storage, scope: Scope) => Promise<unknown>;

/** Every method that reads with a scope, called for existing rows. */
const readVerbs: Readonly<Record<string, ReadVerb>> = {
  "runs.get": (storage, scope) => storage.runs.get({ scope, runId: "run-1" }),
  "runs.findByKey": (storage, scope) =>
    storage.runs.findByKey({ scope, procedureId: "vendor-payment", idempotencyKey: "key-1" }),
  "runs.journal": (storage, scope) => storage.runs.journal({ scope, runId: "run-1" }),
  "runs.output": async (storage, scope) => {
    const output = await storage.runs.output({ scope, runId: "ended-1", maxBytes: 99 });
    return output?.text;
  },
  "runs.list": async (storage, scope) => (await storage.runs.list({ scope, limit: 9 })).items,
  "inbox.read": (storage, scope) => storage.inbox.read({ scope, runId: "run-1" }),
  "reviews.get": (storage, scope) => storage.reviews.get({ scope, reviewId: "review-1" }),
  "reviews.open": (storage, scope) => storage.reviews.open({ scope, runId: "run-1" }),
  "reviews.ofRun": (storage, scope) => storage.reviews.ofRun({ scope, runId: "run-1" }),
  "reviews.list": async (storage, scope) => (await storage.reviews.list({ scope, limit: 9 })).items,
  "invocations.ofRun": (storage, scope) => storage.invocations.ofRun({ scope, runId: "run-1" }),
  "invocations.listClients": (storage, scope) =>
    storage.invocations.listClients({ scope, connectionId: "connection-1" }),
  "deliveries.list": async (storage, scope) =>
    (await storage.deliveries.list({ scope, webhookId: "hook-1", limit: 9 })).items,
  "sessions.list": ({ sessions }, { workspace, environment }) =>
    sessions.list({ workspace, personId: `person-of-${environment}` }),
  "records.list": async (storage, { workspace, environment }) =>
    (await storage.records.list({ workspace, environment, kind: "webhook", limit: 9 })).items,
};

export function describeIsolation(options: ConformanceOptions): void {
  describe("isolation of workspaces and environments", () => {
    const harness = useHarness(options);

    async function fill(): Promise<Storage> {
      const { storage } = harness();
      const hook = record("hook-1", { kind: "webhook", keys: ["acme/sandbox/run_completed"] });
      await storage.records.put({ record: hook, ifRevision: 0, audit: audit(1) });
      const create = { idempotency: { key: "key-1", digest: "digest", expiresAtMs: startMs + 1 } };
      await commitAll(storage.runs, [
        firstRow("run-1", {
          create,
          openReview: review("review-1"),
          invocation: invocation("invocation-1"),
          events: [event("event-1")],
        }),
        firstRow("ended-1", { then: { ...completed, output: '{"of":"run-1"}' } }),
      ]);
      await storage.invocations.recordClient({
        scope: sandbox,
        connectionId: "connection-1",
        manifest: "manifest-of-run-1",
      });
      await storage.inbox.post([post("run-1", "effect-1")]);
      await storage.sessions.create(session("session-of-run-1", { personId: "person-of-sandbox" }));
      // The other scopes exist, with rows of their own.
      await commitAll(storage.runs, [firstRow("live-1", { scope: live }), firstRow("globex-1", { scope: elsewhere })]);
      return storage;
    }

    const others: readonly (readonly [name: string, scope: Scope])[] = [
      ["the other environment", live],
      ["another workspace", elsewhere],
    ];

    describe.each(others)("%s", (_name, scope) => {
      it.each(Object.entries(readVerbs))("returns nothing from %s", async (_verb, read) => {
        const storage = await fill();
        const own = await read(storage, sandbox);
        expect(Array.isArray(own) ? own.length : own).toBeTruthy();
        expect(JSON.stringify((await read(storage, scope)) ?? [])).not.toMatch(/run-1|review-1|event-1|hook-1/);
      });

      it("changes nothing", async () => {
        const storage = await fill();
        const readAll = (): Promise<unknown> =>
          Promise.all(Object.values(readVerbs).map((read) => read(storage, sandbox)));
        const before = await readAll();
        expect(await storage.inbox.post([post("run-1", "effect-2", { scope })])).toEqual([{ status: "unknown_run" }]);
        expect(await storage.reviews.decide(decision("run-1", "review-1", { scope }))).toEqual({
          status: "not_open",
          review: undefined,
        });
        const results = await commitAll(storage.runs, [row("run-1", 2, { scope }), firstRow("run-1", { scope })]);
        expect(results).toEqual([{ status: "fenced" }, { status: "fenced" }]);
        expect(await readAll()).toEqual(before);
      });
    });

    it("claims no run of another workspace, and returns no wake time of one", async () => {
      const { storage, clock } = harness();
      const then = parked(startMs + 10);
      await commitAll(storage.runs, [
        ...["left-1", "left-2"].map((runId) => firstRow(runId, { scope: elsewhere })),
        ...["timer-1", "timer-2"].map((runId) => firstRow(runId, { scope: elsewhere, then })),
        firstRow("own", { then: parked(startMs + 20) }),
      ]);
      const claimFor = async (workspace: string): Promise<unknown> => {
        const { runs, nextWakeAtMs } = await storage.runs.claim({ workspace, workerId: otherWorker, limit: 2 });
        return [runs.map(({ runId }) => runId), nextWakeAtMs];
      };
      expect(await claimFor("acme")).toEqual([[], startMs + 20]);
      expect(await claimFor("initech")).toEqual([[], undefined]);
      clock.advance(20);
      expect(await claimFor("acme")).toEqual([["own"], undefined]);
      expect(await claimFor("globex")).toEqual([["left-1", "left-2"], undefined]);
      expect(await claimFor("globex")).toEqual([["timer-1", "timer-2"], undefined]);
    });

    it("gives concurrent claimers of two workspaces only runs of their own", async () => {
      const { storage } = harness();
      const workspaces = ["acme", "globex"].flatMap((workspace) => Array.from({ length: 8 }, () => workspace));
      await commitAll(
        storage.runs,
        Array.from({ length: 40 }, (_, index) =>
          firstRow(`run-${index}`, { scope: index % 2 === 0 ? sandbox : elsewhere, then: parked(startMs) }),
        ),
      );
      const claims = await Promise.all(
        workspaces.map(async (workspace, index) => {
          const workerId = `claimer-${index}`;
          await storage.workers.heartbeat({ workerId, leaseMs: 1_000 });
          const { runs } = await storage.runs.claim({ workspace, workerId, limit: 3 });
          expect(new Set([workspace, ...runs.map(({ scope }) => scope.workspace)])).toEqual(new Set([workspace]));
          return runs.map(({ runId }) => runId);
        }),
      );
      expect(new Set(claims.flat()).size).toBe(40);
      expect(claims.flat()).toHaveLength(40);
    });

    it("keeps procedures and the audit chain of different workspaces apart", async () => {
      const storage = await fill();
      expect(await storage.records.get({ workspace: "globex", kind: "webhook", id: "hook-1" })).toBeUndefined();
      expect(await storage.audit.head({ workspace: "globex" })).toBeUndefined();
      expect(await storage.audit.list({ workspace: "globex", afterSeq: 0, limit: 9 })).toEqual([]);
    });
  });
}
