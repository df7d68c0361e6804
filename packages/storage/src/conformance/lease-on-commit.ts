import { describe, expect, it } from "vitest";
import type { NewInvocation } from "../new-invocation.ts";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { committed, invokingRun, row, sandbox } from "./samples.ts";

const connection = { scope: sandbox, connectionId: "connection-1" };
const lease = { leaseToken: "token-1", leaseMs: 1_000 };
const held = { invocationId: "invocation-1", leaseToken: "token-1" };

export function describeLeaseOnCommit(options: ConformanceOptions): void {
  describe("an invocation that its commit leases", () => {
    const harness = useHarness(options);

    const commit = async (changes: Partial<NewInvocation> = {}): Promise<void> => {
      const call = invokingRun("run-1", "invocation-1", { lease, ...changes });
      expect(await harness().storage.runs.commit(call)).toEqual(committed);
    };
    const leasedIds = async (): Promise<readonly string[]> => {
      const request = { ...connection, functions: ["screen"], limit: 9, leaseMs: 1_000, leaseToken: "token-2" };
      return (await harness().storage.invocations.lease(request)).map(({ invocationId }) => invocationId);
    };
    const extend = (): Promise<readonly string[]> =>
      harness().storage.invocations.extend({ ...connection, leases: [held], leaseMs: 1_000 });
    const settle = async (leaseToken = "token-1"): Promise<string> =>
      (await harness().storage.invocations.settle({ ...connection, ...held, leaseToken, body: "{}" })).status;

    it("is leased under that token, without an announcement, and to no other caller", async () => {
      const { storage, clock, changes } = harness();
      const before = changes.length;
      await commit();
      expect(changes.slice(before)).toEqual([{ type: "settled", runId: "run-1", scope: sandbox }]);
      const rows = await storage.invocations.ofRun({ scope: sandbox, runId: "run-1" });
      expect(rows).toMatchObject([{ status: "leased", leaseEndsAtMs: startMs + 1_000, createdAtMs: startMs }]);
      expect(rows[0]).not.toHaveProperty("lease");
      expect(await storage.invocations.backlog(connection)).toMatchObject({ queued: 0, leased: 1 });
      clock.advance(999);
      expect(await leasedIds()).toEqual([]);
      expect(await extend()).toEqual(["held"]);
      expect(await settle("token-2")).toBe("stale");
      expect(await settle()).toBe("accepted");
    });

    it("is leased again when its lease ends without an acknowledgement", async () => {
      const { clock } = harness();
      await commit();
      clock.advance(1_000);
      expect(await leasedIds()).toEqual(["invocation-1"]);
      expect(await extend()).toEqual(["lost"]);
      expect(await settle()).toBe("stale");
      expect(await settle("token-2")).toBe("accepted");
    });

    it("is not leased twice when its commit is repeated", async () => {
      const { storage, clock } = harness();
      await commit();
      clock.advance(1_000);
      expect(await leasedIds()).toEqual(["invocation-1"]);
      await commit();
      expect(await extend()).toEqual(["lost"]);
      expect(await storage.invocations.ofRun({ scope: sandbox, runId: "run-1" })).toHaveLength(1);
    });

    it("stays queued at or after its deadline", async () => {
      await commit({ deadlineMs: startMs });
      expect(await harness().storage.invocations.ofRun({ scope: sandbox, runId: "run-1" })).toMatchObject([
        { status: "queued" },
      ]);
      expect(await extend()).toEqual(["lost"]);
      expect(await leasedIds()).toEqual([]);
    });

    it("is withdrawn like any other leased invocation", async () => {
      const { invocations } = harness().storage;
      const withdraw = (runId: string): Promise<string> =>
        invocations.withdraw({ scope: sandbox, runId, effectKey: "effect-invocation-1" });
      await commit();
      expect(await withdraw("run-1")).toBe("withdrawn");
      expect(await extend()).toEqual(["lost"]);
      const other = invokingRun("run-2", "invocation-2", { lease, idempotent: true, effectKey: held.invocationId });
      expect(await harness().storage.runs.commit(other)).toEqual(committed);
      expect(await invocations.withdraw({ scope: sandbox, runId: "run-2", effectKey: held.invocationId })).toBe(
        "acknowledged",
      );
    });

    it("is not created when its row is refused", async () => {
      const { runs, invocations } = harness().storage;
      await commit();
      const again = invokingRun("run-2", "invocation-1", { lease: { ...lease, leaseToken: "token-9" } });
      expect(await runs.commit(again)).toMatchObject({ status: "refused" });
      expect(await runs.commit(row("run-1", 3))).toMatchObject({ status: "fenced" });
      expect(await invocations.ofRun({ scope: sandbox, runId: "run-2" })).toEqual([]);
      expect(await extend()).toEqual(["held"]);
    });
  });
}
