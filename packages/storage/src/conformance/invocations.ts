import { describe, expect, it } from "vitest";
import { maxClientsKept } from "../invocations.ts";
import type { ConformanceOptions } from "./harness.ts";
import { startMs } from "./harness.ts";
import { connection, useInvocationHarness } from "./invocation-harness.ts";
import {
  commitAll,
  audit,
  committed,
  firstRow,
  hot,
  invocation,
  invokingRun,
  live,
  parked,
  row,
  sandbox,
} from "./samples.ts";

const dayMs = 86_400_000;

export function describeInvocations(options: ConformanceOptions): void {
  describe("invocations", () => {
    const { harness, commit, lease, leasedIds, extend, statusOf, withdraw, endRun } = useInvocationHarness(options);

    describe("commit", () => {
      it("creates the invocation with the row that holds its intent", async () => {
        await commit(["run-1", "invocation-1"]);
        const { payload: _payload, ...reported } = invocation("invocation-1");
        expect(await harness().storage.invocations.ofRun({ scope: sandbox, runId: "run-1" })).toEqual([
          { ...reported, status: "queued", createdAtMs: startMs, leaseEndsAtMs: undefined },
        ]);
      });

      it("creates it once for a repeated row, and not for a fenced one", async () => {
        const { runs, invocations } = harness().storage;
        await commit(["run-1", "invocation-1"]);
        expect(await runs.commit(invokingRun("run-1", "invocation-1"))).toEqual(committed);
        const call = { invocation: invocation("invocation-2"), hash: "of another owner" };
        expect(await runs.commit(row("run-1", 2, { ...call, epoch: 2 }))).toEqual({ status: "fenced" });
        expect(await runs.commit(row("run-1", 3, call))).toEqual({ status: "fenced" });
        expect(await invocations.ofRun({ scope: sandbox, runId: "run-1" })).toHaveLength(1);
        expect(await leasedIds()).toEqual(["invocation-1"]);
      });

      it("creates it for one of two owners that write the same row", async () => {
        const { storage } = harness();
        await storage.workers.heartbeat({ workerId: "worker-2", leaseMs: 60_000 });
        await storage.runs.commit(firstRow("run-1", { then: parked(startMs) }));
        await storage.runs.claim({ workspace: sandbox.workspace, workerId: "worker-2", limit: 1 });
        const next = { invocation: invocation("invocation-1"), then: parked() };
        const results = await commitAll(storage.runs, [row("run-1", 2, { ...next, epoch: 2 })]);
        const late = await commitAll(storage.runs, [row("run-1", 2, { ...next, epoch: 1 })]);
        expect([results, late]).toEqual([[committed], [{ status: "fenced" }]]);
        expect(await leasedIds()).toEqual(["invocation-1"]);
        expect(await leasedIds()).toEqual([]);
      });

      it("refuses a used id and a second invocation of an effect, and stores no part of the row", async () => {
        const { runs } = harness().storage;
        await commit(["run-1", "invocation-1"]);
        const again = [
          invokingRun("run-2", "invocation-1", {}, { scope: live }),
          firstRow("run-3"),
          row("run-1", 2, { invocation: invocation("invocation-2", { effectKey: "effect-invocation-1" }) }),
        ];
        const results = await commitAll(runs, again);
        expect(results.map(({ status }) => status)).toEqual(["refused", "committed", "refused"]);
        expect(await runs.journal({ scope: sandbox, runId: "run-1" })).toHaveLength(1);
        expect(await runs.get({ scope: live, runId: "run-2" })).toBeUndefined();
        expect(await leasedIds()).toEqual(["invocation-1"]);
      });
    });

    describe("withdraw", () => {
      it.each(["queued", "leased"])(
        "withdraws a %s invocation: it is never leased, extended or settled again",
        async (status) => {
          const { storage, clock } = harness();
          await commit(["run-1", "invocation-1"]);
          const leases = status === "leased" ? await lease({ leaseToken: "token-x" }) : [];
          expect(await withdraw("run-1", "effect-invocation-1")).toBe("withdrawn");
          expect(await withdraw("run-1", "effect-invocation-1")).toBe("withdrawn");
          clock.advance(1_000);
          expect(await leasedIds()).toEqual([]);
          expect(await extend(leases)).toEqual(leases.map(() => "lost"));
          const result = { ...connection, invocationId: "invocation-1", leaseToken: "token-x", body: "{}" };
          expect(await storage.invocations.settle(result)).toEqual({ status: "ended" });
          expect(await storage.inbox.read({ scope: sandbox, runId: "run-1" })).toEqual([]);
          expect(await statusOf("run-1")).toEqual(["withdrawn"]);
        },
      );

      it("does not withdraw a call that a client may have made: acknowledged, or idempotent and leased", async () => {
        const { clock } = harness();
        await commit(["run-1", "invocation-1"], ["run-2", "invocation-2", { idempotent: true }]);
        const leases = await lease();
        expect(await extend(leases.slice(0, 1))).toEqual(["held"]);
        expect(await withdraw("run-1", "effect-invocation-1")).toBe("acknowledged");
        expect(await withdraw("run-2", "effect-invocation-2")).toBe("acknowledged");
        expect(await extend(leases)).toEqual(["held", "held"]);
        clock.advance(1_000);
        expect(await leasedIds()).toEqual(["invocation-2"]);
        expect(await withdraw("run-2", "effect-invocation-2")).toBe("acknowledged");
      });

      it("reports that a call is settled, has lapsed or does not exist", async () => {
        const { storage, clock } = harness();
        await commit(["run-1", "invocation-1"], ["run-2", "invocation-2"]);
        const leases = await lease({ leaseToken: "token-x" });
        await extend(leases);
        const result = { ...connection, invocationId: "invocation-1", leaseToken: "token-x", body: "{}" };
        await storage.invocations.settle(result);
        clock.advance(1_000);
        await storage.invocations.expireLeases({ workspace: sandbox.workspace, limit: 9, body: "{}" });
        expect(await withdraw("run-1", "effect-invocation-1")).toBe("settled");
        expect(await withdraw("run-2", "effect-invocation-2")).toBe("lapsed");
        expect(await withdraw("run-1", "effect-invocation-2")).toBe("not_found");
        expect(await withdraw("unknown", "effect-invocation-1")).toBe("not_found");
        const { invocations } = storage;
        const otherScope = { scope: live, runId: "run-1", effectKey: "effect-invocation-1" };
        expect(await invocations.withdraw(otherScope)).toBe("not_found");
      });

      it("lets either the client or the run win when an acknowledgement races with a withdrawal", async () => {
        const ids = Array.from({ length: 20 }, (_, index) => `invocation-${index}`);
        await commit(...ids.map((id): [string, string] => [`run-of-${id}`, id]));
        const leases = await lease({ limit: 20 });
        const [held, withdrawn] = await Promise.all([
          Promise.all(leases.map((one) => extend([one]))),
          Promise.all(leases.map(({ runId, invocationId }) => withdraw(runId, `effect-${invocationId}`))),
        ]);
        for (const [index, [answer]] of held.entries()) {
          expect([answer, withdrawn[index]]).toEqual([answer, answer === "held" ? "acknowledged" : "withdrawn"]);
        }
      });
    });

    it("backlog counts the open calls of a connection, and returns the age of the oldest", async () => {
      const { storage, clock } = harness();
      const backlog = (changes: Partial<typeof connection> = {}): Promise<unknown> =>
        storage.invocations.backlog({ ...connection, ...changes });
      const nothing = { queued: 0, leased: 0, oldestQueuedAtMs: undefined };
      expect(await backlog()).toEqual(nothing);
      await commit(["run-1", "a"], ["run-2", "b"], ["run-3", "c", { idempotent: true }], ["run-4", "d"]);
      clock.advance(5);
      await commit(["run-5", "e"], ["run-6", "f", { deadlineMs: startMs + 50 }], ["run-7", "g", {}, { scope: live }]);
      await extend((await lease({ limit: 3 })).slice(1));
      await endRun("run-2");
      expect(await backlog()).toEqual({ queued: 3, leased: 2, oldestQueuedAtMs: startMs });
      await withdraw("run-4", "effect-d");
      expect(await backlog()).toEqual({ queued: 2, leased: 2, oldestQueuedAtMs: startMs + 5 });
      clock.advance(45);
      expect(await backlog()).toEqual({ queued: 1, leased: 2, oldestQueuedAtMs: startMs + 5 });
      expect(await backlog({ scope: live })).toEqual({ queued: 1, leased: 0, oldestQueuedAtMs: startMs + 5 });
      expect(await backlog({ connectionId: "connection-2" })).toEqual(nothing);
    });

    it("ofRun lists the calls of a run, oldest first, with the ends of their leases", async () => {
      const { storage } = harness();
      await commit(["run-1", "z"], ["run-2", "other"]);
      await storage.runs.commit(row("run-1", 2, { invocation: invocation("a"), then: hot }));
      await lease({ limit: 1 });
      expect(await storage.invocations.ofRun({ scope: sandbox, runId: "run-1" })).toMatchObject([
        { invocationId: "z", status: "leased", leaseEndsAtMs: startMs + 1_000 },
        { invocationId: "a", status: "queued", leaseEndsAtMs: undefined },
      ]);
    });

    it("archiving a run removes its invocations", async () => {
      const { storage } = harness();
      await commit(["run-1", "invocation-1"], ["run-2", "invocation-2"]);
      await lease({ leaseToken: "token-x" });
      await endRun("run-1");
      const stub = { runId: "run-1", seq: 2, hash: "hash-run-1-2", output: undefined };
      const archived = await storage.retention.archive({ scope: sandbox, runs: [stub], audit: audit(1) });
      expect(archived).toEqual({ status: "archived" });
      expect(await statusOf("run-1")).toEqual([]);
      expect(await statusOf("run-2")).toEqual(["leased"]);
      const result = { ...connection, invocationId: "invocation-1", leaseToken: "token-x", body: "{}" };
      expect(await storage.invocations.settle(result)).toEqual({ status: "not_found" });
    });

    describe("clients", () => {
      const seen = (manifest: string, client: { clientId?: string; version?: string } = {}): Promise<void> =>
        harness().storage.invocations.recordClient({ ...connection, manifest, ...client });
      const presence = (): Promise<unknown> => harness().storage.invocations.listClients(connection);

      it("are identified by manifest and id, and listed by their last poll, newest first", async () => {
        const { clock } = harness();
        expect(await presence()).toEqual([]);
        await seen("manifest-1", { clientId: "client-1", version: "1.0.0" });
        clock.advance(1);
        await seen("manifest-1");
        clock.advance(1);
        await seen("manifest-2", { clientId: "client-1", version: "1.0.0" });
        clock.advance(1);
        await seen("manifest-1", { clientId: "client-1", version: "1.1.0" });
        expect(await presence()).toEqual([
          { manifest: "manifest-1", clientId: "client-1", version: "1.1.0", lastSeenMs: startMs + 3 },
          { manifest: "manifest-2", clientId: "client-1", version: "1.0.0", lastSeenMs: startMs + 2 },
          { manifest: "manifest-1", clientId: "", version: undefined, lastSeenMs: startMs + 1 },
        ]);
      });

      it("are removed a day after their last poll, when another client polls", async () => {
        const { clock, storage } = harness();
        await seen("manifest-1");
        await storage.invocations.recordClient({ scope: live, connectionId: "connection-1", manifest: "manifest-1" });
        clock.advance(dayMs);
        await seen("manifest-2");
        expect(await presence()).toMatchObject([{ manifest: "manifest-2" }, { manifest: "manifest-1" }]);
        clock.advance(1);
        await seen("manifest-2");
        expect(await presence()).toMatchObject([{ manifest: "manifest-2" }]);
        const other = { scope: live, connectionId: "connection-1" };
        expect(await storage.invocations.listClients(other)).toMatchObject([
          { manifest: "manifest-1", lastSeenMs: startMs },
        ]);
      });

      it("are removed beyond the thousand that polled last, separately for each environment and connection", async () => {
        const { clock, storage } = harness();
        const others = [
          { ...connection, scope: live },
          { ...connection, connectionId: "connection-2" },
        ];
        for (const other of others) await storage.invocations.recordClient({ ...other, manifest: "manifest-1" });
        await seen("manifest-1", { clientId: "stays" });
        for (let number = 0; number < maxClientsKept + 20; number++) {
          clock.advance(1);
          await seen("manifest-1", { clientId: `client-${number}` });
          if (number % 500 === 0) await seen("manifest-1", { clientId: "stays" });
        }
        const ids = (await storage.invocations.listClients(connection)).map(({ clientId }) => clientId);
        expect(ids).toHaveLength(maxClientsKept);
        expect(ids).toContain("stays");
        expect(ids.slice(0, 2)).toEqual(["client-1019", "client-1018"]);
        expect(ids).not.toContain("client-20");
        for (const other of others) expect(await storage.invocations.listClients(other)).toHaveLength(1);
      });
    });
  });
}
