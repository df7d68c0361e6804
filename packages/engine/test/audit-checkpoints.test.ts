import { describe, expect, test } from "vitest";
import type { JsonObject } from "@procedo/contract";
import type { WorkspaceChange } from "@procedo/engine";
import type { PageRequest, RunHeadQuery } from "@procedo/storage";
import { settleMs } from "../src/audit/checkpoints.ts";
import { alice, createHarness, type Harness, type HarnessEngine } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";

const hourMs = 3_600_000;
const paying = procedure([call("a", "once")]);

interface Statement {
  readonly runs: { readonly sandbox: { readonly count: number }; readonly live: { readonly count: number } };
  readonly fromMs: number;
  readonly toMs: number;
  readonly last: boolean;
  readonly part: number;
}

async function checkpoints(
  harness: Harness,
): Promise<readonly (WorkspaceChange & { readonly statement: Statement })[]> {
  const changes = await harness.engine.audit.changes();
  return changes
    .filter(({ action }) => action === "checkpoint")
    .map((change) => ({ ...change, statement: statementOf(change) }));
}

function statementOf({ details }: WorkspaceChange): Statement {
  return JSON.parse((details as JsonObject).statement as string) as Statement;
}

const counts = async (harness: Harness): Promise<readonly number[]> =>
  (await checkpoints(harness)).map(({ statement }) => statement.runs.sandbox.count + statement.runs.live.count);

async function withRuns(number: number): Promise<Harness> {
  const harness = await createHarness();
  await harness.publish(paying, { defaultIn: ["sandbox", "live"] });
  for (let run = 0; run < number; run++) await harness.run();
  return harness;
}

describe("checkpoints", () => {
  test("list the runs that have ended since the last one, in both environments", async () => {
    const harness = await withRuns(3);
    await harness.run({}, { environment: "live" });
    await harness.clock.advance(hourMs);
    await harness.run();
    await harness.clock.advance(hourMs);
    const [first, second] = await checkpoints(harness);
    expect(first).toMatchObject({ by: "procedo", statement: { runs: { sandbox: { count: 3 }, live: { count: 1 } } } });
    expect(second).toMatchObject({ statement: { runs: { sandbox: { count: 1 }, live: { count: 0 } } } });
    expect(second?.statement.fromMs).toBe(first?.statement.toMs);
    expect(await counts(harness)).toEqual([4, 1]);
  });

  test("are written once, regardless of which of several engines is first", async () => {
    const harness = await withRuns(2);
    const others: readonly HarnessEngine[] = [
      await harness.addEngine(),
      await harness.addEngine(),
      await harness.addEngine(),
    ];
    expect(others).toHaveLength(3);
    for (let hour = 0; hour < 5; hour++) await harness.clock.advance(hourMs);
    expect(await counts(harness)).toEqual([2, 0, 0, 0, 0]);
    expect((await harness.engine.audit.verify()).problems).toEqual([]);
  });

  test("are written once by engines that find the last one at the same time", async () => {
    const harness = await withRuns(2);
    const other = await harness.addEngine();
    let waiting: (() => void)[] = [];
    // Both have read the chain before either writes.
    for (const { way } of [harness.engine, other]) {
      way.on("records.put", async (work) => {
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          if (waiting.length < 2) return;
          for (const go of waiting) go();
          waiting = [];
          for (const engine of [harness.engine, other]) engine.way.on("records.put", (now) => now());
        });
        return await work();
      });
    }
    const marked = harness.engine.way.count("records.put");
    await harness.clock.advance(hourMs);
    expect([other.way.count("records.put"), harness.engine.way.count("records.put") - marked]).toEqual([1, 1]);
    expect(await counts(harness)).toEqual([2]);
  });

  test("follow managed changes that other engines make at the same time", async () => {
    const harness = await withRuns(1);
    const other = await harness.addEngine({ started: false });
    let versions = 0;
    harness.engine.way.on("records.put", async (work) => {
      versions += 1;
      if (versions <= 3) await other.procedures.publish({ document: paying, version: `w${versions}`, by: alice });
      return await work();
    });
    await harness.clock.advance(hourMs);
    // Publishing takes several turns of the event loop.
    while (versions < 4) await harness.clock.settle();
    await harness.clock.settle();
    expect((await harness.engine.audit.changes()).map(({ action }) => action)).toEqual([
      ...Array.from({ length: 4 }, () => "procedure.published"),
      "checkpoint",
    ]);
    expect(await counts(harness)).toEqual([1]);
    expect((await harness.engine.audit.verify()).problems).toEqual([]);
  });

  test("leave a run that has just ended to the next one, because of late rows", async () => {
    const harness = await withRuns(1);
    await harness.clock.advance(hourMs - settleMs + 1_000);
    await harness.run();
    await harness.clock.advance(settleMs);
    expect(await counts(harness)).toEqual([1]);
    await harness.clock.advance(hourMs);
    expect(await counts(harness)).toEqual([1, 1]);
  });

  test("do not list open runs", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([review("r")]));
    const runId = await harness.run();
    await harness.publish(paying, { version: "v2", defaultIn: ["sandbox"] });
    await harness.run();
    await harness.clock.advance(hourMs);
    expect(await counts(harness)).toEqual([1]);
    await harness.decide(runId);
    await harness.clock.advance(hourMs);
    expect(await counts(harness)).toEqual([1, 1]);
  });

  test("are made up for by a process that starts late", async () => {
    const harness = await withRuns(2);
    await harness.engine.stop();
    await harness.clock.advance(5 * hourMs);
    expect(await counts(harness)).toEqual([]);
    await harness.addEngine();
    await harness.clock.settle();
    expect(await counts(harness)).toEqual([2]);
  });

  test("are not written if no run has ever ended, nor by an engine that was not started", async () => {
    const harness = await createHarness({ started: false });
    await harness.publish(procedure([review("r")]));
    await harness.run();
    await harness.clock.advance(3 * hourMs);
    expect(await counts(harness)).toEqual([]);
    await harness.engine.start();
    await harness.clock.advance(3 * hourMs);
    expect(await counts(harness)).toEqual([]);
  });

  test("are written at the configured interval, and at most once per second", async () => {
    const harness = await withRuns(1);
    const often = await harness.addEngine({ checkpointMs: 600_000 });
    await harness.clock.advance(hourMs - 1);
    expect((await counts(harness)).length).toBe(5);
    expect(await often.audit.latestCheckpoint()).toBeDefined();
    await expect(harness.addEngine({ checkpointMs: 999 })).rejects.toMatchObject({ code: "invalid_configuration" });
    await expect(harness.addEngine({ checkpointMs: NaN })).rejects.toMatchObject({ code: "invalid_configuration" });
  });

  test("are written when storage answers again", async () => {
    const harness = await withRuns(1);
    await harness.clock.advance(hourMs - 60_000);
    harness.engine.way.cut();
    await harness.clock.advance(5 * 60_000);
    expect(harness.engine.logged.join("\n")).toContain("A checkpoint could not be written");
    harness.engine.way.mend();
    await harness.clock.advance(60_000);
    expect(await counts(harness)).toEqual([1]);
  });

  test("are neither duplicated nor delayed when the wall clock jumps", async () => {
    const harness = await withRuns(1);
    await harness.clock.advance(hourMs);
    harness.clock.jump(-24 * hourMs);
    await harness.clock.advance(hourMs);
    harness.clock.jump(48 * hourMs);
    await harness.clock.advance(hourMs);
    expect(await counts(harness)).toEqual([1, 0, 0]);
    expect((await harness.engine.audit.verify()).problems).toEqual([]);
  });

  test("with a corrupted pointer start from the beginning, and omit nothing", async () => {
    const harness = await withRuns(2);
    await harness.clock.advance(hourMs);
    const address = { workspace: "default", kind: "checkpoint", id: "latest" };
    const row = await harness.storage.records.get(address);
    if (row === undefined) throw new Error("There is no pointer.");
    await harness.storage.records.put({ record: { ...row, body: "1" }, ifRevision: row.revision });
    await harness.clock.advance(hourMs);
    expect(harness.engine.logged.join("\n")).toContain("cannot be trusted");
    expect(await counts(harness)).toEqual([2, 2]);
    expect((await harness.engine.audit.verify()).problems).toEqual([]);
  });
});

describe("checkpoints over many runs", () => {
  /** Makes this engine find the given number of ended runs in sandbox, in any period. */
  function findMany({ way }: HarnessEngine, count: number, endedAtMs: number): void {
    way.on("runs.heads", async (_work, request) => {
      const { scope, limit, cursor } = request as RunHeadQuery & PageRequest;
      const from = Number(cursor ?? 0);
      const to = scope.environment === "sandbox" ? Math.min(from + limit, count) : from;
      const items = Array.from({ length: to - from }, (_, index) => {
        return { runId: `run_${from + index}`, seq: 3, hash: "h".repeat(43), endedAtMs };
      });
      return { items, nextCursor: to < count && to > from ? String(to) : undefined };
    });
  }

  /** Longer than all pauses between the pages of such a list. */
  const inPausesMs = 1_000;

  test("are several entries for the same period", async () => {
    const harness = await withRuns(1);
    findMany(harness.engine, 4_500, harness.clock.now());
    await harness.clock.advance(hourMs + inPausesMs);
    const parts = (await checkpoints(harness)).map(({ statement }) => statement);
    expect(parts.map(({ part, last, runs }) => [part, last, runs.sandbox.count])).toEqual([
      [1, false, 2_000],
      [2, false, 2_000],
      [3, true, 500],
    ]);
    expect(new Set(parts.map(({ fromMs, toMs }) => `${fromMs}-${toMs}`)).size).toBe(1);
  });

  test("that were abandoned halfway are restarted by another engine after a minute", async () => {
    const harness = await withRuns(1);
    const other = await harness.addEngine();
    for (const engine of [harness.engine, other]) findMany(engine, 2_500, harness.clock.now());
    let puts = 0;
    harness.engine.way.on("records.put", async (work) => {
      puts += 1;
      if (puts < 2) return await work();
      harness.engine.way.cut();
      return undefined;
    });
    other.way.cut();
    await harness.clock.advance(hourMs + inPausesMs);
    expect(puts).toBe(2);
    other.way.mend();
    await harness.clock.advance(59_000 - inPausesMs);
    const parts = async () =>
      (await other.audit.changes()).filter(({ action }) => action === "checkpoint").map(statementOf);
    expect(await parts()).toMatchObject([{ part: 1, last: false }]);
    await harness.clock.advance(1_000 + 2 * inPausesMs);
    const [abandoned, again, rest] = await parts();
    expect([again, rest]).toMatchObject([
      { part: 1, last: false, fromMs: abandoned?.fromMs },
      { part: 2, last: true, runs: { sandbox: { count: 500 } } },
    ]);
    await harness.clock.advance(hourMs / 2);
    expect(await parts()).toHaveLength(3);
  });

  test("are read in small pages, with a pause after each", async () => {
    const harness = await withRuns(1);
    findMany(harness.engine, 2_500, harness.clock.now());
    await harness.clock.advance(hourMs - 1);
    const pages = () => harness.engine.way.count("runs.heads");
    const before = pages();
    const readIn: number[] = [];
    while ((await checkpoints(harness)).at(-1)?.statement.last !== true) {
      const sofar = pages();
      await harness.clock.advance(1);
      readIn.push(pages() - sofar);
    }
    expect(pages() - before).toBeGreaterThanOrEqual(25);
    // The last page of one environment and the first of the other.
    expect(Math.max(...readIn)).toBeLessThanOrEqual(3);
    expect(readIn.length).toBeGreaterThan(2 * (pages() - before));
    expect(await counts(harness)).toEqual([2_000, 500]);
  });

  test("do not block the execution of runs", async () => {
    const harness = await withRuns(1);
    findMany(harness.engine, 2_500, harness.clock.now());
    await harness.clock.advance(hourMs + 20);
    const runId = await harness.run();
    expect((await harness.read(runId)).status).toBe("completed");
    expect(await counts(harness)).toEqual([]);
    await harness.clock.advance(inPausesMs);
    expect(await counts(harness)).toEqual([2_000, 500]);
  });

  test("that are stopped before the first entry leave nothing, and are written by the next engine", async () => {
    const harness = await withRuns(1);
    findMany(harness.engine, 1_500, harness.clock.now());
    await harness.clock.advance(hourMs + 20);
    const read = harness.engine.way.count("runs.heads");
    await harness.engine.stop();
    await harness.clock.advance(hourMs);
    expect(harness.engine.way.count("runs.heads")).toBe(read);
    expect(await counts(harness)).toEqual([]);
    expect(await harness.engine.audit.latestCheckpoint()).toBeUndefined();
    await harness.addEngine();
    await harness.clock.settle();
    expect(await checkpoints(harness)).toMatchObject([{ statement: { part: 1, last: true, fromMs: 0 } }]);
  });

  test("that are stopped between two entries leave complete entries only, and are restarted", async () => {
    const harness = await withRuns(1);
    findMany(harness.engine, 6_500, harness.clock.now());
    await harness.clock.advance(hourMs + 150);
    await harness.engine.stop();
    await harness.clock.advance(30_000);
    const left = await checkpoints(harness);
    expect(left).toMatchObject([{ statement: { part: 1, last: false, runs: { sandbox: { count: 2_000 } } } }]);
    const other = await harness.addEngine();
    findMany(other, 2_500, harness.clock.now());
    await harness.clock.advance(60_000);
    const [, again, rest] = (await checkpoints(harness)).map(({ statement }) => statement);
    expect([again, rest]).toMatchObject([
      { part: 1, last: false, fromMs: left[0]?.statement.fromMs },
      { part: 2, last: true, runs: { sandbox: { count: 500 } } },
    ]);
    const invalid = (await other.audit.verify()).problems.filter(({ kind }) => kind === "checkpoint_invalid");
    expect(invalid).toEqual([]);
  });
});

describe("changes", () => {
  test("are listed oldest first, page by page, with checkpoints among them but without their lists", async () => {
    const harness = await withRuns(1);
    await harness.clock.advance(hourMs);
    const [published, checkpoint, ...rest] = await harness.engine.audit.changes();
    expect(rest).toEqual([]);
    expect(published).toMatchObject({
      seq: 1,
      action: "procedure.published",
      by: "alice",
      via: "alice",
      subject: "p@v1",
    });
    expect(checkpoint).toMatchObject({ seq: 2, action: "checkpoint", by: "procedo" });
    expect(Object.keys(checkpoint?.details as JsonObject)).toEqual(["statement", "keyId", "signature"]);
    expect(await harness.engine.audit.changes({ limit: 1 })).toEqual([published]);
    expect(await harness.engine.audit.changes({ afterSeq: 1 })).toEqual([checkpoint]);
  });

  test("that cannot be read are not skipped", async () => {
    const harness = await withRuns(0);
    harness.engine.way.on("audit.list", async () => [{ seq: 1, hash: "h", body: "[]" }]);
    await expect(harness.engine.audit.changes()).rejects.toMatchObject({ code: "journal_corrupted" });
  });
});
