import { describe, expect, it } from "vitest";
import type { BudgetAmount, Reservation, ReserveResult } from "../budgets.ts";
import type { Scope } from "../scope.ts";
import type { ConformanceOptions } from "./harness.ts";
import { useHarness } from "./harness.ts";
import { codeOf } from "./pages.ts";
import { commitAll, completed, elsewhere, firstRow, live, reservation, row, sandbox, share } from "./samples.ts";

const most = Number.MAX_SAFE_INTEGER;

export function describeBudgets(options: ConformanceOptions): void {
  describe("budgets", () => {
    const harness = useHarness(options);

    const stored = (...runIds: readonly string[]): Promise<unknown> =>
      commitAll(
        harness().storage.runs,
        runIds.map((runId) => firstRow(runId)),
      );
    const reserve = (key: string, changes: Partial<Reservation> = {}): Promise<ReserveResult> =>
      harness().storage.budgets.reserve(reservation(key, changes));
    const taken = (budgets: readonly string[] = ["budget-1"], scope: Scope = sandbox): Promise<readonly number[]> =>
      harness().storage.budgets.taken(scope, budgets);
    const held = (...amounts: readonly BudgetAmount[]): ReserveResult => ({
      status: "reserved",
      amounts: amounts.map(({ budget, amount }) => ({ budget, amount })),
    });

    describe("reserve", () => {
      it("adds to all budgets of a request, and returns the amounts that the key holds", async () => {
        await stored("run-1");
        const amounts = [share("b", 7, 10), share("a", 0, 0), share("c", 9)];
        expect(await reserve("key-1", { amounts })).toEqual(held(...amounts));
        expect(await reserve("key-2", { amounts: [share("b", 3, 10)] })).toEqual(held(share("b", 3)));
        expect(await taken(["a", "b", "c"])).toEqual([0, 10, 9]);
      });

      it("reserves up to the limit, and nothing beyond it", async () => {
        await stored("run-1");
        expect(await reserve("key-1", { amounts: [share("a", 99, 100)] })).toMatchObject({ status: "reserved" });
        const exceeded = { status: "exceeded", budget: "a", taken: 99 };
        expect(await reserve("key-2", { amounts: [share("a", 2, 100)] })).toEqual(exceeded);
        expect(await reserve("key-3", { amounts: [share("a", 1, 100)] })).toMatchObject({ status: "reserved" });
        expect(await taken(["a"])).toEqual([100]);
        expect(await reserve("key-4", { amounts: [share("a", 0, 99)] })).toEqual({ ...exceeded, taken: 100 });
        expect(await reserve("key-5", { amounts: [share("b", 6, 5)] })).toEqual({ ...exceeded, budget: "b", taken: 0 });
      });

      it("adds to no budget when one has no room, and names the first such budget", async () => {
        await stored("run-1");
        await reserve("key-1", { amounts: [share("b", 5, 9), share("c", 6, 9)] });
        const amounts = [share("a", 1, 9), share("c", 5, 9), share("b", 9, 9)];
        expect(await reserve("key-2", { amounts })).toEqual({ status: "exceeded", budget: "c", taken: 6 });
        expect(await taken(["a", "b", "c"])).toEqual([0, 5, 6]);
      });

      it("stores nothing for a key without room: it may reserve less later, or without a limit", async () => {
        await stored("run-1");
        await reserve("key-1", { amounts: [share("a", 8, 10)] });
        for (const key of ["key-2", "key-3"]) {
          expect(await reserve(key, { amounts: [share("a", 5, 10)] })).toMatchObject({ status: "exceeded" });
        }
        expect(await reserve("key-2", { amounts: [share("a", 2, 10)] })).toEqual(held(share("a", 2)));
        expect(await reserve("key-3", { amounts: [share("a", 5)] })).toEqual(held(share("a", 5)));
        expect(await taken(["a"])).toEqual([15]);
      });

      it("answers a repeated key with the amounts of its first reservation", async () => {
        await stored("run-1", "run-2");
        const first = held(share("budget-1", 10));
        expect(await reserve("key-1")).toEqual(first);
        expect(await reserve("key-1")).toEqual(first);
        expect(await reserve("key-1", { amounts: [share("budget-1", 500, 100)] })).toEqual(first);
        expect(await reserve("key-1", { amounts: [share("budget-2", 1)] })).toEqual(first);
        expect(await reserve("key-1", { runId: "run-2" })).toEqual(first);
        expect(await taken(["budget-1", "budget-2"])).toEqual([10, 0]);
      });

      it("adds nothing for a run that has ended, and still returns the amounts that it had reserved", async () => {
        await stored("run-1", "run-2");
        await reserve("key-1");
        await harness().storage.runs.commit(row("run-1", 2, { then: completed }));
        expect(await reserve("key-1")).toEqual(held(share("budget-1", 10)));
        expect(await reserve("key-2")).toEqual(held());
        expect(await taken()).toEqual([10]);
        expect(await reserve("key-2", { runId: "run-2" })).toEqual(held(share("budget-1", 10)));
      });

      it("refuses a reservation of a run that is not stored: its amounts could never be released", async () => {
        await stored("run-1");
        await harness().storage.runs.commit(firstRow("live-1", { scope: live }));
        expect(await codeOf(reserve("key-1", { runId: "run-9" }))).toBe("internal");
        expect(await codeOf(reserve("key-1", { runId: "live-1" }))).toBe("internal");
        expect(await codeOf(reserve("key-1", { scope: live }))).toBe("internal");
        expect(await taken()).toEqual([0]);
        expect(await reserve("key-1")).toMatchObject({ status: "reserved" });
      });

      it("keeps the keys and budgets of environments and workspaces apart", async () => {
        const places = [
          { scope: sandbox, runId: "run-1" },
          { scope: live, runId: "live-1" },
          { scope: elsewhere, runId: "globex-1" },
        ];
        await commitAll(
          harness().storage.runs,
          places.map(({ scope, runId }) => firstRow(runId, { scope })),
        );
        for (const [index, place] of places.entries()) {
          const amounts = [share("budget-1", 90 + index, 100)];
          expect(await reserve("key-1", { ...place, amounts })).toEqual(held(...amounts));
        }
        const sums = await Promise.all(places.map(({ scope }) => taken(["budget-1"], scope)));
        expect(sums).toEqual([[90], [91], [92]]);
      });

      it.each([
        ["no budget", []],
        ["41 budgets", Array.from({ length: 41 }, (_, index) => share(`budget-${index}`, 1))],
        ["a budget twice", [share("a", 1), share("b", 1), share("a", 1)]],
        ["a budget without a name", [share("", 1)]],
        ["a name of 513 characters", [share("a".repeat(513), 1)]],
        ["a fraction", [share("a", 0.5)]],
        ["a negative amount", [share("a", -1)]],
        ["2^53", [share("a", most + 1)]],
        ["a negative limit", [share("a", 1, -1)]],
        ["a limit that is not a number", [share("a", 1, Number.NaN)]],
        ["a name with NUL", [share("a\0b", 1)]],
      ])("refuses a request with %s, and adds nothing", async (_name, amounts) => {
        await stored("run-1");
        expect(await codeOf(reserve("key-1", { amounts }))).toBe("invalid_input");
        expect(await reserve("key-1")).toMatchObject({ status: "reserved" });
        expect(await taken(["a"])).toEqual([0]);
      });

      it.each(["", "k".repeat(513), "cut \ud83d"])("refuses the key %j", async (key) => {
        await stored("run-1");
        expect(await codeOf(reserve(key))).toBe("invalid_input");
        expect(await taken()).toEqual([0]);
      });

      it("counts exactly up to 2^53 - 1, and refuses a larger sum", async () => {
        await stored("run-1");
        await reserve("key-1", { amounts: [share("a", most - 1, most)] });
        expect(await codeOf(reserve("key-2", { amounts: [share("b", 1), share("a", 2)] }))).toBe("invalid_input");
        const exceeded = { status: "exceeded", budget: "a", taken: most - 1 };
        expect(await reserve("key-3", { amounts: [share("a", most, most)] })).toEqual(exceeded);
        expect(await taken(["a", "b"])).toEqual([most - 1, 0]);
        expect(await reserve("key-2", { amounts: [share("a", 1)] })).toEqual(held(share("a", 1)));
        expect(await taken(["a"])).toEqual([most]);
      });

      it("distinguishes names up to the last character of the longest", async () => {
        await stored("run-1");
        const long = "é𝄞x".repeat(128);
        const names = ["a", "A", "a ", "á", "a\u0301", "a/b", "__proto__", "'); --", long, long.slice(1) + "y"];
        for (const [index, name] of names.entries()) {
          const amounts = [share(name, index + 1, index + 1)];
          expect(await reserve(name, { amounts })).toEqual(held(...amounts));
        }
        expect(await taken(names)).toEqual(names.map((_, index) => index + 1));
      });
    });

    describe("concurrent reservations", () => {
      it("fill a budget exactly, and never exceed it", async () => {
        const runIds = Array.from({ length: 60 }, (_, index) => `run-${index}`);
        await stored(...runIds);
        const amounts = [share("budget-1", 5, 103)];
        const answers = await Promise.all(runIds.map((runId) => reserve(`key-${runId}`, { runId, amounts })));
        expect(answers.filter(({ status }) => status === "reserved")).toHaveLength(20);
        expect(answers.filter(({ status }) => status === "exceeded")).toHaveLength(40);
        expect(await taken()).toEqual([100]);
      });

      it("of several budgets in any order reserve all of their amounts or none", async () => {
        const runIds = Array.from({ length: 45 }, (_, index) => `run-${index}`);
        await stored(...runIds);
        const names = ["b", "C", "a_1", "a-2"];
        const requests = runIds.map((runId, index) => {
          const all = names.map((name, place) => share(name, 1 + ((index + place) % 3), 40));
          const turned = [...all.slice(index % 4), ...all.slice(0, index % 4)];
          return reservation(`key-${runId}`, { runId, amounts: index % 2 === 0 ? turned : turned.toReversed() });
        });
        const answers = await Promise.all(requests.map((request) => harness().storage.budgets.reserve(request)));
        const granted = requests.filter((_request, index) => answers[index]?.status === "reserved");
        const sumOf = (name: string): number =>
          granted
            .flatMap(({ amounts }) => amounts)
            .reduce((sum, { budget, amount }) => (budget === name ? sum + amount : sum), 0);
        expect(await taken(names)).toEqual(names.map(sumOf));
        // None of the refused reservations would fit now.
        expect(Math.max(...names.map(sumOf))).toBeGreaterThan(37);
        expect(Math.max(...names.map(sumOf))).toBeLessThanOrEqual(40);
      });

      it("of one key add once, and all return the same amounts", async () => {
        await stored("run-1", "run-2");
        const requests = Array.from({ length: 30 }, (_, index) => ({
          runId: `run-${1 + (index % 2)}`,
          amounts: [share("budget-1", 1 + index, 1_000)],
        }));
        const answers = await Promise.all(requests.map((request) => reserve("key-1", request)));
        const [sum = 0] = await taken();
        expect(answers).toEqual(requests.map(() => held(share("budget-1", sum))));
        expect(sum).toBeGreaterThan(0);
        expect(sum).toBeLessThanOrEqual(30);
      });

      it("of a run that ends concurrently count when they came before its end, and add nothing after it", async () => {
        const runIds = Array.from({ length: 20 }, (_, index) => `run-${index}`);
        await stored(...runIds);
        const amounts = [share("budget-1", 1, 100)];
        const answers = await Promise.all(
          runIds.map(async (runId) => {
            const [answer] = await Promise.all([
              reserve(`key-${runId}`, { runId, amounts }),
              commitAll(harness().storage.runs, [row(runId, 2, { then: completed })]),
            ]);
            return answer;
          }),
        );
        const before = answers.filter((answer) => answer.status === "reserved" && answer.amounts.length === 1);
        const after = answers.filter((answer) => answer.status === "reserved" && answer.amounts.length === 0);
        expect(before.length + after.length).toBe(20);
        expect(await taken()).toEqual([before.length]);
      });
    });

    it("taken returns the sums in the order of the names, also of a repeated name", async () => {
      await stored("run-1");
      await reserve("key-1", { amounts: [share("a", 1), share("b", 2)] });
      expect(await taken(["b", "unknown", "a", "b"])).toEqual([2, 0, 1, 2]);
      expect(await taken([])).toEqual([]);
      expect(await taken(["a"], { workspace: "initech", environment: "live" })).toEqual([0]);
      expect(await codeOf(taken(["a\0"]))).toBe("invalid_input");
    });
  });
}
