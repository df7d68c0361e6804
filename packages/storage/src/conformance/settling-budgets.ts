import { describe, expect, it } from "vitest";
import type { BudgetSettlement, Reservation, ReserveResult } from "../budgets.ts";
import type { CommitResult, RunCommit } from "../runs.ts";
import type { ConformanceOptions } from "./harness.ts";
import { useHarness } from "./harness.ts";
import {
  commitAll,
  awaiting,
  committed,
  completed,
  decision,
  event,
  fenced,
  firstRow,
  live,
  otherWorker,
  parked,
  post,
  reservation,
  review,
  row,
  sandbox,
  share,
  worker,
  workspace,
} from "./samples.ts";

const most = Number.MAX_SAFE_INTEGER;

export function describeSettlingBudgets(options: ConformanceOptions): void {
  describe("settling reservations", () => {
    const harness = useHarness(options);

    const reserve = (key: string, changes: Partial<Reservation> = {}): Promise<ReserveResult> =>
      harness().storage.budgets.reserve(reservation(key, changes));
    const taken = (...budgets: readonly string[]): Promise<readonly number[]> =>
      harness().storage.budgets.taken(sandbox, budgets.length === 0 ? ["budget-1"] : budgets);
    const commit = (...items: readonly RunCommit[]): Promise<readonly CommitResult[]> =>
      commitAll(harness().storage.runs, items);
    const spent = (key: string, amount: number): BudgetSettlement => ({ key, spent: [{ budget: "budget-1", amount }] });
    const nothing = (key: string): BudgetSettlement => ({ key, spent: "nothing" });
    /** `run-1` has reserved 10 of `budget-1` under `key-1`. */
    const reserved = async (): Promise<void> => {
      await commit(firstRow("run-1"));
      expect(await reserve("key-1")).toMatchObject({ status: "reserved" });
    };

    it.each([
      ["less", 4],
      ["nothing", 0],
      ["the same amount", 10],
      ["a larger amount, also beyond the limit", 170],
    ])("replaces the reserved amount by the amount spent: %s", async (_name, amount) => {
      await reserved();
      expect(await commit(row("run-1", 2, { settle: [spent("key-1", amount)] }))).toEqual([committed]);
      expect(await taken()).toEqual([amount]);
      const answer = { status: "reserved", amounts: [{ budget: "budget-1", amount }] };
      expect(await reserve("key-1")).toEqual(answer);
      expect(await reserve("key-1", { amounts: [share("budget-2", 7)] })).toEqual(answer);
      expect(await taken("budget-1", "budget-2")).toEqual([amount, 0]);
    });

    it("keeps the reserved amount of budgets that are not listed, and ignores those that the reservation does not contain", async () => {
      await commit(firstRow("run-1"));
      await reserve("key-1", { amounts: [share("a", 5), share("b", 6), share("c", 7)] });
      await reserve("key-2", { amounts: [share("d", 8)] });
      const amounts = [
        { budget: "d", amount: 1 },
        { budget: "c", amount: 2 },
        { budget: "e", amount: 3 },
        { budget: "a", amount: 9 },
      ];
      await commit(row("run-1", 2, { settle: [{ key: "key-1", spent: amounts }] }));
      expect(await taken("a", "b", "c", "d", "e")).toEqual([9, 6, 2, 8, 0]);
      expect(await reserve("key-1")).toEqual({
        status: "reserved",
        amounts: [
          { budget: "a", amount: 9 },
          { budget: "b", amount: 6 },
          { budget: "c", amount: 2 },
        ],
      });
    });

    it("releases the whole amount when nothing was spent, so that others have room", async () => {
      await commit(firstRow("run-1"));
      await reserve("key-1", { amounts: [share("a", 5, 5), share("b", 5, 5)] });
      const second = { amounts: [share("b", 4, 5), share("a", 5, 5)] };
      expect(await reserve("key-2", second)).toMatchObject({ status: "exceeded", budget: "b" });
      await commit(row("run-1", 2, { settle: [nothing("key-1")] }));
      expect(await taken("a", "b")).toEqual([0, 0]);
      expect(await reserve("key-2", second)).toMatchObject({ status: "reserved" });
      expect(await reserve("key-1")).toMatchObject({ amounts: [{ amount: 0 }, { amount: 0 }] });
      expect(await taken("a", "b")).toEqual([5, 4]);
    });

    it("settles once: repeated rows, other rows and duplicates within a row do not count", async () => {
      await reserved();
      const item = row("run-1", 2, { settle: [spent("key-1", 4), spent("key-1", 5)] });
      expect(await commit(item)).toEqual([committed]);
      expect(await commit(item)).toEqual([committed]);
      expect(await taken()).toEqual([4]);
      expect(await commit(row("run-1", 3, { settle: [nothing("key-1")] }))).toEqual([committed]);
      expect(await taken()).toEqual([4]);
    });

    it("counts one of several rows of a commit that settle the same key", async () => {
      await reserved();
      await commit(firstRow("run-2"), firstRow("run-0"));
      const settled = [["run-2", 6] as const, ["run-0", 5] as const, ["run-1", 4] as const];
      const rows = settled.map(([runId, amount]) =>
        row(runId, 2, { settle: [nothing("key-9"), spent("key-1", amount)] }),
      );
      expect(await commit(...rows)).toEqual([committed, committed, committed]);
      expect([[6], [5], [4]]).toContainEqual(await taken());
    });

    it("settles a key without a reservation: a later reservation adds nothing", async () => {
      await commit(firstRow("run-1"));
      const settle = [nothing("key-1"), spent("key-2", 5)];
      expect(await commit(row("run-1", 2, { settle }))).toEqual([committed]);
      for (const key of ["key-1", "key-2"]) {
        expect(await reserve(key)).toEqual({ status: "reserved", amounts: [] });
        expect(await reserve(key, { amounts: [share("budget-1", 500, 1)] })).toEqual({
          status: "reserved",
          amounts: [],
        });
      }
      expect(await taken()).toEqual([0]);
    });

    it("settles nothing with a row that is not stored", async () => {
      const { runs, inbox, workers } = harness().storage;
      await reserved();
      await workers.heartbeat({ workerId: otherWorker, leaseMs: 60_000 });
      await runs.claim({ workspace, workerId: otherWorker, limit: 1 });
      const settle = [nothing("key-1"), nothing("key-2")];
      const late = [row("run-1", 2, { settle }), row("run-1", 3, { settle, epoch: 2 })];
      for (const item of late) expect(await commit(item)).toEqual([fenced]);
      expect(await commit(firstRow("run-1", { settle }))).toEqual([fenced]);
      await inbox.post([post("run-1", "news")]);
      expect(await commit(row("run-1", 2, { settle, epoch: 2, then: completed }))).toEqual([
        { status: "inbox_not_empty" },
      ]);
      expect(await commit(firstRow("run-2", { scope: live, settle }))).toEqual([committed]);
      expect(await taken()).toEqual([10]);
      expect(await reserve("key-2")).toMatchObject({ amounts: [{ amount: 10 }] });
    });

    it.each<[string, BudgetSettlement]>([
      ["would make a budget exceed 2^53 - 1", spent("key-1", most)],
      ["spent a negative amount", spent("key-1", -1)],
      ["spent a fraction", spent("key-1", 0.5)],
      ["names a budget twice", { key: "key-1", spent: [share("budget-1", 1), share("budget-1", 2)] }],
      ["settles a key without a name", nothing("")],
      ["settles a key with NUL", nothing("key\0")],
    ])("refuses a row that %s, without failing other commits", async (_name, settlement) => {
      await reserved();
      await reserve("key-2");
      const others = [firstRow("run-2", { settle: [nothing("key-3")] }), firstRow("run-3")];
      const results = await commit(row("run-1", 2, { settle: [nothing("key-4"), settlement] }), ...others);
      expect(results.map(({ status }) => status)).toEqual(["refused", "committed", "committed"]);
      expect(await harness().storage.runs.journal({ scope: sandbox, runId: "run-1" })).toHaveLength(1);
      expect(await taken()).toEqual([20]);
      expect(await commit(row("run-1", 2, { settle: [nothing("key-1")] }))).toEqual([committed]);
      expect(await taken()).toEqual([10]);
    });

    it("is stored with all other changes of a row, also of the first and the last", async () => {
      const { storage } = harness();
      await reserved();
      await reserve("key-2");
      const idempotency = { key: "start-1", digest: "digest-1", expiresAtMs: harness().clock.now() + 1_000 };
      const creation = { settle: [spent("key-2", 1)], openReview: review("review-2"), then: awaiting };
      expect(await commit(firstRow("run-2", { ...creation, create: { idempotency } }))).toEqual([committed]);
      await storage.inbox.post([post("run-1", "news")]);
      const end = { consume: ["news"], settle: [spent("key-1", 2)], events: [event("event-1")], then: completed };
      expect(await commit(row("run-1", 2, end))).toEqual([committed]);
      expect(await taken()).toEqual([3]);
      expect(await storage.reviews.get({ scope: sandbox, reviewId: "review-2" })).toMatchObject({ status: "open" });
      expect(await storage.runs.get({ scope: sandbox, runId: "run-1" })).toMatchObject({ status: "completed" });
    });

    it("is stored with the row with which a decided run continues", async () => {
      const { storage } = harness();
      await reserved();
      await commit(row("run-1", 2, { openReview: review("review-1"), then: awaiting }));
      const then = { kind: "hot", workerId: worker } as const;
      const next = row("run-1", 3, { epoch: 2, consume: ["effect-review-1"], settle: [spent("key-1", 3)], then });
      const decided = await storage.reviews.decide(decision("run-1", "review-1", { claimFor: worker, next }));
      expect(decided).toMatchObject({ status: "recorded", continued: true });
      expect(await taken()).toEqual([3]);
    });

    it("adds up the settlements of several rows of one commit", async () => {
      const numbers = Array.from({ length: 50 }, (_, index) => index);
      await commit(...numbers.map((number) => firstRow(`run-${number}`)));
      for (const number of numbers) {
        const amounts = [share("a", 10), share(`of-${number % 7}`, 10)];
        await reserve(`key-${number}`, { runId: `run-${number}`, amounts });
      }
      const settled = numbers.map((number) => {
        const amounts = [share(`of-${number % 7}`, 0), share("a", number)];
        return row(`run-${number}`, 2, { settle: [{ key: `key-${number}`, spent: amounts }], then: parked() });
      });
      expect(await commit(...settled)).toEqual(numbers.map(() => committed));
      expect(await taken("a", "of-0", "of-6")).toEqual([(50 * 49) / 2, 0, 0]);
    });

    describe("concurrently with", () => {
      const numbers = Array.from({ length: 40 }, (_, index) => index);
      const runs = (): Promise<unknown> => commit(...numbers.map((number) => firstRow(`run-${number}`)));

      it("a late reservation of the same key leaves no amount reserved", async () => {
        await runs();
        await Promise.all(
          numbers.flatMap((number) => [
            reserve(`key-${number}`, { runId: `run-${number}` }),
            commit(row(`run-${number}`, 2, { settle: [nothing(`key-${number}`)] })),
          ]),
        );
        expect(await taken()).toEqual([0]);
      });

      it("reservations by others, of several budgets in any order, loses and leaks nothing", async () => {
        await runs();
        const names = ["b", "C", "a_1"];
        const amountsOf = (number: number): Reservation["amounts"] => {
          const all = names.map((name) => share(name, 1, 30));
          return number % 2 === 0 ? all : all.toReversed();
        };
        /** Spends a third of its reservations, and releases the others. */
        const pay = async (number: number): Promise<number> => {
          const runId = `run-${number}`;
          let made = 0;
          let rows = 1;
          for (let call = 1; call <= 4; call++) {
            const key = `key-${number}-${call}`;
            const answer = await reserve(key, { runId, amounts: amountsOf(number + call) });
            if (answer.status === "exceeded") continue;
            const isMade = (number + call) % 3 === 0;
            if (isMade) made += 1;
            rows += 1;
            const settle = [isMade ? { key, spent: [] } : nothing(key)];
            expect(await commit(row(runId, rows, { settle }))).toEqual([committed]);
          }
          return made;
        };
        const made = (await Promise.all(numbers.map(pay))).reduce((sum, one) => sum + one, 0);
        expect(made).toBeLessThanOrEqual(30);
        expect(await taken(...names)).toEqual(names.map(() => made));
      });
    });
  });
}
