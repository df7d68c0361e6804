import { describe, expect, it } from "vitest";
import type { ConformanceOptions } from "./harness.ts";
import { startMs } from "./harness.ts";
import { connection, useInvocationHarness } from "./invocation-harness.ts";
import { commitAll, completed, elsewhere, invokingRun, live, row } from "./samples.ts";

export function describeLeasingInvocations(options: ConformanceOptions): void {
  describe("leases of invocations", () => {
    const { harness, commit, lease, leasedIds, extend, statusOf, withdraw, endRun } = useInvocationHarness(options);

    describe("lease", () => {
      it("leases queued calls, oldest first, with all that their client needs", async () => {
        await commit(["run-1", "invocation-1"], ["run-2", "invocation-2", { idempotent: true }]);
        await commit(["run-3", "invocation-0"]);
        expect(await lease({ limit: 2, leaseToken: "token-a" })).toEqual([
          {
            invocationId: "invocation-1",
            leaseToken: "token-a",
            runId: "run-1",
            functionName: "screen",
            idempotent: false,
            payload: '{"call":"invocation-1"}',
            leaseEndsAtMs: startMs + 1_000,
          },
          {
            invocationId: "invocation-2",
            leaseToken: "token-a",
            runId: "run-2",
            functionName: "screen",
            idempotent: true,
            payload: '{"call":"invocation-2"}',
            leaseEndsAtMs: startMs + 1_000,
          },
        ]);
        expect(await leasedIds()).toEqual(["invocation-0"]);
        expect(await leasedIds()).toEqual([]);
        expect(await statusOf("run-1")).toEqual(["leased"]);
      });

      it("leases calls of the listed functions only", async () => {
        await commit(
          ["run-1", "a", { functionName: "refund" }],
          ["run-2", "b", { functionName: "pay" }],
          ["run-3", "c"],
        );
        expect(await leasedIds({ functions: [] })).toEqual([]);
        expect(await leasedIds({ functions: ["unknown"] })).toEqual([]);
        expect(await leasedIds({ functions: ["screen", "refund", "screen"] })).toEqual(["a", "c"]);
        expect(await leasedIds({ functions: ["pay"] })).toEqual(["b"]);
      });

      it("leases no call of another connection, environment or workspace", async () => {
        await commit(["run-1", "invocation-1"]);
        await commit(
          ["live-1", "invocation-2", {}, { scope: live }],
          ["globex-1", "invocation-3", {}, { scope: elsewhere }],
        );
        expect(await leasedIds({ connectionId: "connection-2" })).toEqual([]);
        expect(await leasedIds({ scope: live })).toEqual(["invocation-2"]);
        expect(await leasedIds({ scope: elsewhere })).toEqual(["invocation-3"]);
        expect(await leasedIds()).toEqual(["invocation-1"]);
      });

      it("leases calls whose lease ended without an acknowledgement before queued ones", async () => {
        const { clock } = harness();
        await commit(["run-1", "invocation-1"], ["run-2", "invocation-2"]);
        const [first] = await lease({ limit: 1 });
        clock.advance(1);
        await lease({ limit: 1 });
        await commit(["run-3", "invocation-3"]);
        clock.advance(998);
        expect(await leasedIds()).toEqual(["invocation-3"]);
        await commit(["run-4", "invocation-4"]);
        clock.advance(1);
        expect(await leasedIds({ limit: 1, leaseMs: 10 })).toEqual(["invocation-1"]);
        clock.advance(1);
        expect(await leasedIds()).toEqual(["invocation-2", "invocation-4"]);
        expect(first === undefined ? [] : await extend([first])).toEqual(["lost"]);
      });

      it("leases an acknowledged call again only when it is idempotent and its lease has ended", async () => {
        const { clock } = harness();
        await commit(["run-1", "invocation-1"], ["run-2", "invocation-2", { idempotent: true }]);
        expect(await extend(await lease())).toEqual(["held", "held"]);
        clock.advance(999);
        expect(await leasedIds()).toEqual([]);
        clock.advance(1);
        expect(await leasedIds()).toEqual(["invocation-2"]);
        expect(await leasedIds()).toEqual([]);
      });

      it("leases no call at or after its deadline, even one whose lease ended before it", async () => {
        const { clock } = harness();
        const deadlineMs = startMs + 100;
        await commit(
          ["run-1", "invocation-1", { deadlineMs }],
          ["run-2", "invocation-2", { deadlineMs, idempotent: true }],
        );
        await commit(["run-3", "invocation-3"]);
        clock.advance(99);
        expect(await leasedIds({ limit: 1, leaseMs: 1 })).toEqual(["invocation-1"]);
        clock.advance(1);
        expect(await leasedIds()).toEqual(["invocation-3"]);
        expect(await leasedIds()).toEqual([]);
      });

      it("skips the calls of ended runs, and finds later ones", async () => {
        const runs = Array.from({ length: 120 }, (_, index) => `run-${index}`);
        await commit(...runs.map((runId): [string, string] => [runId, `invocation-of-${runId}`]));
        await commitAll(
          harness().storage.runs,
          runs.slice(0, 119).map((runId) => row(runId, 2, { then: completed })),
        );
        await commit(["run-x", "invocation-x"]);
        expect(await leasedIds({ limit: 2 })).toEqual(["invocation-of-run-119", "invocation-x"]);
        expect(await leasedIds()).toEqual([]);
      });

      it("leases each call to one of several concurrent callers, and finally all calls", async () => {
        const items = Array.from({ length: 60 }, (_, index) => invokingRun(`run-${index}`, `invocation-${index}`));
        await commitAll(harness().storage.runs, items);
        const caller = async (number: number): Promise<readonly string[]> => {
          const mine: string[] = [];
          // Callers that meet another caller's locks may get nothing; `invocable` is then announced again.
          for (let empty = 0; empty < 20;) {
            const got = await leasedIds({ limit: 1 + (number % 3) });
            mine.push(...got);
            empty = got.length === 0 ? empty + 1 : 0;
          }
          return mine;
        };
        const all = (await Promise.all(Array.from({ length: 8 }, (_, number) => caller(number)))).flat();
        expect(all).toHaveLength(60);
        expect(new Set(all).size).toBe(60);
      });
    });

    describe("extend", () => {
      it("acknowledges the call, and extends the lease from now", async () => {
        const { clock } = harness();
        await commit(["run-1", "invocation-1", { idempotent: true }]);
        const leases = await lease();
        expect(await extend(leases)).toEqual(["held"]);
        expect(await statusOf("run-1")).toEqual(["acknowledged"]);
        clock.advance(999);
        expect(await extend(leases, 500)).toEqual(["held"]);
        clock.advance(499);
        expect(await leasedIds()).toEqual([]);
        clock.advance(1);
        expect(await leasedIds()).toEqual(["invocation-1"]);
      });

      it.each([false, true])(
        "extends an ended lease that no other caller has taken, idempotent: %s",
        async (idempotent) => {
          const { clock } = harness();
          await commit(["run-1", "invocation-1", { idempotent }]);
          const leases = await lease();
          clock.advance(5_000);
          expect(await extend(leases)).toEqual(["held"]);
          clock.advance(5_000);
          expect(await extend(leases)).toEqual(["held"]);
          expect(await leasedIds()).toEqual([]);
        },
      );

      it("answers in order, and `lost` for each lease that the caller does not hold", async () => {
        const { storage } = harness();
        await commit(["run-1", "a"], ["run-2", "b"], ["run-3", "c"], ["run-4", "d"], ["run-5", "e"]);
        await commit(["live-1", "f", {}, { scope: live }], ["run-6", "g", { connectionId: "connection-2" }]);
        const leases = await lease({ limit: 4, leaseToken: "token-x" });
        await lease({ scope: live, leaseToken: "token-x" });
        await lease({ connectionId: "connection-2", leaseToken: "token-x" });
        await storage.invocations.settle({ ...connection, invocationId: "b", leaseToken: "token-x", body: "{}" });
        expect(await withdraw("run-3", "effect-c")).toBe("withdrawn");
        await endRun("run-4");
        const requests = [
          ...leases,
          ...["e", "f", "g", "unknown"].map((invocationId) => ({ invocationId, leaseToken: "token-x" })),
        ];
        const answers = ["held", "lost", "lost", "lost", "lost", "lost", "lost", "lost"];
        expect(await extend(requests)).toEqual(answers);
        expect(await extend(requests.toReversed())).toEqual(answers.toReversed());
        expect(await extend([{ invocationId: "a", leaseToken: "another" }, ...leases.slice(0, 1)])).toEqual([
          "lost",
          "held",
        ]);
        expect(await extend([])).toEqual([]);
      });

      it("refuses to acknowledge after the deadline, and extends leases of calls acknowledged before it", async () => {
        const { clock } = harness();
        const deadlineMs = startMs + 100;
        await commit(["run-1", "invocation-1", { deadlineMs }], ["run-2", "invocation-2", { deadlineMs }]);
        const leases = await lease();
        expect(await extend(leases.slice(0, 1))).toEqual(["held"]);
        clock.advance(100);
        expect(await extend(leases)).toEqual(["held", "lost"]);
        expect(await statusOf("run-2")).toEqual(["leased"]);
      });

      it("gives an ended lease to one of several callers that race to take or extend it", async () => {
        const { clock } = harness();
        const ids = Array.from({ length: 20 }, (_, index) => `invocation-${index}`);
        await commit(...ids.map((id): [string, string] => [`run-of-${id}`, id]));
        const leases = await lease({ limit: 20 });
        clock.advance(1_000);
        const [taken, held] = await Promise.all([
          Promise.all(ids.map(() => leasedIds({ limit: 2 }))),
          Promise.all(leases.map((one) => extend([one]))),
        ]);
        const others = new Set(taken.flat());
        expect(taken.flat()).toHaveLength(others.size);
        leases.forEach(({ invocationId }, index) => {
          expect([invocationId, held[index]]).toEqual([invocationId, [others.has(invocationId) ? "lost" : "held"]]);
        });
      });
    });
  });
}
