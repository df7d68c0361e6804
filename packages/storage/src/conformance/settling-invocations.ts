import { describe, expect, it } from "vitest";
import type { ConformanceOptions } from "./harness.ts";
import { startMs } from "./harness.ts";
import { connection, held, result, useInvocationHarness } from "./invocation-harness.ts";
import {
  commitAll,
  awaiting,
  committed,
  completed,
  decision,
  elsewhere,
  invokingRun,
  live,
  post,
  review,
  row,
  sandbox,
  worker,
  workspace,
} from "./samples.ts";

export function describeSettlingInvocations(options: ConformanceOptions): void {
  describe("results of invocations", () => {
    const { harness, commit, lease, settle, inboxOf, begin } = useInvocationHarness(options);

    describe("settle", () => {
      it("puts the result into the run's inbox and wakes the run", async () => {
        const { runs, invocations } = harness().storage;
        await begin();
        expect(await settle(held)).toBe("accepted");
        expect(await inboxOf("run-1")).toEqual(result);
        expect(await invocations.ofRun({ scope: sandbox, runId: "run-1" })).toMatchObject([
          { status: "settled", leaseEndsAtMs: undefined },
        ]);
        const claimed = await runs.claim({ workspace, workerId: worker, limit: 9 });
        expect(claimed.runs).toMatchObject([{ runId: "run-1", epoch: 2, takenOver: false, inbox: result }]);
        expect(await runs.commit(row("run-1", 2, { epoch: 2, consume: ["effect-invocation-1"] }))).toEqual(committed);
      });

      it("notifies the owner of a hot run", async () => {
        const { storage, changes } = harness();
        const call = invokingRun("run-1", "invocation-1");
        await storage.runs.commit({ ...call, then: { kind: "hot", workerId: worker } });
        await lease();
        const before = changes.length;
        expect(await settle(held)).toBe("accepted");
        expect(changes.slice(before)).toEqual([{ type: "notified", runId: "run-1" }]);
        expect(await inboxOf("run-1")).toEqual(result);
      });

      it("answers a repeated result as such, and keeps the first body", async () => {
        const { runs } = harness().storage;
        await begin();
        expect(await settle(held)).toBe("accepted");
        expect(await settle(held)).toBe("repeated");
        expect(await settle(held, '{"other":1}')).toBe("repeated");
        expect(await settle({ ...held, leaseToken: "token-0" })).toBe("stale");
        expect(await inboxOf("run-1")).toEqual(result);
        await runs.claim({ workspace, workerId: worker, limit: 9 });
        await runs.commit(row("run-1", 2, { epoch: 2, consume: ["effect-invocation-1"], then: completed }));
        expect(await settle(held)).toBe("repeated");
      });

      it("accepts a result without an acknowledgement, and one after lease and deadline", async () => {
        const { clock } = harness();
        await commit(["run-1", "invocation-1"], ["run-2", "invocation-2", { deadlineMs: startMs + 10 }]);
        const [first, second] = await lease();
        expect(await settle(first ?? held)).toBe("accepted");
        clock.advance(5_000);
        expect(await settle(second ?? held)).toBe("accepted");
      });

      it("refuses the token of an earlier lease", async () => {
        const { clock } = harness();
        await commit(["run-1", "invocation-1"]);
        expect(await settle(held)).toBe("stale");
        await lease();
        clock.advance(1_000);
        await lease({ leaseToken: "token-2" });
        expect(await settle(held)).toBe("stale");
        expect(await inboxOf("run-1")).toEqual([]);
        expect(await settle({ ...held, leaseToken: "token-2" })).toBe("accepted");
        expect(await settle(held)).toBe("stale");
      });

      it("finds no invocation of another connection, environment or workspace", async () => {
        const { invocations } = harness().storage;
        await begin();
        for (const place of [{ connectionId: "connection-2" }, { scope: live }, { scope: elsewhere }]) {
          expect(await invocations.settle({ ...connection, ...held, ...place, body: "{}" })).toEqual({
            status: "not_found",
          });
        }
        expect(await settle({ ...held, invocationId: "unknown" })).toBe("not_found");
        expect(await settle(held)).toBe("accepted");
      });

      it("answers `ended` for an ended run, and leaves its inbox empty", async () => {
        const { runs } = harness().storage;
        await begin();
        await runs.commit(row("run-1", 2, { then: completed }));
        expect(await settle(held)).toBe("ended");
        expect(await settle(held)).toBe("ended");
        expect(await settle({ ...held, leaseToken: "token-0" })).toBe("ended");
        expect(await inboxOf("run-1")).toEqual([]);
      });

      it("answers `ended` when the run already has a notification of the effect", async () => {
        const { inbox } = harness().storage;
        await begin();
        await inbox.post([post("run-1", "effect-invocation-1", { body: '"of a person"' })]);
        expect(await settle(held)).toBe("ended");
        expect(await inboxOf("run-1")).toEqual([{ effectKey: "effect-invocation-1", body: '"of a person"' }]);
      });

      it("closes the open review of its effect, and no other", async () => {
        const { storage, clock } = harness();
        const effectKey = "effect-invocation-1";
        const asks = { openReview: review("review-1", { effectKey }), then: awaiting };
        await commit(["run-1", "invocation-1", {}, asks]);
        await commit(["run-2", "invocation-2", {}, { openReview: review("review-2"), then: awaiting }]);
        const leases = await lease();
        clock.advance(7);
        for (const one of leases) expect(await settle(one)).toBe("accepted");
        const get = (reviewId: string) => storage.reviews.get({ scope: sandbox, reviewId });
        expect(await get("review-1")).toMatchObject({ status: "settled", closedAtMs: startMs + 7 });
        expect(await get("review-2")).toMatchObject({ status: "open" });
        expect(await storage.runs.get({ scope: sandbox, runId: "run-1" })).toMatchObject({ status: "running" });
      });

      it("accepts one of a hundred concurrent results of a lease, and answers `repeated` to the others", async () => {
        await begin();
        const answers = await Promise.all(Array.from({ length: 100 }, (_, index) => settle(held, `${index}`)));
        const accepted = answers.indexOf("accepted");
        expect(answers.filter((answer) => answer === "accepted")).toHaveLength(1);
        expect(answers.filter((answer) => answer === "repeated")).toHaveLength(99);
        expect(await inboxOf("run-1")).toEqual([{ effectKey: "effect-invocation-1", body: `${accepted}` }]);
      });

      it("lets either the result or the withdrawal win when they race", async () => {
        const { invocations } = harness().storage;
        await commit(...Array.from({ length: 20 }, (_, index): [string, string] => [`run-${index}`, `inv-${index}`]));
        const leases = await lease();
        expect(leases).toHaveLength(20);
        const pairs = await Promise.all(
          leases.map((one) =>
            Promise.all([
              settle(one),
              invocations.withdraw({ scope: sandbox, runId: one.runId, effectKey: `effect-${one.invocationId}` }),
            ]),
          ),
        );
        for (const [index, [settled, withdrawn]] of pairs.entries()) {
          expect([settled, withdrawn]).toEqual(settled === "accepted" ? [settled, "settled"] : ["ended", "withdrawn"]);
          expect(await inboxOf(leases[index]?.runId ?? "")).toHaveLength(settled === "accepted" ? 1 : 0);
        }
      });

      it("lets either the result or the end of its run win when they race, and loses no accepted result", async () => {
        const { runs } = harness().storage;
        await commit(...Array.from({ length: 20 }, (_, index): [string, string] => [`run-${index}`, `inv-${index}`]));
        const leases = await lease();
        const pairs = await Promise.all(
          leases.map((one) => Promise.all([settle(one), commitAll(runs, [row(one.runId, 2, { then: completed })])])),
        );
        for (const [settled, [ended]] of pairs) {
          expect([settled, ended?.status]).toEqual(
            settled === "accepted" ? [settled, "inbox_not_empty"] : ["ended", "committed"],
          );
        }
      });

      it("counts either a result or a person's decision on the same effect", async () => {
        const { storage } = harness();
        const numbers = Array.from({ length: 20 }, (_, index) => index);
        await commit(
          ...numbers.map((index): Parameters<typeof invokingRun> => {
            const effectKey = `effect-inv-${index}`;
            return [
              `run-${index}`,
              `inv-${index}`,
              {},
              { openReview: review(`review-${index}`, { effectKey }), then: awaiting },
            ];
          }),
        );
        const leases = await lease();
        const pairs = await Promise.all(
          numbers.map((index) =>
            Promise.all([
              settle(leases[index] ?? held),
              storage.reviews.decide(decision(`run-${index}`, `review-${index}`)),
            ]),
          ),
        );
        for (const [index, [settled, decided]] of pairs.entries()) {
          const first = settled === "accepted";
          expect([settled, decided.status]).toEqual([first ? "accepted" : "ended", first ? "not_open" : "recorded"]);
          expect(await inboxOf(`run-${index}`)).toHaveLength(1);
        }
      });
    });
  });
}
