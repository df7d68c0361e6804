import { describe, expect, it } from "vitest";
import type { RunPlace } from "../runs.ts";
import type { ConformanceOptions } from "./harness.ts";
import { startMs, useHarness } from "./harness.ts";
import { commitAll, audit, awaiting, committed, firstRow, hot, review, row, sandbox } from "./samples.ts";

/** The data with which polls are answered, independent of the run's journal. */
export function describeStoredAnswers(options: ConformanceOptions): void {
  const address = { scope: sandbox, runId: "run-1" };
  const ended = (output: string): RunPlace => ({ kind: "ended", status: "completed", endedAtMs: startMs, output });

  describe("runs.output", () => {
    const harness = useHarness(options);

    it("returns the output in the last row of the run, byte for byte", async () => {
      const { runs } = harness().storage;
      const output = '{ "paid":  "1€ \\u0000 😀", "total": 1.0 }';
      await runs.commit(firstRow("run-1"));
      expect(await runs.output({ ...address, maxBytes: 1_000 })).toBeUndefined();
      expect(await runs.commit(row("run-1", 2, { then: ended(output) }))).toEqual(committed);
      const bytes = Buffer.byteLength(output);
      expect(await runs.output({ ...address, maxBytes: bytes })).toEqual({ bytes, text: output });
    });

    it("returns only the size of an output that is too long", async () => {
      const { runs } = harness().storage;
      const output = `{"text":"${"ä".repeat(100_000)}"}`;
      await runs.commit(firstRow("run-1", { then: ended(output) }));
      const bytes = Buffer.byteLength(output);
      expect(await runs.output({ ...address, maxBytes: bytes - 1 })).toEqual({ bytes, text: undefined });
      expect((await runs.output({ ...address, maxBytes: bytes }))?.text === output).toBe(true);
    });

    it("keeps outputs of one batch apart, and returns none for an end without one", async () => {
      const { runs } = harness().storage;
      const failed: RunPlace = { kind: "ended", status: "failed", endedAtMs: startMs, error: "No." };
      await commitAll(runs, [firstRow("run-1"), firstRow("run-2"), firstRow("run-3")]);
      await commitAll(runs, [
        row("run-1", 2, { then: ended('{"of":1}') }),
        row("run-2", 2, { then: failed }),
        row("run-3", 2, { then: ended('{"of":3}') }),
      ]);
      const textOf = async (runId: string): Promise<unknown> =>
        (await runs.output({ scope: sandbox, runId, maxBytes: 99 }))?.text;
      expect(await textOf("run-1")).toBe('{"of":1}');
      expect(await textOf("run-2")).toBeUndefined();
      expect(await textOf("run-3")).toBe('{"of":3}');
      expect(await textOf("unknown")).toBeUndefined();
    });

    it("returns none for an archived run: its stub has it", async () => {
      const { runs, retention } = harness().storage;
      await runs.commit(firstRow("run-1", { then: ended('{"paid":1}') }));
      const stub = { runId: "run-1", seq: 1, hash: "hash-run-1-1", output: '{"paid":1}' };
      expect(await retention.archive({ scope: sandbox, runs: [stub], audit: audit(1) })).toEqual({
        status: "archived",
      });
      expect(await runs.output({ ...address, maxBytes: 99 })).toBeUndefined();
      expect(await retention.stub(address)).toMatchObject({ output: '{"paid":1}' });
    });
  });

  describe("runs.journal in pages", () => {
    const harness = useHarness(options);
    const bodies = ["€".repeat(10), "b".repeat(30), "c".repeat(100), "d", "e"];

    async function fill(): Promise<(afterSeq: number, maxBytes: number) => Promise<readonly number[]>> {
      const { runs } = harness().storage;
      await runs.commit(firstRow("run-1", { body: bodies[0] ?? "" }));
      for (const [index, body] of bodies.entries()) {
        if (index > 0) await runs.commit(row("run-1", index + 1, { body }));
      }
      return async (afterSeq, maxBytes) =>
        (await runs.journal({ ...address, afterSeq, maxBytes })).map(({ seq }) => seq);
    }

    it("ends a page before the row that does not fit, counted in bytes of UTF-8", async () => {
      const page = await fill();
      expect(await page(0, 60)).toEqual([1, 2]);
      expect(await page(0, 59)).toEqual([1]);
      expect(await page(3, 2)).toEqual([4, 5]);
      expect(await page(0, 1_000)).toEqual([1, 2, 3, 4, 5]);
    });

    it("returns at least one row, however long, and none after the last", async () => {
      const page = await fill();
      expect(await page(2, 5)).toEqual([3]);
      expect(await page(4, 0)).toEqual([5]);
      expect(await page(5, 1_000)).toEqual([]);
    });

    it("returns all later rows without a size limit", async () => {
      await fill();
      const { runs } = harness().storage;
      const rows = await runs.journal({ ...address, afterSeq: 3 });
      expect(rows.map(({ seq, body }) => [seq, body])).toEqual([
        [4, "d"],
        [5, "e"],
      ]);
    });
  });

  describe("the shown text of a review", () => {
    const harness = useHarness(options);

    it("is returned with the review and with its waiting run, and not in lists", async () => {
      const { runs, reviews } = harness().storage;
      const shown = '{"data":{"amount":1.0,"note":"Größe \\u0000 😀"}}';
      await runs.commit(firstRow("run-1", { openReview: review("review-1", { shown }), then: awaiting }));
      expect(await reviews.get({ scope: sandbox, reviewId: "review-1" })).toMatchObject({ shown });
      expect(await reviews.open(address)).toEqual(await reviews.get({ scope: sandbox, reviewId: "review-1" }));
      const { items } = await reviews.list({ scope: sandbox, limit: 9 });
      for (const listed of [...items, ...(await reviews.ofRun(address))]) expect(listed).not.toHaveProperty("shown");
    });

    it("is undefined when the review was opened without it", async () => {
      const { runs, reviews } = harness().storage;
      await runs.commit(firstRow("run-1", { openReview: review("review-1"), then: awaiting }));
      expect(await reviews.open(address)).toMatchObject({ reviewId: "review-1", shown: undefined });
    });

    it("is that of the open review only, when a run had earlier ones", async () => {
      const { runs, reviews } = harness().storage;
      expect(await reviews.open(address)).toBeUndefined();
      await runs.commit(firstRow("run-1", { openReview: review("review-1"), then: awaiting }));
      const next = { closeReview: { status: "settled" }, openReview: review("review-2"), then: awaiting } as const;
      await runs.commit(row("run-1", 2, next));
      expect(await reviews.open(address)).toMatchObject({ reviewId: "review-2" });
      await runs.commit(row("run-1", 3, { closeReview: { status: "settled" }, then: hot }));
      expect(await reviews.open(address)).toBeUndefined();
    });
  });
}
