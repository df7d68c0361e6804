import { describe, expect, it } from "vitest";
import type { ReviewQuery } from "../reviews.ts";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { codeOf, readAll } from "./pages.ts";
import { commitAll, awaiting, decision, firstRow, live, post, review, row, sandbox, waitingRun } from "./samples.ts";

export function describeReviews(options: ConformanceOptions): void {
  describe("reading reviews", () => {
    const harness = useHarness(options);

    it("returns the review as it was opened", async () => {
      const { runs, reviews } = harness().storage;
      const opened = review("review-1", { title: "Größe? 😀", openedAtMs: startMs + 3 });
      await runs.commit(firstRow("run-1", { openReview: opened, then: awaiting }));
      expect(await reviews.get({ scope: sandbox, reviewId: "review-1" })).toEqual({
        ...opened,
        scope: sandbox,
        runId: "run-1",
        procedureId: "vendor-payment",
        procedureVersion: "v1",
        startedBy: "key-1",
        reference: undefined,
        status: "open",
        closedAtMs: undefined,
        decisions: [],
        shown: undefined,
      });
      expect(await reviews.get({ scope: sandbox, reviewId: "unknown" })).toBeUndefined();
    });

    it("lists all reviews of a run, oldest first", async () => {
      const { runs, reviews } = harness().storage;
      await commitAll(runs, [waitingRun("run-1", "z"), waitingRun("run-2", "other")]);
      const next = review("a", { openedAtMs: startMs + 1 });
      await runs.commit(row("run-1", 2, { closeReview: { status: "settled" }, openReview: next, then: awaiting }));
      const rows = await reviews.ofRun({ scope: sandbox, runId: "run-1" });
      expect(rows.map(({ reviewId, status }) => [reviewId, status])).toEqual([
        ["z", "settled"],
        ["a", "open"],
      ]);
      expect(await reviews.ofRun({ scope: sandbox, runId: "unknown" })).toEqual([]);
    });

    it("finds the open reviews of several runs", async () => {
      const { runs, reviews } = harness().storage;
      const asked = { title: "Pay 200?", openedAtMs: startMs + 7 };
      await commitAll(runs, [
        waitingRun("run-1", "review-1"),
        waitingRun("run-2", "review-2"),
        firstRow("run-3"),
        { ...waitingRun("run-4", "review-4"), scope: live },
      ]);
      await reviews.decide(decision("run-2", "review-2"));
      const next = review("review-5", { nodeId: "confirm", kind: "outcome_unknown", ...asked });
      await runs.commit(row("run-1", 2, { closeReview: { status: "settled" }, openReview: next, then: awaiting }));
      const runIds = ["run-1", "run-2", "run-3", "run-4", "unknown"];
      expect(await reviews.openOf({ scope: sandbox, runIds })).toEqual([
        { runId: "run-1", reviewId: "review-5", nodeId: "confirm", kind: "outcome_unknown", ...asked },
      ]);
      expect(await reviews.openOf({ scope: sandbox, runIds: [] })).toEqual([]);
    });

    /** The expiry of each review of `fill`, after the start. */
    const expiries = [500, undefined, 100, 500, undefined, undefined, 20, 500];

    /** Six runs with a review each. The second and the fifth are decided, the third has expired. */
    async function fill(): Promise<void> {
      const { runs, reviews, inbox } = harness().storage;
      await commitAll(
        runs,
        [0, 1, 2, 3, 4, 5].map((index) => ({
          ...firstRow(`run-${index}`, { create: { procedureId: index < 3 ? "vendor-payment" : "refund" } }),
          openReview: review(`review-${index}`, {
            openedAtMs: startMs + Math.floor(index / 2),
            kind: index % 2 === 0 ? "human_review" : "outcome_unknown",
            ...(expiries[index] === undefined ? {} : { expiresAtMs: startMs + expiries[index] }),
          }),
          then: awaiting,
        })),
      );
      await reviews.decide(decision("run-1", "review-1"));
      await reviews.decide(decision("run-4", "review-4", { approved: false }));
      await inbox.post([post("run-2", "effect-review-2", { closeReview: "expired" })]);
    }

    const filters: readonly (readonly [query: Omit<ReviewQuery, "scope">, expected: readonly number[]])[] = [
      [{}, [0, 1, 2, 3, 4, 5]],
      [{ status: "open" }, [0, 3, 5]],
      [{ status: "approved" }, [1]],
      [{ status: "rejected" }, [4]],
      [{ status: "expired" }, [2]],
      [{ status: "cancelled" }, []],
      [{ procedureId: "refund" }, [3, 4, 5]],
      [{ procedureId: "refund", status: "open" }, [3, 5]],
      [{ kind: "human_review" }, [0, 2, 4]],
      [{ kind: "human_review", status: "open" }, [0]],
      [{ kind: "outcome_unknown", procedureId: "refund", status: "open" }, [3, 5]],
      [{ kind: "unknown" }, []],
      [{ closedFromMs: startMs }, [4, 2, 1]],
      [{ closedFromMs: startMs + 100 }, [4, 1]],
      [{ closedFromMs: startMs, status: "approved" }, [1]],
      [{ closedFromMs: startMs, status: "open" }, []],
      [{ closedFromMs: startMs + 101 }, []],
      [{ order: "requested" }, [0, 1, 2, 3, 4, 5]],
      [{ order: "expires" }, [0, 3, 5]],
      [{ order: "expires", status: "open" }, [0, 3, 5]],
      [{ order: "expires", status: "approved" }, []],
      [{ order: "expires", closedFromMs: startMs }, []],
      [{ order: "expires", kind: "outcome_unknown" }, [3, 5]],
    ];
    it.each(filters)("lists in order, filtered by %j, in pages of any size", async (query, expected) => {
      await fill();
      const { reviews } = harness().storage;
      for (const limit of [1, 2, 100]) {
        const rows = await readAll(limit, (page) => reviews.list({ scope: sandbox, ...query, ...page }));
        expect(rows.map(({ reviewId }) => Number(reviewId.slice("review-".length)))).toEqual(expected);
      }
    });

    it("lists those that expire first first, and those that do not expire last, in pages of any size", async () => {
      const { runs, reviews } = harness().storage;
      for (const [index, expiry] of expiries.entries()) {
        const expires = expiry === undefined ? {} : { expiresAtMs: startMs + expiry };
        const opened = { openedAtMs: startMs + 10 - Math.floor(index / 2), ...expires };
        await runs.commit(waitingRun(`run-${index}`, `review-${index}`, opened));
      }
      for (const limit of [1, 2, 3, 100]) {
        const rows = await readAll(limit, (page) => reviews.list({ scope: sandbox, order: "expires", ...page }));
        expect(rows.map(({ reviewId }) => Number(reviewId.slice("review-".length)))).toEqual([6, 2, 7, 3, 0, 4, 5, 1]);
        expect(rows[0]).toMatchObject({ expiresAtMs: startMs + 20 });
      }
    });

    it("refuses a cursor of another scope or query", async () => {
      await fill();
      const { reviews } = harness().storage;
      const cursor = (await reviews.list({ scope: sandbox, limit: 1 })).nextCursor ?? "";
      const queries: readonly ReviewQuery[] = [
        { scope: live },
        { scope: sandbox, status: "open" },
        { scope: sandbox, procedureId: "refund" },
        { scope: sandbox, kind: "human_review" },
        { scope: sandbox, order: "expires" },
        { scope: sandbox, closedFromMs: startMs },
        { scope: sandbox, search: "run-1" },
      ];
      for (const query of queries) {
        expect(await codeOf(reviews.list({ ...query, limit: 1, cursor }))).toBe("invalid_cursor");
      }
    });
  });
}
