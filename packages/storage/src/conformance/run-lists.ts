import { describe, expect, it } from "vitest";
import type { RunQuery, RunStatus } from "../run-query.ts";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { codeOf, readAll } from "./pages.ts";
import { commitAll, awaiting, completed, elsewhere, firstRow, live, parked, sandbox } from "./samples.ts";

export function describeRunLists(options: ConformanceOptions): void {
  describe("runs.list", () => {
    const harness = useHarness(options);
    const failed = { kind: "ended", status: "failed", endedAtMs: startMs } as const;
    const places = [parked(), awaiting, completed, failed];

    const runOf = (index: number) =>
      firstRow(`run-${index}`, {
        then: places[index % 4] ?? awaiting,
        create: {
          createdAtMs: startMs + Math.floor(index / 2),
          procedureId: index % 3 === 0 ? "refund" : "vendor-payment",
          procedureVersion: index % 2 === 0 ? "v1" : "v2",
          startedBy: index < 6 ? "ada" : "bob",
        },
      });

    /**
     * Twelve runs, two in each of six milliseconds, in all statuses and of two procedures. The second of each
     * millisecond is committed after the first, because the order of concurrent commits is not defined.
     */
    async function fill(): Promise<void> {
      const { runs } = harness().storage;
      await commitAll(runs, [0, 2, 4, 6, 8, 10].map(runOf));
      await commitAll(runs, [1, 3, 5, 7, 9, 11].map(runOf));
    }

    const numbers = async (query: Omit<RunQuery, "scope">, limit = 100): Promise<readonly number[]> => {
      const { runs } = harness().storage;
      const rows = await readAll(limit, (page) => runs.list({ scope: sandbox, ...query, ...page }));
      return rows.map(({ runId }) => Number(runId.slice("run-".length)));
    };

    const every = Array.from({ length: 12 }, (_, index) => 11 - index);

    it("lists newest first, and in order of creation within a millisecond", async () => {
      await fill();
      expect(await numbers({})).toEqual(every);
    });

    it.each([1, 2, 5, 11, 12, 13])("returns pages of %i without a gap or a repetition", async (limit) => {
      await fill();
      expect(await numbers({}, limit)).toEqual(every);
      expect(await numbers({ procedureId: "refund" }, limit)).toEqual([9, 6, 3, 0]);
    });

    it("continues after a page although newer runs have appeared", async () => {
      await fill();
      const { runs } = harness().storage;
      const first = await runs.list({ scope: sandbox, limit: 5 });
      await runs.commit(firstRow("run-99", { create: { createdAtMs: startMs + 99 } }));
      const rest = await runs.list({ scope: sandbox, limit: 50, cursor: first.nextCursor ?? "" });
      expect(rest.items.map(({ runId }) => runId)).toEqual([6, 5, 4, 3, 2, 1, 0].map((number) => `run-${number}`));
    });

    const filters: readonly (readonly [query: Omit<RunQuery, "scope">, expected: readonly number[]])[] = [
      [{ statuses: ["running"] }, [8, 4, 0]],
      [{ statuses: ["awaiting_review"] }, [9, 5, 1]],
      [{ statuses: ["completed"] }, [10, 6, 2]],
      [{ statuses: ["failed"] }, [11, 7, 3]],
      [{ statuses: [] }, []],
      [{ statuses: ["running", "failed"] }, [11, 8, 7, 4, 3, 0]],
      [{ statuses: ["failed", "awaiting_review", "running", "failed"] }, [11, 9, 8, 7, 5, 4, 3, 1, 0]],
      [{ statuses: ["completed", "awaiting_review"] }, [10, 9, 6, 5, 2, 1]],
      [{ statuses: ["failed", "completed", "running", "awaiting_review"] }, every],
      [{ statuses: ["running", "failed"], procedureId: "refund" }, [3, 0]],
      [{ statuses: ["completed", "failed"], procedureId: "refund" }, [6, 3]],
      [{ statuses: ["running", "failed"], fromMs: startMs + 2, toMs: startMs + 5, startedBy: "bob" }, [8, 7]],
      [{ statuses: ["completed"], version: "v2" }, []],
      [{ startedBy: "ada" }, [5, 4, 3, 2, 1, 0]],
      [{ startedBy: "Ada" }, []],
      [{ version: "v2" }, [11, 9, 7, 5, 3, 1]],
      [{ version: "v2", startedBy: "bob", procedureId: "refund" }, [9]],
      [{ procedureId: "refund" }, [9, 6, 3, 0]],
      [{ procedureId: "unknown" }, []],
      [{ statuses: ["failed"], procedureId: "refund" }, [3]],
      [{ statuses: ["running"], procedureId: "vendor-payment" }, [8, 4]],
      [{ fromMs: startMs + 5 }, [11, 10]],
      [{ toMs: startMs + 1 }, [1, 0]],
      [{ fromMs: startMs + 2, toMs: startMs + 4 }, [7, 6, 5, 4]],
      [{ fromMs: startMs + 2, toMs: startMs + 4, statuses: ["completed"] }, [6]],
      [{ fromMs: startMs + 4, toMs: startMs + 2 }, []],
    ];
    it.each(filters)("filters by %j", async (query, expected) => {
      await fill();
      expect(await numbers(query)).toEqual(expected);
      expect(await numbers(query, 1)).toEqual(expected);
    });

    it("lists the runs that call for a person: with a review, or failed lately and not cancelled", async () => {
      const { runs } = harness().storage;
      const failedAt = (endedAtMs: number, error?: string) =>
        ({ kind: "ended", status: "failed", endedAtMs, ...(error === undefined ? {} : { error }) }) as const;
      const attention = { failedSinceMs: startMs + 50, startedSinceMs: startMs + 10 };
      const places = [
        { createdAtMs: startMs, then: awaiting },
        { createdAtMs: startMs + 9, then: failedAt(startMs + 60) },
        { createdAtMs: startMs + 10, then: failedAt(startMs + 50) },
        { createdAtMs: startMs + 11, then: failedAt(startMs + 49) },
        { createdAtMs: startMs + 12, then: failedAt(startMs + 60, "Cancelled by ada") },
        { createdAtMs: startMs + 13, then: failedAt(startMs + 60, "Not Cancelled by ada") },
        { createdAtMs: startMs + 14, then: completed },
        { createdAtMs: startMs + 15, then: parked() },
        { createdAtMs: startMs + 16, then: awaiting },
      ];
      await commitAll(
        runs,
        places.map(({ createdAtMs, then }, index) =>
          firstRow(`run-${index}`, { then, create: { createdAtMs, reference: "INV-1" } }),
        ),
      );
      for (const limit of [1, 100]) {
        expect(await numbers({ attention }, limit)).toEqual([8, 5, 2, 0]);
        expect(await numbers({ attention, statuses: ["failed"] }, limit)).toEqual([5, 2]);
        expect(await numbers({ attention, statuses: ["awaiting_review", "completed"] }, limit)).toEqual([8, 0]);
      }
      expect(await numbers({ attention, statuses: ["running"] })).toEqual([]);
      expect(await numbers({ attention, search: "INV" })).toEqual([8, 5, 2, 0]);
      expect(await numbers({ attention, search: "run-5" })).toEqual([5]);
      expect(await numbers({ attention, search: "run-1" })).toEqual([]);
      expect(await numbers({ attention, fromMs: startMs + 11 })).toEqual([8, 5]);
      const { nextCursor: cursor = "" } = await runs.list({ scope: sandbox, attention, limit: 2 });
      const later = { failedSinceMs: startMs + 51, startedSinceMs: startMs + 11 };
      const rest = await runs.list({ scope: sandbox, attention: later, limit: 9, cursor });
      expect(rest.items.map(({ runId }) => runId)).toEqual(["run-0"]);
    });

    it("continues with the same statuses in another order, and refuses them in place of others", async () => {
      await fill();
      const { runs } = harness().storage;
      const list = (statuses: readonly RunStatus[], cursor: string) =>
        runs.list({ scope: sandbox, statuses, limit: 1, cursor });
      const first = await runs.list({ scope: sandbox, statuses: ["running", "failed"], limit: 1 });
      const cursor = first.nextCursor ?? "";
      expect((await list(["failed", "running", "running"], cursor)).items).toMatchObject([{ runId: "run-8" }]);
      expect(await codeOf(list(["failed"], cursor))).toBe("invalid_cursor");
    });

    it("refuses a cursor of another scope or query, and any other text", async () => {
      await fill();
      const { runs } = harness().storage;
      await commitAll(runs, [firstRow("live-1", { scope: live }), firstRow("globex-1", { scope: elsewhere })]);
      const { nextCursor } = await runs.list({ scope: sandbox, limit: 1 });
      expect(nextCursor).toBeDefined();
      const cursor = nextCursor ?? "";
      const queries: readonly RunQuery[] = [
        { scope: live },
        { scope: elsewhere },
        { scope: sandbox, statuses: ["failed"] },
        { scope: sandbox, procedureId: "refund" },
        { scope: sandbox, fromMs: startMs },
        { scope: sandbox, toMs: startMs },
        { scope: sandbox, startedBy: "ada" },
        { scope: sandbox, version: "v1" },
        { scope: sandbox, statuses: ["running", "failed"] },
        { scope: sandbox, search: "run-1" },
        { scope: sandbox, attention: { failedSinceMs: 0, startedSinceMs: 0 } },
      ];
      for (const query of queries) {
        expect(await codeOf(runs.list({ ...query, limit: 1, cursor }))).toBe("invalid_cursor");
      }
      for (const nonsense of ["", "x", "W10", "null", `${cursor}x`.slice(1), "\u0000", "e30"]) {
        expect(await codeOf(runs.list({ scope: sandbox, limit: 1, cursor: nonsense }))).toBe("invalid_cursor");
      }
    });
  });
}
