import { describe, expect, it } from "vitest";
import type { Harness, ConformanceOptions } from "./harness.ts";
import { useHarness } from "./harness.ts";
import {
  commitAll,
  audit,
  committed,
  completed,
  decision,
  event,
  fenced,
  firstRow,
  otherWorker,
  post,
  record,
  review,
  row,
  sandbox,
  waitingRun,
  worker,
  workspace,
} from "./samples.ts";

const inboxNotEmpty = { status: "inbox_not_empty" } as const;

export function describeEnding(options: ConformanceOptions): void {
  describe("ending runs by runs.commit", () => {
    const harness = useHarness(options);

    it("refuses to end a run with unread notifications, and changes nothing", async () => {
      const { storage, changes } = harness();
      const { runs, inbox, records } = storage;
      const hook = record("hook", { kind: "webhook", keys: ["acme/sandbox/run_completed"] });
      await records.put({ record: hook, ifRevision: 0, audit: audit(1) });
      await runs.commit(firstRow("run-1", { openReview: review("review-1") }));
      await inbox.post([post("run-1", "a"), post("run-1", "b")]);
      const last = row("run-1", 2, {
        closeReview: { status: "cancelled" },
        events: [event("event-1")],
        then: completed,
      });
      const before = await readAll(harness(), "run-1");
      const announced = changes.length;
      for (const consume of [undefined, [], ["a"], ["b"], ["c", "a"]]) {
        expect(await runs.commit(consume === undefined ? last : { ...last, consume })).toEqual(inboxNotEmpty);
      }
      expect(await readAll(harness(), "run-1")).toEqual(before);
      expect(changes).toHaveLength(announced);
      expect(await runs.commit({ ...last, consume: ["b", "c", "a"] })).toEqual(committed);
      expect(await runs.get({ scope: sandbox, runId: "run-1" })).toMatchObject({ status: "completed" });
      expect(await inbox.read({ scope: sandbox, runId: "run-1" })).toEqual([]);
    });

    it("ends a run whose notifications were consumed by earlier rows", async () => {
      const { runs, inbox } = harness().storage;
      await commitAll(runs, [firstRow("run-1"), firstRow("run-2")]);
      await inbox.post([post("run-1", "a"), post("run-2", "a")]);
      await runs.commit(row("run-1", 2, { consume: ["a"] }));
      expect(
        await commitAll(runs, [row("run-1", 3, { then: completed }), row("run-2", 2, { then: completed })]),
      ).toEqual([committed, inboxNotEmpty]);
    });

    it("answers `inbox_not_empty` only to the owner's next row: others are fenced, and a repeated row is committed", async () => {
      const { runs, inbox } = harness().storage;
      await runs.commit(firstRow("run-1"));
      await runs.claim({ workspace, workerId: otherWorker, limit: 1 });
      await runs.commit(row("run-1", 2, { epoch: 2 }));
      await inbox.post([post("run-1", "a")]);
      const last = row("run-1", 3, { epoch: 2, then: completed });
      const strays = [
        { ...last, epoch: 1 },
        { ...last, seq: 4 },
        { ...last, seq: 2 },
        { ...last, runId: "run-9" },
      ];
      expect(await commitAll(runs, strays)).toEqual([fenced, fenced, fenced, fenced]);
      expect(await runs.commit({ ...row("run-1", 2, { epoch: 2 }), then: completed })).toEqual(committed);
      expect(await runs.commit(last)).toEqual(inboxNotEmpty);
      expect(await runs.commit({ ...last, consume: ["a"] })).toEqual(committed);
      expect(await runs.commit(last)).toEqual(committed);
    });

    it("leaves the refused run with its owner, and the notification for its next row", async () => {
      const { storage, clock } = harness();
      const { runs, inbox, workers } = storage;
      await workers.heartbeat({ workerId: worker, leaseMs: 10 });
      await runs.commit(firstRow("run-1"));
      await inbox.post([post("run-1", "a")]);
      await runs.commit(row("run-1", 2, { then: completed }));
      expect(await workers.listRuns({ workerId: worker })).toEqual(["run-1"]);
      clock.advance(10);
      expect((await runs.claim({ workspace, workerId: otherWorker, limit: 1 })).runs).toMatchObject([
        { runId: "run-1", journal: [{ seq: 1 }], inbox: [{ effectKey: "a" }] },
      ]);
    });

    it("refuses either a notification after the end or an end with an unread notification, in any order of calls", async () => {
      const { runs, inbox } = harness().storage;
      await commitAll(runs, [firstRow("run-1"), firstRow("run-2")]);
      const end = (runId: string): Promise<unknown> => commitAll(runs, [row(runId, 2, { then: completed })]);
      const tellIt = (runId: string): Promise<unknown> => inbox.post([post(runId, "a")]);
      const [end1, post1, post2, end2] = await Promise.all([
        end("run-1"),
        tellIt("run-1"),
        tellIt("run-2"),
        end("run-2"),
      ]);
      // Adapters may process calls of one turn in any order.
      const orders = [
        [[committed], [{ status: "ended" }]],
        [[inboxNotEmpty], [{ status: "accepted", claimed: undefined }]],
      ];
      expect(orders).toContainEqual([end1, post1]);
      expect(orders).toContainEqual([end2, post2]);
    });

    it("never ends a run with an accepted but unread decision or cancellation, in any order of a race", async () => {
      const { runs, inbox, reviews } = harness().storage;
      const orders = permutations(["end", "decide", "cancel"] as const);
      for (const [number, order] of orders.entries()) {
        const runId = `run-${number}`;
        const reviewId = `review-${number}`;
        await runs.commit({ ...waitingRun(runId, reviewId), then: row(runId, 1).then });
        const last = row(runId, 2, { closeReview: { status: "cancelled" }, then: completed });
        const calls = {
          end: async () => (await commitAll(runs, [last]))[0]?.status,
          decide: async () => (await reviews.decide(decision(runId, reviewId))).status,
          cancel: async () => (await inbox.post([post(runId, "cancel")]))[0]?.status,
        };
        const statuses = new Map(await Promise.all(order.map(async (name) => [name, await calls[name]()] as const)));
        const consume = [
          ...(statuses.get("decide") === "recorded" ? [`effect-${reviewId}`] : []),
          ...(statuses.get("cancel") === "accepted" ? ["cancel"] : []),
        ];
        const stored = await inbox.read({ scope: sandbox, runId });
        expect(stored.map(({ effectKey }) => effectKey).sort(), order.join()).toEqual(consume.toSorted());
        expect(statuses.get("end"), order.join()).toBe(consume.length === 0 ? "committed" : "inbox_not_empty");
        expect(await runs.commit({ ...last, consume })).toEqual(committed);
        expect(await runs.get({ scope: sandbox, runId })).toMatchObject({ status: "completed" });
      }
    });
  });
}

function permutations<T>(items: readonly T[]): readonly (readonly T[])[] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
}

/** All readable data of a run and of its effects. */
async function readAll({ storage }: Harness, runId: string): Promise<unknown> {
  const run = { scope: sandbox, runId };
  return {
    row: await storage.runs.get(run),
    journal: await storage.runs.journal(run),
    inbox: await storage.inbox.read(run),
    reviews: await storage.reviews.ofRun(run),
    held: await storage.workers.listRuns({ workerId: worker }),
    deliveries: await storage.deliveries.list({ scope: sandbox, webhookId: "hook", limit: 10 }),
  };
}
