import { describe, expect, it } from "vitest";
import type { NewInvocation } from "../invocations.ts";
import type { ConformanceOptions } from "./bench.ts";
import { startMs, useBench } from "./bench.ts";
import { committed, invokingRun, row, sandbox } from "./samples.ts";

const connection = { scope: sandbox, connectionId: "connection-1" };
const handedTo = { leaseToken: "token-1", leaseMs: 1_000 };
const held = { invocationId: "invocation-1", leaseToken: "token-1" };

export function describeHandingOutAtOnce(options: ConformanceOptions): void {
  describe("an invocation that is handed out with its commit", () => {
    const bench = useBench(options);

    const commit = async (changes: Partial<NewInvocation> = {}): Promise<void> => {
      const call = invokingRun("run-1", "invocation-1", { handedTo, ...changes });
      expect(await bench().storage.runs.commit([call])).toEqual([committed]);
    };
    const leasedIds = async (): Promise<readonly string[]> => {
      const request = { ...connection, functions: ["screen"], limit: 9, leaseMs: 1_000, leaseToken: "token-2" };
      return (await bench().storage.invocations.lease(request)).map(({ invocationId }) => invocationId);
    };
    const extend = (begins = false): Promise<readonly string[]> =>
      bench().storage.invocations.extend({ ...connection, leases: [held], leaseMs: 1_000, begins });
    const settle = async (leaseToken = "token-1"): Promise<string> =>
      (await bench().storage.invocations.settle({ ...connection, ...held, leaseToken, body: "{}" })).status;

    it("is leased under that token, and nobody else is told of it or given it", async () => {
      const { storage, clock, changes } = bench();
      const before = changes.length;
      await commit();
      expect(changes.slice(before)).toEqual([{ type: "settled", runId: "run-1" }]);
      const rows = await storage.invocations.ofRun({ scope: sandbox, runId: "run-1" });
      expect(rows).toMatchObject([{ status: "leased", leaseEndsAtMs: startMs + 1_000, createdAtMs: startMs }]);
      expect(rows[0]).not.toHaveProperty("handedTo");
      expect(await storage.invocations.backlog(connection)).toMatchObject({ queued: 0, leased: 1 });
      clock.advance(999);
      expect(await leasedIds()).toEqual([]);
      expect(await extend()).toEqual(["held"]);
      expect(await settle("token-2")).toBe("stale");
      expect(await settle()).toBe("accepted");
    });

    it("is handed out again when nobody acknowledged it in time", async () => {
      const { clock } = bench();
      await commit();
      clock.advance(1_000);
      expect(await leasedIds()).toEqual(["invocation-1"]);
      expect(await extend()).toEqual(["lost"]);
      expect(await settle()).toBe("stale");
      expect(await settle("token-2")).toBe("accepted");
    });

    it("is not handed out twice when its commit is repeated", async () => {
      const { storage, clock } = bench();
      await commit();
      clock.advance(1_000);
      expect(await leasedIds()).toEqual(["invocation-1"]);
      await commit();
      expect(await extend()).toEqual(["lost"]);
      expect(await storage.invocations.ofRun({ scope: sandbox, runId: "run-1" })).toHaveLength(1);
    });

    it("waits for anybody when its deadline has come", async () => {
      await commit({ deadlineMs: startMs });
      expect(await bench().storage.invocations.ofRun({ scope: sandbox, runId: "run-1" })).toMatchObject([
        { status: "queued" },
      ]);
      expect(await extend()).toEqual(["lost"]);
      expect(await leasedIds()).toEqual([]);
    });

    describe("and was acknowledged in advance", () => {
      const acknowledged = { ...handedTo, acknowledged: true };
      const begun = async (changes: Partial<NewInvocation> = {}): Promise<void> => {
        await commit({ handedTo: acknowledged, ...changes });
        expect(await bench().storage.invocations.ofRun({ scope: sandbox, runId: "run-1" })).toMatchObject([
          { status: "acknowledged", leaseEndsAtMs: startMs + 1_000 },
        ]);
      };
      const lapse = (): Promise<readonly unknown[]> =>
        bench().storage.invocations.lapse({ workspace: sandbox.workspace, limit: 9, body: "{}" });
      const unacknowledge = (changes: Partial<typeof connection & typeof held> = {}): Promise<boolean> =>
        bench().storage.invocations.unacknowledge({ ...connection, ...held, ...changes });
      const withdraw = (unacknowledged?: string): Promise<string> =>
        bench().storage.invocations.withdraw({
          ...{ scope: sandbox, runId: "run-1", effectKey: "effect-invocation-1" },
          ...(unacknowledged !== undefined && { unacknowledged }),
        });
      const statusOf = async (): Promise<string | undefined> =>
        (await bench().storage.invocations.ofRun({ scope: sandbox, runId: "run-1" }))[0]?.status;

      it("is held under that token and settled, and not taken back", async () => {
        const { storage, clock } = bench();
        await begun();
        expect(await storage.invocations.backlog(connection)).toMatchObject({ queued: 0, leased: 1 });
        expect(await withdraw()).toBe("acknowledged");
        clock.advance(999);
        expect(await lapse()).toEqual([]);
        expect(await extend()).toEqual(["held"]);
        expect(await settle()).toBe("accepted");
      });

      it("lapses with its lease and is never handed out again", async () => {
        const { clock } = bench();
        await begun();
        clock.advance(1_000);
        expect(await leasedIds()).toEqual([]);
        expect(await lapse()).toMatchObject([{ invocationId: "invocation-1" }]);
        expect(await extend()).toEqual(["lapsed"]);
        expect(await settle()).toBe("accepted");
      });

      it("is leased only when its function is idempotent", async () => {
        const { clock } = bench();
        await commit({ handedTo: acknowledged, idempotent: true });
        expect(await unacknowledge()).toBe(false);
        clock.advance(1_000);
        expect(await lapse()).toEqual([]);
        expect(await leasedIds()).toEqual(["invocation-1"]);
        expect(await extend()).toEqual(["lost"]);
      });

      it("is handed out again once that was taken back", async () => {
        const { clock, changes } = bench();
        await begun();
        clock.advance(10);
        const before = changes.length;
        expect(await unacknowledge()).toBe(true);
        expect(changes.slice(before)).toEqual([{ type: "invocable", connectionId: "connection-1" }]);
        expect(await unacknowledge()).toBe(false);
        expect(await leasedIds()).toEqual(["invocation-1"]);
        clock.advance(1_000);
        expect(await lapse()).toEqual([]);
        expect(await extend()).toEqual(["lost"]);
        expect(await settle()).toBe("stale");
        expect(await settle("token-2")).toBe("accepted");
      });

      it("is held under its token when it is acknowledged after that, and withdrawn when it is not", async () => {
        await begun();
        expect(await unacknowledge()).toBe(true);
        expect(await statusOf()).toBe("leased");
        expect(await extend()).toEqual(["held"]);
        expect(await statusOf()).toBe("acknowledged");
        expect(await leasedIds()).toEqual([]);
        expect(await unacknowledge()).toBe(false);
      });

      it("is withdrawn when nobody acknowledges it after that", async () => {
        await begun();
        expect(await unacknowledge()).toBe(true);
        expect(await withdraw()).toBe("withdrawn");
        expect(await extend()).toEqual(["lost"]);
      });

      it("is withdrawn under its token, in one step, unless somebody has relied on it", async () => {
        await begun();
        expect(await withdraw("token-1")).toBe("withdrawn");
        expect(await extend()).toEqual(["lost"]);
        expect(await settle()).toBe("ended");
        expect(await unacknowledge()).toBe(false);
      });

      it.each([
        ["another token", async () => {}, "token-2"],
        ["a client that has acknowledged it", () => extend(), "token-1"],
        ["a run that was told that it may have begun", () => withdraw(), "token-1"],
      ] as const)("is not withdrawn against %s", async (_whom, relyOn, unacknowledged) => {
        await begun();
        await relyOn();
        expect(await withdraw(unacknowledged)).toBe("acknowledged");
        expect(await extend()).toEqual(["held"]);
      });

      it("counts as acknowledged also when its run has ended and its lease is over", async () => {
        const { storage, clock } = bench();
        await begun();
        const then = { kind: "ended", status: "failed", endedAtMs: startMs, error: "Cancelled." } as const;
        expect(await storage.runs.commit([row("run-1", 2, { then })])).toEqual([committed]);
        clock.advance(1_000);
        expect(await lapse()).toEqual([]);
        expect(await statusOf()).toBe("acknowledged");
        expect(await unacknowledge()).toBe(false);
        expect(await withdraw("token-1")).toBe("acknowledged");
      });

      it("is lost to a client that begins after its deadline, whoever has acknowledged it", async () => {
        const { clock } = bench();
        await begun({ deadlineMs: startMs + 10 });
        expect(await extend(true)).toEqual(["held"]);
        clock.advance(10);
        expect(await extend(true)).toEqual(["lost"]);
        expect(await extend()).toEqual(["held"]);
        expect(await statusOf()).toBe("acknowledged");
      });

      it("is lost to a client that begins after it has lapsed", async () => {
        const { clock } = bench();
        await begun();
        clock.advance(1_000);
        await lapse();
        expect(await extend(true)).toEqual(["lost"]);
        expect(await extend()).toEqual(["lapsed"]);
      });

      it("is not taken back by another connection, environment or token", async () => {
        await begun();
        expect(await unacknowledge({ connectionId: "connection-2" })).toBe(false);
        expect(await unacknowledge({ scope: { ...sandbox, environment: "live" } })).toBe(false);
        expect(await unacknowledge({ scope: { ...sandbox, workspace: "nowhere" } })).toBe(false);
        expect(await unacknowledge({ leaseToken: "token-2" })).toBe(false);
        expect(await unacknowledge({ invocationId: "invocation-2" })).toBe(false);
        expect(await statusOf()).toBe("acknowledged");
      });

      it.each([
        ["was acknowledged", () => extend(), "acknowledged"],
        ["was settled", () => settle(), "settled"],
        ["was not withdrawn for it", () => withdraw(), "acknowledged"],
        ["was lost", () => bench().storage.invocations.lose({ scope: sandbox, limit: 9 }), "acknowledged"],
        ["has lapsed", () => (bench().clock.advance(1_000), lapse()), "lapsed"],
      ] as const)("stays so once it %s", async (_when, relyOn, status) => {
        await begun();
        await relyOn();
        expect(await statusOf()).toBe(status);
        expect(await unacknowledge()).toBe(false);
        expect(await statusOf()).toBe(status);
        expect(await leasedIds()).toEqual([]);
      });

      it("is acknowledged also when its deadline has come", async () => {
        await begun({ deadlineMs: startMs });
        expect(await extend()).toEqual(["held"]);
        expect(await settle()).toBe("accepted");
      });
    });

    it("can be taken back as any other that was handed out", async () => {
      const { invocations } = bench().storage;
      const withdraw = (runId: string): Promise<string> =>
        invocations.withdraw({ scope: sandbox, runId, effectKey: "effect-invocation-1" });
      await commit();
      expect(await withdraw("run-1")).toBe("withdrawn");
      expect(await extend()).toEqual(["lost"]);
      const other = invokingRun("run-2", "invocation-2", { handedTo, idempotent: true, effectKey: held.invocationId });
      expect(await bench().storage.runs.commit([other])).toEqual([committed]);
      expect(await invocations.withdraw({ scope: sandbox, runId: "run-2", effectKey: held.invocationId })).toBe(
        "acknowledged",
      );
    });

    it("is not there when its row is refused", async () => {
      const { runs, invocations } = bench().storage;
      await commit();
      const again = invokingRun("run-2", "invocation-1", { handedTo: { ...handedTo, leaseToken: "token-9" } });
      expect(await runs.commit([again])).toMatchObject([{ status: "refused" }]);
      expect(await runs.commit([row("run-1", 3)])).toMatchObject([{ status: "fenced" }]);
      expect(await invocations.ofRun({ scope: sandbox, runId: "run-2" })).toEqual([]);
      expect(await extend()).toEqual(["held"]);
    });
  });
}
