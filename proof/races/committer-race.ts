import assert from "node:assert/strict";
import fc from "fast-check";
import type { CommitResult, LaterItems, RunCommit } from "@procedo/storage";
import { createCommitter } from "../../packages/engine/src/runs/committer.ts";
import { race } from "./race.ts";

const arbitrary = fc.record({
  scheduler: fc.scheduler(),
  rows: fc.array(fc.record({ fate: fc.constantFrom("committed", "fenced", "refused") }), {
    minLength: 1,
    maxLength: 12,
  }),
  failingFlushes: fc.array(fc.boolean(), { maxLength: 6 }),
  takesLater: fc.boolean(),
});

export const committerRace = race(
  "group commit: each row gets its own answer, and none is lost or answered before it is durable",
  arbitrary,
  async ({ scheduler, rows, failingFlushes, takesLater }) => {
    const failures = [...failingFlushes];
    const durable = new Set<string>();
    const commit = async (own: readonly RunCommit[], later?: LaterItems): Promise<readonly CommitResult[]> => {
      await scheduler.schedule(Promise.resolve(), "flush");
      if (failures.shift() === true) throw new Error("Storage failed.");
      const items = [...own, ...(takesLater ? (later?.take() ?? []) : [])];
      if (failures.shift() === true) throw new Error("Storage failed.");
      for (const { runId } of items) durable.add(runId);
      await scheduler.schedule(Promise.resolve(), "flushed");
      return items.map(({ body }): CommitResult => {
        if (body === "refused") return { status: "refused", error: body };
        return { status: body === "fenced" ? "fenced" : "committed" };
      });
    };
    const soon = (callback: () => void): void => void scheduler.schedule(Promise.resolve(), "soon").then(callback);
    const committer = createCommitter({ commit }, { soon, monotonic: () => 0 });

    const answers = rows.map(async ({ fate }, number) => {
      await scheduler.schedule(Promise.resolve(), `row ${number} is ready`);
      try {
        const { status } = await committer.commit(rowOf(`run_${number}`, fate));
        assert.equal(status, fate);
        assert.ok(durable.has(`run_${number}`));
      } catch (error) {
        assert.ok(error instanceof Error && error.message === "Storage failed.", String(error));
      }
    });
    await scheduler.waitFor(Promise.all(answers));
  },
);

function rowOf(runId: string, body: string): RunCommit {
  const scope = { workspace: "w", environment: "live" } as const;
  return { scope, runId, epoch: 1, seq: 2, hash: "h", body, then: { kind: "hot", workerId: "w1" } };
}
