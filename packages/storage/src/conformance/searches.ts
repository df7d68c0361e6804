import { describe, expect, it } from "vitest";
import { encodeCursor } from "../cursor.ts";
import { reviewCursorQuery, runCursorQuery } from "../list-queries.ts";
import type { ReviewQuery } from "../reviews.ts";
import type { RunQuery } from "../run-query.ts";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { codeOf, readAll } from "./pages.ts";
import {
  awaiting,
  completed,
  decision,
  elsewhere,
  firstRow,
  live,
  review,
  row,
  sandbox,
  waitingRun,
} from "./samples.ts";

/** References that a search by patterns, in another collation or by UTF-16 code units would find or sort wrongly. */
const hostile = ["a%b", "a_b", "a\\b", "aXb", "ab", "aé", "a\u{ffff}", "a😀", "a\u{10ffff}", "Ab", "ä"];

export function describeSearches(options: ConformanceOptions): void {
  describe("runs.list with a search", () => {
    const harness = useHarness(options);

    /** Runs with these references, one after the other: `run-0`, `run-1` and so on. */
    async function fill(references: readonly (string | undefined)[]): Promise<void> {
      const { runs } = harness().storage;
      for (const [index, reference] of references.entries()) {
        await runs.commit(
          firstRow(`run-${index}`, {
            then: index % 2 === 0 ? awaiting : completed,
            create: {
              createdAtMs: startMs + Math.floor(index / 2),
              procedureId: index % 3 === 0 ? "refund" : "vendor-payment",
              startedBy: index < 3 ? "ada" : "bob",
              procedureVersion: index < 4 ? "v1" : "v2",
              ...(reference !== undefined && { reference }),
            },
          }),
        );
      }
    }

    const found = async (search: string, query: Omit<RunQuery, "scope"> = {}, limit = 100) => {
      const { runs } = harness().storage;
      const rows = await readAll(limit, (page) => runs.list({ scope: sandbox, search, ...query, ...page }));
      return rows.map(({ runId }) => Number(runId.slice("run-".length)));
    };

    it("finds references that begin with the text: the last reference first, and newest first among equal ones", async () => {
      await fill(["INV-1", "INV-2", "INV-1", undefined, "INV-10", "other", "INV-1"]);
      for (const limit of [1, 2, 3, 100]) {
        expect(await found("INV-", {}, limit)).toEqual([1, 4, 6, 2, 0]);
        expect(await found("INV-1", {}, limit)).toEqual([4, 6, 2, 0]);
        expect(await found("INV-2", {}, limit)).toEqual([1]);
        expect(await found("", {}, limit)).toEqual([5, 1, 4, 6, 2, 0]);
        for (const other of ["inv-1", "NV-1", "INV-11", "INV-1 "]) expect(await found(other, {}, limit)).toEqual([]);
      }
    });

    it("finds the run with the id first, once, also if it has no reference", async () => {
      await fill(["run-1", "run-3", "run-10", undefined, "a", "run-5"]);
      for (const limit of [1, 2, 100]) {
        expect(await found("run-5", {}, limit)).toEqual([5]);
        expect(await found("run-3", {}, limit)).toEqual([3, 1]);
        expect(await found("run-1", {}, limit)).toEqual([1, 2, 0]);
        expect(await found("run-4", {}, limit)).toEqual([4]);
        expect(await found("run-9", {}, limit)).toEqual([]);
      }
    });

    it("takes no character of the text for a pattern, and sorts by code points", async () => {
      await fill(hostile);
      const last = ["ä", "a\u{10ffff}", "a😀", "a\u{ffff}", "aé", "ab", "a_b", "a\\b", "aXb", "a%b", "Ab"];
      const numbers = (texts: readonly string[]): readonly number[] => texts.map((text) => hostile.indexOf(text));
      for (const limit of [1, 100]) {
        expect(await found("", {}, limit)).toEqual(numbers(last));
        expect(await found("a", {}, limit)).toEqual(numbers(last.slice(1, -1)));
        for (const text of hostile) expect(await found(text, {}, limit)).toEqual(numbers([text]));
        for (const none of ["%", "_", "a%%", "a_%", "a\\\\", "\u{10ffff}"]) {
          expect(await found(none, {}, limit)).toEqual([]);
        }
      }
    });

    it.each<[query: Omit<RunQuery, "scope">, expected: readonly number[]]>([
      [{ statuses: ["awaiting_review"] }, [4, 2, 0]],
      [{ statuses: ["completed"] }, [5, 1]],
      [{ statuses: ["running", "failed"] }, []],
      [{ statuses: [] }, []],
      [{ procedureId: "refund" }, [0]],
      [{ startedBy: "bob" }, [5, 4]],
      [{ version: "v2", startedBy: "bob" }, [5, 4]],
      [{ fromMs: startMs + 1 }, [5, 4, 2]],
      [{ toMs: startMs + 1 }, [1, 0]],
      [{ fromMs: startMs + 1, toMs: startMs + 2, statuses: ["awaiting_review"] }, [2]],
    ])("also has to fit the filter %j", async (query, expected) => {
      await fill(["INV", "INV", "INV", undefined, "INV", "INV"]);
      for (const limit of [1, 2, 100]) expect(await found("INV", query, limit)).toEqual(expected);
      const byId = expected.includes(2) ? [2] : [];
      expect(await found("run-2", query)).toEqual(byId);
    });

    it("finds nothing of another environment or workspace, by id or reference", async () => {
      const { runs } = harness().storage;
      await fill([undefined]);
      await runs.commit(firstRow("run-live", { scope: live, create: { reference: "INV-1" } }));
      await runs.commit(firstRow("run-globex", { scope: elsewhere, create: { reference: "INV-1" } }));
      for (const search of ["run-live", "run-globex", "INV", "INV-1", ""]) expect(await found(search)).toEqual([]);
      const inLive = await runs.list({ scope: live, search: "INV", limit: 9 });
      expect(inLive.items.map(({ runId }) => runId)).toEqual(["run-live"]);
    });

    it("refuses a cursor of another search, and a text that cannot be stored", async () => {
      await fill(["INV-1", "INV-2"]);
      const { runs } = harness().storage;
      const { nextCursor: cursor = "" } = await runs.list({ scope: sandbox, search: "INV", limit: 1 });
      for (const other of [{ search: "IN" }, { search: "INV", scope: live }, {}]) {
        expect(await codeOf(runs.list({ scope: sandbox, ...other, limit: 1, cursor }))).toBe("invalid_cursor");
      }
      for (const text of ["INV\0", "INV\ud83d"]) {
        expect(await codeOf(runs.list({ scope: sandbox, search: text, limit: 1 }))).toBe("invalid_input");
      }
    });

    it("answers a made-up position with runs of the scope only", async () => {
      await fill(["INV-1", "INV-2"]);
      const { runs } = harness().storage;
      const query: RunQuery = { scope: sandbox, search: "INV-1" };
      await runs.commit(firstRow("run-live", { scope: live, create: { reference: "INV-1" } }));
      for (const position of [[0, "", 0, 0], [1, "ZZ", 0, 0], [7, "INV-10", startMs, 1] as const]) {
        const cursor = encodeCursor(runCursorQuery(query), position);
        const { items } = await runs.list({ ...query, limit: 9, cursor });
        expect(items.every(({ scope }) => scope.environment === "sandbox")).toBe(true);
      }
    });
  });

  describe("reviews.list with a search", () => {
    const harness = useHarness(options);

    /** Two runs `run-0` and `run-1` of `INV-1`, `run-2` of `INV-2`, `run-3` without a reference; two reviews of `run-0`. */
    async function fill(): Promise<void> {
      const { runs, reviews } = harness().storage;
      for (const [index, reference] of ["INV-1", "INV-1", "INV-2", undefined].entries()) {
        const openReview = review(`review-${index}`, {
          openedAtMs: startMs + index,
          kind: index % 2 === 0 ? "human_review" : "guard",
        });
        const procedureId = index < 2 ? "refund" : "vendor-payment";
        const create = { procedureId, ...(reference !== undefined && { reference }) };
        await runs.commit(firstRow(`run-${index}`, { create, openReview, then: awaiting }));
      }
      const openReview = review("review-4", { openedAtMs: startMs + 9, kind: "guard" });
      await runs.commit(row("run-0", 2, { closeReview: { status: "settled" }, openReview, then: awaiting }));
      await reviews.decide(decision("run-2", "review-2"));
    }

    const found = async (search: string, query: Omit<ReviewQuery, "scope"> = {}, limit = 100) => {
      const { reviews } = harness().storage;
      const rows = await readAll(limit, (page) => reviews.list({ scope: sandbox, search, ...query, ...page }));
      return rows.map(({ reviewId }) => Number(reviewId.slice("review-".length)));
    };

    it.each<[search: string, query: Omit<ReviewQuery, "scope">, expected: readonly number[]]>([
      ["INV-", {}, [2, 4, 1, 0]],
      ["INV-1", {}, [4, 1, 0]],
      ["inv-1", {}, []],
      ["", {}, [2, 4, 1, 0]],
      ["run-0", {}, [4, 0]],
      ["run-3", {}, [3]],
      ["review-2", {}, [2]],
      ["review-3", {}, [3]],
      ["review-9", {}, []],
      ["INV-", { status: "open" }, [4, 1]],
      ["INV-", { status: "open", order: "expires" }, [4, 1]],
      ["INV-", { status: "approved" }, [2]],
      ["INV-", { kind: "guard" }, [4, 1]],
      ["INV-", { procedureId: "vendor-payment" }, [2]],
      ["INV-", { closedFromMs: startMs + 100 }, [2]],
      ["run-0", { status: "settled" }, [0]],
      ["review-4", { kind: "human_review" }, []],
    ])("finds %j with %j, in pages of any size", async (search, query, expected) => {
      await fill();
      for (const limit of [1, 2, 3, 100]) expect(await found(search, query, limit)).toEqual(expected);
    });

    it("finds each review once, those found by an id first", async () => {
      const { runs } = harness().storage;
      for (const [index, reference] of ["run-1", "review-0", "run-1x", "run-3"].entries()) {
        const openReview = review(`review-${index}`, { openedAtMs: startMs + index });
        await runs.commit(firstRow(`run-${index}`, { create: { reference }, openReview, then: awaiting }));
      }
      for (const limit of [1, 2, 100]) {
        expect(await found("run-1", {}, limit)).toEqual([1, 2, 0]);
        expect(await found("run-3", {}, limit)).toEqual([3]);
        expect(await found("review-0", {}, limit)).toEqual([0, 1]);
      }
    });

    it("finds nothing of another environment or workspace, by ids or reference", async () => {
      const { runs, reviews } = harness().storage;
      await runs.commit(waitingRun("run-9", "review-9"));
      for (const [index, scope] of [live, elsewhere].entries()) {
        const openReview = review(`review-${index}`);
        await runs.commit(
          firstRow(`run-${index}`, { scope, create: { reference: "INV-1" }, openReview, then: awaiting }),
        );
      }
      for (const search of ["run-0", "review-1", "INV", "INV-1", ""]) expect(await found(search)).toEqual([]);
      const inLive = await reviews.list({ scope: live, search: "INV", limit: 9 });
      expect(inLive.items.map(({ runId }) => runId)).toEqual(["run-0"]);
    });

    it("refuses a cursor of another search, and answers a made-up position with reviews of the scope only", async () => {
      await fill();
      const { reviews } = harness().storage;
      const query: ReviewQuery = { scope: sandbox, search: "INV" };
      const { nextCursor: cursor = "" } = await reviews.list({ ...query, limit: 1 });
      expect(await codeOf(reviews.list({ ...query, search: "IN", limit: 1, cursor }))).toBe("invalid_cursor");
      expect(await codeOf(reviews.list({ scope: sandbox, limit: 1, cursor }))).toBe("invalid_cursor");
      expect(await codeOf(reviews.list({ ...query, search: "INV\0", limit: 1 }))).toBe("invalid_input");
      const madeUp = encodeCursor(reviewCursorQuery(query), [1, "INV-2", startMs + 2, 9_999]);
      const { items } = await reviews.list({ ...query, limit: 9, cursor: madeUp });
      expect(items.map(({ reviewId }) => reviewId)).toEqual(["review-2", "review-4", "review-1", "review-0"]);
    });
  });
}
