import { describe, expect, it } from "vitest";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import {
  awaiting,
  commitAll,
  completed,
  decision,
  elsewhere,
  firstRow,
  live,
  parked,
  sandbox,
  waitingRun,
} from "./samples.ts";

const dayMs = 86_400_000;
const days = [startMs, startMs + dayMs, startMs + 2 * dayMs];

export function describeTallies(options: ConformanceOptions): void {
  describe("runs.tally", () => {
    const harness = useHarness(options);
    const request = { scope: sandbox, sinceMs: startMs + dayMs + 7, dayStartsMs: days };

    const failedAt = (endedAtMs: number, error?: string) =>
      ({ kind: "ended", status: "failed", endedAtMs, ...(error === undefined ? {} : { error }) }) as const;

    it("counts the runs of each day and procedure by their ends, and cancelled ones apart", async () => {
      const { runs } = harness().storage;
      const places = [
        { createdAtMs: startMs - 1, then: completed },
        { createdAtMs: startMs - 1, then: awaiting },
        { createdAtMs: startMs - 1, then: failedAt(startMs + dayMs + 7) },
        { createdAtMs: startMs, then: completed },
        { createdAtMs: startMs + dayMs - 1, then: completed },
        { createdAtMs: startMs + 5, then: failedAt(startMs + dayMs + 7, "The bank refused.") },
        { createdAtMs: startMs + 5, then: failedAt(startMs + dayMs + 6) },
        { createdAtMs: startMs + 5, then: failedAt(startMs + dayMs + 7, "Cancelled by ada: a mistake") },
        { createdAtMs: startMs + 5, then: failedAt(startMs + dayMs + 8, "Not Cancelled by ada") },
        { createdAtMs: startMs + dayMs, then: parked() },
        { createdAtMs: startMs + dayMs, then: parked(startMs + 9) },
        { createdAtMs: startMs + dayMs },
        { createdAtMs: startMs + dayMs, then: { ...awaiting, wakeAtMs: startMs + 9 } },
        { createdAtMs: startMs + 9 * dayMs, then: completed },
        { createdAtMs: startMs + 9 * dayMs, then: completed },
      ];
      await commitAll(
        runs,
        places.map(({ createdAtMs, ...place }, index) => {
          const procedureId = index % 2 === 0 ? "pay" : "refund";
          return firstRow(`run-${index}`, { ...place, create: { createdAtMs, procedureId } });
        }),
      );
      const others = [live, elsewhere].map((scope) =>
        firstRow(`run-${scope.workspace}-${scope.environment}`, { scope, then: completed }),
      );
      await commitAll(runs, others);
      expect(await runs.tally(request)).toEqual({
        running: 3,
        awaitingReview: 2,
        failedSince: 2,
        days: [
          { completed: 2, failed: 3, cancelled: 1 },
          { completed: 0, failed: 0, cancelled: 0 },
          { completed: 2, failed: 0, cancelled: 0 },
        ],
        procedures: [
          { procedureId: "pay", completed: 2, failed: 2, cancelled: 0, newestAtMs: startMs + 9 * dayMs },
          { procedureId: "refund", completed: 2, failed: 1, cancelled: 1, newestAtMs: startMs + 9 * dayMs },
        ],
      });
      expect(await runs.tally({ ...request, scope: live })).toMatchObject({
        running: 0,
        days: [{ completed: 1 }, {}, {}],
      });
    });

    it("names the newest run of each procedure, also of one without a run on the days", async () => {
      const { runs } = harness().storage;
      const starts = [
        ["pay", startMs - 9],
        ["pay", startMs - 5],
        ["refund", startMs + 3],
        ["refund", startMs - 7],
      ] as const;
      await commitAll(
        runs,
        starts.map(([procedureId, createdAtMs], index) =>
          firstRow(`run-${index}`, { then: completed, create: { procedureId, createdAtMs } }),
        ),
      );
      await runs.commit(
        firstRow("run-live", { scope: live, create: { procedureId: "pay", createdAtMs: startMs + 1 } }),
      );
      expect((await runs.tally(request)).procedures).toEqual([
        { procedureId: "pay", completed: 0, failed: 0, cancelled: 0, newestAtMs: startMs - 5 },
        { procedureId: "refund", completed: 1, failed: 0, cancelled: 0, newestAtMs: startMs + 3 },
      ]);
    });

    it("counts nothing where there is nothing", async () => {
      const none = { completed: 0, failed: 0, cancelled: 0 };
      const empty = { running: 0, awaitingReview: 0, failedSince: 0, days: [none, none, none], procedures: [] };
      expect(await harness().storage.runs.tally(request)).toEqual(empty);
    });

    it("never counts a run as completed that is open or has failed, while runs end", async () => {
      const { runs } = harness().storage;
      const ids = Array.from({ length: 40 }, (_, index) => `run-${index}`);
      await commitAll(
        runs,
        ids.map((runId) => firstRow(runId, { then: parked() })),
      );
      const ending = commitAll(
        runs,
        ids.map((runId, index) => {
          const then = index % 2 === 0 ? completed : failedAt(startMs);
          return { ...firstRow(runId, { then }), create: undefined, seq: 2, hash: "end" } as never;
        }),
      );
      const tallies = await Promise.all(Array.from({ length: 5 }, () => runs.tally(request)));
      for (const { days: counted } of tallies) expect(counted[0]?.completed).toBeLessThanOrEqual(20);
      await ending;
    });
  });

  describe("reviews.tally", () => {
    const harness = useHarness(options);

    it("counts open reviews by kind and procedure, and those that expire soon", async () => {
      const { runs, reviews } = harness().storage;
      const opened = [
        { kind: "human_review", expiresAtMs: startMs + 10 },
        { kind: "human_review", expiresAtMs: startMs + 9 },
        { kind: "outcome_unknown" },
        { kind: "human_review" },
        { kind: "guard", expiresAtMs: startMs + 1 },
      ];
      for (const [index, changes] of opened.entries()) {
        const commit = waitingRun(`run-${index}`, `review-${index}`, changes);
        const create = { ...commit.create, procedureId: index % 2 === 0 ? "pay" : "refund" };
        await runs.commit(firstRow(`run-${index}`, { ...commit, create }));
      }
      const other = waitingRun("run-live", "review-live");
      await runs.commit(firstRow("run-live", { ...other, create: {}, scope: live }));
      await reviews.decide(decision("run-4", "review-4"));
      expect(await reviews.tally({ scope: sandbox, expiresBeforeMs: startMs + 10 })).toEqual({
        open: 4,
        expiring: 1,
        kinds: [
          { kind: "human_review", open: 3 },
          { kind: "outcome_unknown", open: 1 },
        ],
        procedures: [
          { procedureId: "pay", open: 2 },
          { procedureId: "refund", open: 2 },
        ],
      });
      const nothing = { open: 0, expiring: 0, kinds: [], procedures: [] };
      expect(await reviews.tally({ scope: elsewhere, expiresBeforeMs: startMs })).toEqual(nothing);
    });
  });
}
