import { describe, expect, it } from "vitest";
import type { Reservation, ReserveResult } from "../budgets.ts";
import type { Scope } from "../scope.ts";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { commitAll, audit, completed, firstRow, live, parked, reservation, row, sandbox, share } from "./samples.ts";

export function describeUnusedBudgets(options: ConformanceOptions): void {
  describe("unused budgets", () => {
    const harness = useHarness(options);

    const stored = (...runIds: readonly string[]): Promise<unknown> =>
      commitAll(
        harness().storage.runs,
        runIds.map((runId) => firstRow(runId, { then: parked() })),
      );
    const reserve = (key: string, changes: Partial<Reservation> = {}): Promise<ReserveResult> =>
      harness().storage.budgets.reserve(reservation(key, changes));
    const taken = (budgets: readonly string[] = ["budget-1"], scope: Scope = sandbox): Promise<readonly number[]> =>
      harness().storage.budgets.taken(scope, budgets);
    /** Ends the run with its second row, and archives it. */
    const archive = async (runId: string, scope: Scope = sandbox): Promise<void> => {
      const { runs, retention } = harness().storage;
      await runs.commit(row(runId, 2, { scope, then: completed }));
      const stub = { runId, seq: 2, hash: `hash-${runId}-2`, output: undefined };
      const { seq = 0 } = (await harness().storage.audit.head({ workspace: scope.workspace })) ?? {};
      const result = await retention.archive({ scope, runs: [stub], audit: audit(seq + 1) });
      expect(result).toEqual({ status: "archived" });
    };
    const removeExpired = (budgetsBeforeMs: number, limit = 9, scope: Scope = sandbox): Promise<number> =>
      harness().storage.retention.removeExpired({ scope, beforeMs: startMs, budgetsBeforeMs, limit });

    it("reservations are removed with their archived run, and their amounts stay in the budgets", async () => {
      await stored("run-1", "run-2");
      await reserve("key-1");
      await reserve("key-2", { amounts: [share("budget-1", 30, 100), share("budget-2", 1)] });
      await reserve("key-3", { runId: "run-2" });
      await harness().storage.runs.commit(
        firstRow("run-3", { settle: [{ key: "key-2", spent: [share("budget-1", 5)] }] }),
      );
      await archive("run-1");
      expect(await taken(["budget-1", "budget-2"])).toEqual([25, 1]);
      // A repeated reservation of one of them is still too late.
      for (const key of ["key-1", "key-2"]) expect(await reserve(key)).toEqual({ status: "reserved", amounts: [] });
      expect(await reserve("key-3", { runId: "run-2" })).toMatchObject({ amounts: [{ amount: 10 }] });
      expect(await taken(["budget-1", "budget-2"])).toEqual([25, 1]);
    });

    it("a budget starts at 0 again once its runs are archived and nothing was added for a while", async () => {
      const { clock } = harness();
      await stored("run-1", "run-2");
      await reserve("key-1");
      clock.advance(1_000);
      await reserve("key-2", { runId: "run-2" });
      await archive("run-1");
      expect(await removeExpired(startMs + 5_000)).toBe(0);
      await archive("run-2");
      expect(await removeExpired(startMs + 1_000)).toBe(0);
      expect(await taken()).toEqual([20]);
      expect(await removeExpired(startMs + 1_001)).toBe(1);
      expect(await removeExpired(startMs + 1_001)).toBe(0);
      expect(await taken()).toEqual([0]);
      await stored("run-3");
      expect(await reserve("key-3", { runId: "run-3", amounts: [share("budget-1", 100, 100)] })).toMatchObject({
        status: "reserved",
      });
      expect(await taken()).toEqual([100]);
    });

    it.each(["settled", "not settled"])(
      "a budget stays while a run with a reservation of it is not archived: %s",
      async (how) => {
        const { clock, storage } = harness();
        await stored("run-1");
        await reserve("key-1");
        if (how === "settled") {
          await storage.runs.commit(row("run-1", 2, { settle: [{ key: "key-1", spent: "nothing" }], then: completed }));
        }
        clock.advance(1_000);
        expect(await removeExpired(startMs + 1_000)).toBe(0);
        expect(await reserve("key-1")).toMatchObject({ amounts: [{ amount: how === "settled" ? 0 : 10 }] });
      },
    );

    it("a key that was settled without a reservation is removed with the run that settled it", async () => {
      await stored("run-1");
      await harness().storage.runs.commit(firstRow("run-2", { settle: [{ key: "key-1", spent: "nothing" }] }));
      await archive("run-2");
      expect(await reserve("key-1")).toMatchObject({ amounts: [{ amount: 10 }] });
    });

    it("are removed up to the limit per call, and only in the scope", async () => {
      await commitAll(harness().storage.runs, [firstRow("run-1"), firstRow("live-1", { scope: live })]);
      const amounts = Array.from({ length: 5 }, (_, index) => share(`budget-${index}`, 1));
      await reserve("key-1", { amounts });
      await reserve("key-1", { scope: live, runId: "live-1", amounts: amounts.slice(0, 2) });
      await archive("run-1");
      await archive("live-1", live);
      const before = startMs + 1;
      expect(await removeExpired(before, 2)).toBe(2);
      expect(await removeExpired(before, 2)).toBe(2);
      expect(await removeExpired(before, 2)).toBe(1);
      expect(await removeExpired(before, 2)).toBe(0);
      expect(await taken(["budget-0", "budget-1", "budget-2"], live)).toEqual([1, 1, 0]);
      expect(await removeExpired(before, 2, live)).toBe(2);
    });

    it("a reservation without room does not change the amounts of archived runs", async () => {
      await stored("run-1", "run-2");
      await reserve("key-1", { amounts: [share("a", 9, 9), share("b", 0, 9)] });
      await archive("run-1");
      const second = { runId: "run-2", amounts: [share("b", 1, 9), share("a", 1, 9)] };
      expect(await reserve("key-2", second)).toEqual({ status: "exceeded", budget: "a", taken: 9 });
      expect(await reserve("key-2", second)).toEqual({ status: "exceeded", budget: "a", taken: 9 });
      expect(await removeExpired(startMs + 1)).toBe(2);
    });

    it("a reservation without room leaves no budget behind", async () => {
      await stored("run-1");
      await reserve("key-1", { amounts: [share("a", 9, 9)] });
      await reserve("key-2", { amounts: [share("b", 1, 9), share("a", 1, 9)] });
      await archive("run-1");
      expect(await removeExpired(startMs + 1)).toBe(1);
    });

    it("reservations that race with the removal of their budget are counted, or start a new one", async () => {
      const old = Array.from({ length: 20 }, (_, index) => `old-${index}`);
      const names = old.map((runId) => `of-${runId}`);
      await stored("run-1", ...old);
      for (const [index, runId] of old.entries()) {
        await reserve(`key-${runId}`, { runId, amounts: [share(names[index] ?? "", 1)] });
        await archive(runId);
      }
      const [answers] = await Promise.all([
        Promise.all(names.map((name) => reserve(`key-of-${name}`, { amounts: [share(name, 1)] }))),
        removeExpired(startMs + 1, 99),
      ]);
      expect(answers.map(({ status }) => status)).toEqual(names.map(() => "reserved"));
      const sums = await taken(names);
      for (const sum of sums) expect([1, 2]).toContain(sum);
      expect(await removeExpired(startMs + 1, 99)).toBe(0);
    });
  });
}
