import { describe, expect, it } from "vitest";
import { lapsedKeyOf } from "../invocations.ts";
import type { ConformanceOptions } from "./harness.ts";
import { held, result, useInvocationHarness } from "./invocation-harness.ts";
import { commitAll, completed, elsewhere, live, row, sandbox, worker, workspace } from "./samples.ts";

export function describeExpiringLeases(options: ConformanceOptions): void {
  describe("invocations whose lease has ended", () => {
    const { harness, commit, lease, extend, settle, inboxOf, begin } = useInvocationHarness(options);
    const lapse = async (limit = 99): Promise<readonly string[]> => {
      const lapsed = await harness().storage.invocations.expireLeases({ workspace, limit, body: '{"lapsed":1}' });
      return lapsed.map(({ invocationId }) => invocationId);
    };

    describe("expireLeases", () => {
      const notified = [{ effectKey: lapsedKeyOf("effect-invocation-1"), body: '{"lapsed":1}' }];

      it("marks an acknowledged call whose lease has ended as lapsed, and notifies its run once", async () => {
        const { storage, clock } = harness();
        await begin();
        clock.advance(999);
        expect(await lapse()).toEqual([]);
        clock.advance(1);
        expect(await storage.invocations.expireLeases({ workspace, limit: 9, body: '{"lapsed":1}' })).toEqual([
          { scope: sandbox, runId: "run-1", invocationId: "invocation-1" },
        ]);
        expect(await lapse()).toEqual([]);
        expect(await inboxOf("run-1")).toEqual(notified);
        const claimed = await storage.runs.claim({ workspace, workerId: worker, limit: 9 });
        expect(claimed.runs).toMatchObject([{ runId: "run-1", inbox: notified }]);
        expect(await extend([held])).toEqual(["lapsed"]);
        expect(await extend([{ ...held, leaseToken: "token-0" }])).toEqual(["lost"]);
        expect(await lapse()).toEqual([]);
        expect(await lease({ leaseToken: "token-2" })).toEqual([]);
      });

      it("does not change calls that are not acknowledged, idempotent or settled", async () => {
        const { clock } = harness();
        await commit(["run-1", "invocation-1"], ["run-2", "b", { idempotent: true }], ["run-3", "c"]);
        const leases = await lease();
        expect(await extend(leases.slice(1))).toEqual(["held", "held"]);
        expect(await settle({ invocationId: "c", leaseToken: "token-1" })).toBe("accepted");
        clock.advance(5_000);
        expect(await lapse()).toEqual([]);
      });

      it("marks the earliest ends first, up to the limit, in both environments of one workspace", async () => {
        const { storage, clock } = harness();
        await commit(["run-1", "a"], ["run-2", "b"], ["run-3", "c", {}, { scope: live }]);
        await commit(["run-4", "d", {}, { scope: elsewhere }]);
        const request = {
          connectionId: "connection-1",
          functions: ["screen"],
          limit: 9,
          leaseMs: 9,
          leaseToken: "token-1",
        };
        const leaseMs = { a: 30, b: 10, c: 20, d: 1 };
        for (const scope of [sandbox, live, elsewhere]) {
          for (const one of await storage.invocations.lease({ ...request, scope })) {
            const ends = leaseMs[one.invocationId as keyof typeof leaseMs];
            await storage.invocations.extend({ ...request, scope, leases: [one], leaseMs: ends });
          }
        }
        clock.advance(25);
        expect(await lapse(1)).toEqual(["b"]);
        clock.advance(5);
        expect(await lapse()).toEqual(["c", "a"]);
        expect(await storage.inbox.read({ scope: elsewhere, runId: "run-4" })).toEqual([]);
      });

      it("skips the calls of ended runs, and finds later ones", async () => {
        const { runs } = harness().storage;
        const ids = Array.from({ length: 70 }, (_, index) => `invocation-${index}`);
        await commit(...ids.map((id): [string, string] => [`run-of-${id}`, id]));
        await extend(await lease());
        await commitAll(
          runs,
          ids.slice(0, 69).map((id) => row(`run-of-${id}`, 2, { then: completed })),
        );
        harness().clock.advance(1_000);
        expect(await lapse(1)).toEqual(["invocation-69"]);
        expect(await lapse()).toEqual([]);
        expect(await inboxOf("run-of-invocation-0")).toEqual([]);
      });

      it("allows a result of the last lease to settle a lapsed call, while the run waits", async () => {
        const { storage, clock } = harness();
        await begin();
        clock.advance(1_000);
        expect(await lapse()).toEqual(["invocation-1"]);
        expect(await settle({ ...held, leaseToken: "token-0" })).toBe("stale");
        expect(await settle(held)).toBe("accepted");
        expect(await settle(held)).toBe("repeated");
        expect(await inboxOf("run-1")).toEqual([...notified, ...result]);
        const rows = await storage.invocations.ofRun({ scope: sandbox, runId: "run-1" });
        expect(rows).toMatchObject([{ status: "settled" }]);
      });

      it("returns each call to one of several concurrent callers", async () => {
        const { clock } = harness();
        const ids = Array.from({ length: 30 }, (_, index) => `invocation-${index}`);
        await commit(...ids.map((id): [string, string] => [`run-of-${id}`, id]));
        await extend(await lease());
        clock.advance(1_000);
        const answers = (await Promise.all(Array.from({ length: 8 }, (_, number) => lapse(1 + number)))).flat();
        answers.push(...(await lapse()));
        expect(answers.toSorted()).toEqual(ids.toSorted());
        for (const id of ids) expect(await inboxOf(`run-of-${id}`)).toHaveLength(1);
      });

      it("loses no result and no heartbeat that races with it", async () => {
        const { storage, clock } = harness();
        const ids = Array.from({ length: 30 }, (_, index) => `invocation-${index}`);
        await commit(...ids.map((id): [string, string] => [`run-of-${id}`, id]));
        const leases = await lease();
        await extend(leases);
        clock.advance(1_000);
        const [lapsed, others] = await Promise.all([
          Promise.all([lapse(), lapse(10), lapse(10)]),
          Promise.all(leases.map((one, index) => (index % 2 === 0 ? settle(one) : extend([one])))),
        ]);
        const gone = new Set(lapsed.flat());
        for (const [index, { invocationId, runId }] of leases.entries()) {
          const keys = (await storage.inbox.read({ scope: sandbox, runId })).map(({ effectKey }) => effectKey).sort();
          const expected = [
            ...(index % 2 === 0 ? [`effect-${invocationId}`] : []),
            ...(gone.has(invocationId) ? [lapsedKeyOf(`effect-${invocationId}`)] : []),
          ];
          expect([invocationId, keys]).toEqual([invocationId, expected]);
          const answer = index % 2 === 0 ? "accepted" : [gone.has(invocationId) ? "lapsed" : "held"];
          expect([invocationId, others[index]]).toEqual([invocationId, answer]);
        }
      });
    });
  });
}
