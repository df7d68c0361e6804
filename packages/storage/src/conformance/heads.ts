import { describe, expect, it } from "vitest";
import type { RunHead, RunHeadQuery } from "../heads.ts";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { codeOf, readAll } from "./pages.ts";
import { commitAll, awaiting, completed, elsewhere, firstRow, live, row, sandbox } from "./samples.ts";

export function describeHeads(options: ConformanceOptions): void {
  describe("runs.heads", () => {
    const harness = useHarness(options);

    const endedAt = (ms: number) => ({ kind: "ended", status: "completed", endedAtMs: startMs + ms }) as const;

    /** Eight ended runs. They end in the reverse of the order of their creation, two in each millisecond. */
    async function fill(): Promise<void> {
      const { runs } = harness().storage;
      const numbers = Array.from({ length: 8 }, (_, number) => number);
      await commitAll(
        runs,
        numbers.map((number) => firstRow(`run-${number}`, { create: { createdAtMs: startMs } })),
      );
      await commitAll(
        runs,
        numbers.map((number) => row(`run-${number}`, 2, { then: endedAt(Math.floor((7 - number) / 2)) })),
      );
    }

    const heads = (query: Omit<RunHeadQuery, "scope">, limit = 100): Promise<readonly RunHead[]> =>
      readAll(limit, (page) => harness().storage.runs.heads({ scope: sandbox, ...query, ...page }));
    const numbers = async (query: Omit<RunHeadQuery, "scope">, limit?: number): Promise<readonly number[]> =>
      (await heads(query, limit)).map(({ runId }) => Number(runId.slice("run-".length)));

    it("returns the last row of each ended run", async () => {
      const { runs } = harness().storage;
      await commitAll(runs, [firstRow("run-1"), firstRow("run-2", { then: completed }), firstRow("run-3")]);
      await runs.commit(row("run-1", 2));
      await runs.commit(row("run-1", 3, { then: endedAt(700) }));
      expect(await heads({})).toEqual([
        { runId: "run-2", seq: 1, hash: "hash-run-2-1", endedAtMs: startMs + 500 },
        { runId: "run-1", seq: 3, hash: "hash-run-1-3", endedAtMs: startMs + 700 },
      ]);
    });

    it("omits open runs", async () => {
      await commitAll(harness().storage.runs, [firstRow("run-1"), firstRow("run-2", { then: awaiting })]);
      expect(await heads({})).toEqual([]);
    });

    const inOrder = [6, 7, 4, 5, 2, 3, 0, 1];

    it.each([1, 2, 3, 8, 9])("returns pages of %i in the order of ending", async (limit) => {
      await fill();
      expect(await numbers({}, limit)).toEqual(inOrder);
    });

    it("filters by end time, from inclusive and to exclusive", async () => {
      await fill();
      expect(await numbers({ endedFromMs: startMs + 1 })).toEqual([4, 5, 2, 3, 0, 1]);
      expect(await numbers({ endedToMs: startMs + 1 })).toEqual([6, 7]);
      expect(await numbers({ endedFromMs: startMs + 1, endedToMs: startMs + 3 }, 1)).toEqual([4, 5, 2, 3]);
      expect(await numbers({ endedFromMs: startMs + 4 })).toEqual([]);
    });

    it("continues after a page although another run has ended", async () => {
      await fill();
      const { runs } = harness().storage;
      const first = await runs.heads({ scope: sandbox, limit: 3 });
      await runs.commit(firstRow("run-8", { then: endedAt(9) }));
      const rest = await runs.heads({ scope: sandbox, limit: 9, cursor: first.nextCursor ?? "" });
      expect(rest.items.map(({ runId }) => runId)).toEqual(["run-5", "run-2", "run-3", "run-0", "run-1", "run-8"]);
    });

    it("returns nothing of another scope, and refuses its cursors and those of another query", async () => {
      await fill();
      const { runs } = harness().storage;
      await commitAll(runs, [
        firstRow("live-1", { scope: live, then: completed }),
        firstRow("globex-1", { scope: elsewhere, then: completed }),
      ]);
      const { nextCursor: cursor = "" } = await runs.heads({ scope: sandbox, limit: 1 });
      expect(cursor).not.toBe("");
      for (const scope of [live, elsewhere]) {
        expect((await runs.heads({ scope, limit: 9 })).items).toHaveLength(1);
        expect(await codeOf(runs.heads({ scope, limit: 1, cursor }))).toBe("invalid_cursor");
      }
      expect(await codeOf(runs.heads({ scope: sandbox, endedToMs: startMs, limit: 1, cursor }))).toBe("invalid_cursor");
      expect(await codeOf(runs.list({ scope: sandbox, limit: 1, cursor }))).toBe("invalid_cursor");
    });
  });
}
