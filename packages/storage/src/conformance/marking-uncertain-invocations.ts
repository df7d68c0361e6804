import { describe, expect, it } from "vitest";
import type { ConformanceOptions } from "./harness.ts";
import { connection, held, result, useInvocationHarness } from "./invocation-harness.ts";
import { audit, live, sandbox, workspace } from "./samples.ts";

const limit = 9;

export function describeMarkingUncertain(options: ConformanceOptions): void {
  describe("invocations.markUncertain", () => {
    const { harness, commit, lease, leasedIds, extend, settle, withdraw, inboxOf, endRun, begin } =
      useInvocationHarness(options);
    const markUncertain = (changes: { readonly limit?: number } = {}) =>
      harness().storage.invocations.markUncertain({ scope: sandbox, limit, ...changes });
    const lapsed = async () =>
      (await harness().storage.invocations.expireLeases({ workspace, limit: 99, body: "{}" }))
        .map(({ invocationId }) => invocationId)
        .sort();

    it("marks open calls that must not be made twice: none is leased again, and each is reported", async () => {
      await begin();
      await commit(["run-2", "invocation-2"], ["run-3", "invocation-3"], ["run-4", "invocation-4"]);
      expect(await leasedIds({ limit: 1 })).toEqual(["invocation-2"]);
      await withdraw("run-4", "effect-invocation-4");
      expect(await harness().storage.invocations.markUncertain({ scope: sandbox, limit, audit: audit(1) })).toEqual({
        status: "marked",
        invocations: 3,
      });
      harness().clock.advance(60_000 - 1);
      expect(await leasedIds()).toEqual([]);
      expect(await lapsed()).toEqual(["invocation-1", "invocation-2", "invocation-3"]);
      expect(await inboxOf("run-3")).toMatchObject([{ effectKey: "lapsed:effect-invocation-3" }]);
      expect(await harness().storage.audit.head({ workspace })).toEqual(audit(1));
    });

    it("does not change the calls of ended runs", async () => {
      await begin();
      await endRun("run-1");
      expect(await markUncertain()).toEqual({ status: "marked", invocations: 0 });
      expect(await lapsed()).toEqual([]);
    });

    it("leaves idempotent calls to be leased again", async () => {
      await commit(["run-1", "invocation-1", { idempotent: true }], ["run-2", "invocation-2", { idempotent: true }]);
      await lease({ limit: 1 });
      expect(await markUncertain()).toEqual({ status: "marked", invocations: 0 });
      expect(await leasedIds()).toEqual(["invocation-2"]);
    });

    it("marks at most the limit, each call once, and none of another scope", async () => {
      await commit(["run-1", "invocation-1"], ["run-2", "invocation-2"], ["run-3", "invocation-3"]);
      const elsewhere = await harness().storage.invocations.markUncertain({ scope: live, limit });
      expect(elsewhere).toEqual({ status: "marked", invocations: 0 });
      expect(await markUncertain({ limit: 2 })).toEqual({ status: "marked", invocations: 2 });
      expect(await markUncertain({ limit: 2 })).toEqual({ status: "marked", invocations: 1 });
      expect(await markUncertain({ limit: 2 })).toEqual({ status: "marked", invocations: 0 });
    });

    it("accepts the result of the client that holds the last token, and no other result", async () => {
      await begin();
      await commit(["run-2", "invocation-2"]);
      await markUncertain();
      expect(await settle({ invocationId: "invocation-2", leaseToken: "token-1" })).toBe("stale");
      expect(await extend([{ invocationId: "invocation-2", leaseToken: "token-1" }])).toEqual(["lost"]);
      expect(await settle(held, '{"ok":1}')).toBe("accepted");
      expect(await inboxOf("run-1")).toEqual(result);
    });

    it("changes nothing when the audit entry is behind the chain", async () => {
      await commit(["run-1", "invocation-1"]);
      const behind = await harness().storage.invocations.markUncertain({
        scope: connection.scope,
        limit,
        audit: audit(2),
      });
      expect(behind).toEqual({ status: "audit_behind" });
      expect(await leasedIds()).toEqual(["invocation-1"]);
    });
  });
}
