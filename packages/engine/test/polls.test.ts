import type { JsonObject } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { createHarness, type Harness, type HarnessEngine } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";
import { answers } from "./scripted-bank.ts";

const environment = "sandbox";
const scope = { workspace: "default", environment } as const;
const long = { text: "x".repeat(20_000), cents: 12.5 };
const answering = procedure([call("a", "read", { arguments: { of: "{{ input }}" } })], {
  output: { said: "{{ input }}" },
});
const asking = procedure([review("r", { data: { of: "{{ input }}" } })], { output: { ok: true } });

/** A call's reads of the journal: their number, and the largest in bytes. */
async function journalReads<T>(engine: HarnessEngine, work: () => Promise<T>) {
  const sizes: number[] = [];
  engine.way.on("runs.journal", (read, request) => {
    sizes.push((request as { readonly maxBytes?: number }).maxBytes ?? Infinity);
    return read();
  });
  return { answer: await work(), sizes };
}

async function completed(data: JsonObject, document = answering): Promise<Harness & { runId: string }> {
  const harness = await createHarness();
  return { ...harness, runId: await harness.runOf(document, data) };
}

describe("a poll", () => {
  test("of a completed run with a long journal returns the output without reading the journal", async () => {
    const { engine, runId } = await completed(long);
    const { answer, sizes } = await journalReads(engine, () => engine.runs.poll({ environment, runId }));
    expect(answer).toMatchObject({ status: "completed", output: { said: long }, completedAtMs: expect.any(Number) });
    expect(sizes).toEqual([]);
  });

  test("of one with a short journal reads 8 KiB at most, and nothing is stored twice", async () => {
    const { engine, storage, runId } = await completed({ text: "short" });
    const { answer, sizes } = await journalReads(engine, () => engine.runs.poll({ environment, runId }));
    expect(answer.output).toEqual({ said: { text: "short" } });
    expect(sizes).toEqual([8 * 1024]);
    expect(await storage.runs.output({ scope, runId, maxBytes: 99 })).toBeUndefined();
  });

  test("of a run that failed, waits or is being executed reads no journal", async () => {
    const harness = await createHarness();
    const waiting = await harness.runOf(asking, long);
    const failed = await harness.run(long);
    await harness.engine.runs.cancel({ environment, runId: failed, by: { person: "alice" } });
    await harness.clock.settle();
    for (const [runId, status] of [
      [waiting, "awaiting_review"],
      [failed, "failed"],
    ] as const) {
      const { answer, sizes } = await journalReads(harness.engine, () =>
        harness.engine.runs.poll({ environment, runId }),
      );
      expect(answer.status).toBe(status);
      expect(sizes).toEqual([]);
    }
  });

  test("of a run that ended before outputs were stored reads its journal, after it has called beforeLargeRead", async () => {
    const { engine, runId } = await completed(long);
    engine.way.on("runs.output", async () => undefined);
    const asked: string[] = [];
    const beforeLargeRead = async (): Promise<void> => void asked.push("may I?");
    const run = await engine.runs.poll({ environment, runId }, { beforeLargeRead });
    expect(run.output).toEqual({ said: long });
    expect(asked).toEqual(["may I?"]);
  });

  test("calls beforeLargeRead before it reads an output of more than 64 KiB, but not before a smaller one", async () => {
    for (const [length, times] of [
      [20_000, 0],
      [70_000, 1],
    ] as const) {
      const { engine, runId } = await completed({ text: "x".repeat(length) });
      let asked = 0;
      const beforeLargeRead = async (): Promise<void> => void (asked += 1);
      const { output } = await engine.runs.poll({ environment, runId }, { beforeLargeRead });
      expect(output).toEqual({ said: { text: "x".repeat(length) } });
      expect(asked).toBe(times);
    }
  });

  test("has the same result before and after the run was archived", async () => {
    const { engine, clock, storage, runId } = await completed(long);
    const before = await engine.runs.poll({ environment, runId });
    await clock.advance(1);
    const drop = async (_name: string, lines: AsyncIterable<string>): Promise<void> => {
      for await (const _line of lines);
    };
    await engine.retention.archive({ olderThanMs: 0, to: { write: drop }, by: { person: "alice" }, pauseMs: 0 });
    expect(await storage.runs.journal({ scope, runId })).toEqual([]);
    expect(await storage.runs.output({ scope, runId, maxBytes: 1e6 })).toBeUndefined();
    expect(await engine.runs.poll({ environment, runId })).toEqual(before);
  });

  test("of a completed run without an output in its row or journal is journal_corrupted, not an empty output", async () => {
    const { engine, runId } = await completed(long);
    engine.way.on("runs.output", async () => undefined);
    engine.way.on("runs.journal", async (read) =>
      ((await read()) as readonly { readonly seq: number }[]).filter(({ seq }) => seq === 1),
    );
    await expect(engine.runs.poll({ environment, runId })).rejects.toMatchObject({ code: "journal_corrupted" });
  });
});

describe("an open review", () => {
  test("of a run with a long journal is shown without reading the journal, digest included", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(asking, long);
    const { engine } = harness;
    const { answer, sizes } = await journalReads(engine, () => engine.reviews.open({ environment, runId }));
    expect(sizes).toEqual([]);
    expect(answer).toMatchObject({ data: { of: long }, status: "open" });
    expect(answer).toEqual((await engine.reviews.ofRun({ environment, runId }))[0]);
    expect(await engine.reviews.get({ environment, reviewId: answer?.reviewId ?? "" })).toEqual(answer);
  });

  test("of a run with a short journal is read from its first 8 KiB, also when the journal has grown since", async () => {
    const harness = await createHarness();
    harness.bank.plan("read", answers({ text: "y".repeat(30_000) }));
    const runId = await harness.runOf(procedure([review("r", { data: { of: "{{ input }}" } }), call("a", "read")]), {
      text: "short",
    });
    const { engine } = harness;
    const open = await engine.reviews.open({ environment, runId });
    await harness.decide(runId);
    const { answer, sizes } = await journalReads(engine, () =>
      engine.reviews.get({ environment, reviewId: open?.reviewId ?? "" }),
    );
    expect(sizes).toEqual([8 * 1024]);
    expect(answer.data).toEqual({ of: { text: "short" } });
    expect(await engine.reviews.open({ environment, runId })).toBeUndefined();
  });

  test("is not shown if the stored copy differs from the journal", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(asking, long);
    harness.engine.way.on("reviews.open", async (read) => {
      const row = (await read()) as { shown: string };
      return { ...row, shown: row.shown.replace("12.5", "1250") };
    });
    await expect(harness.engine.reviews.open({ environment, runId })).rejects.toMatchObject({
      code: "journal_corrupted",
    });
  });
});

describe("steps", () => {
  test("are listed without their large values, but with the sizes", async () => {
    const { engine, runId } = await completed(long);
    const steps = await engine.runs.timeline({ environment, runId });
    const whole = await engine.runs.get({ environment, runId });
    expect(steps.map(({ bytes: _bytes, ...step }) => step)).toEqual(whole.steps);
    for (const { input, output, bytes } of steps) {
      const size = (value: unknown): number => (value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value)));
      expect(bytes).toEqual({ input: size(input), output: size(output) });
    }
  });

  test("are returned individually, at their position among all", async () => {
    const { engine, runId } = await completed(long);
    const { steps } = await engine.runs.get({ environment, runId });
    for (const step of steps) {
      const { nodeId, visit } = step;
      expect(await engine.runs.step({ environment, runId, nodeId, visit })).toEqual(step);
    }
    const nowhere = engine.runs.step({ environment, runId, nodeId: "a", visit: 2 });
    await expect(nowhere).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("a long journal", () => {
  const pages = Array.from({ length: 8 }, (_page, index) => call(`a${index}`, "read"));

  test.each(["get", "timeline", "export", "verify"] as const)(
    "is read by `%s` in pages, each in a separate turn of the event loop",
    async (verb) => {
      const harness = await createHarness();
      harness.bank.plan("read", ...pages.map((_page, index) => answers({ text: String(index).repeat(100_000) })));
      const runId = await harness.runOf(procedure(pages));
      const { engine } = harness;
      let turn = 0;
      let over = false;
      const nextTurn = (): void => {
        turn += 1;
        if (!over) setImmediate(nextTurn);
      };
      setImmediate(nextTurn);
      const reads: { readonly turn: number; readonly bytes: number }[] = [];
      engine.way.on("runs.journal", async (read) => {
        const rows = (await read()) as readonly { readonly body: string }[];
        reads.push({ turn, bytes: rows.reduce((sum, { body }) => sum + body.length, 0) });
        return rows;
      });
      const run = { environment, runId } as const;
      if (verb === "export") await engine.audit.exportRun(run);
      else if (verb === "verify") expect((await engine.audit.verify()).problems).toEqual([]);
      else await engine.runs[verb](run);
      over = true;
      const full = reads.filter(({ bytes }) => bytes > 0);
      expect(full.length).toBeGreaterThanOrEqual(pages.length);
      for (const { bytes } of full) expect(bytes).toBeLessThanOrEqual(128 * 1024);
      expect(new Set(full.map((read) => read.turn)).size).toBe(full.length);
    },
  );

  test("is loaded in slices when another worker resumes the run", async () => {
    const harness = await createHarness();
    harness.bank.plan("read", ...pages.map((_page, index) => answers({ text: String(index).repeat(100_000) })));
    const runId = await harness.runOf(procedure([...pages, review("r"), call("b", "once")]));
    await harness.engine.stop();
    const successor = await harness.addEngine();
    await harness.decide(runId);
    await harness.clock.advance(60_000);
    expect(await successor.runs.poll({ environment, runId })).toMatchObject({ status: "completed" });
    expect(harness.bank.callsOf("once")).toHaveLength(1);
  });
});

test("verifying names a run whose stored output differs from its journal", async () => {
  const { engine, addEngine, runId } = await completed(long);
  expect((await engine.audit.verify()).problems).toEqual([]);
  const other = await addEngine({ started: false });
  other.way.on("runs.output", async (read) => {
    const output = (await read()) as { bytes: number; text: string } | undefined;
    return output && { ...output, text: output.text.replace("12.5", "1250") };
  });
  expect((await other.audit.verify()).problems).toEqual([
    expect.objectContaining({ kind: "run_output_changed", environment, runId }),
  ]);
});
