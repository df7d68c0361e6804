import { describe, expect, test } from "vitest";
import type { SignedStatement } from "@procedo/engine";
import type { AuditEntry, JournalRow } from "@procedo/storage";
import { createHarness, type Harness, type HarnessEngine } from "./harness.ts";
import { damage, type Damage } from "./damaged-storage.ts";
import { call, procedure, review } from "./documents.ts";

const hourMs = 3_600_000;
const paying = procedure([call("a", "once"), call("b", "once")]);

interface Listed {
  readonly harness: Harness;
  /** Runs of the first checkpoint. */
  readonly early: readonly string[];
  /** Runs of the second checkpoint. */
  readonly late: readonly string[];
  /** A run that has ended and is in no checkpoint yet. */
  readonly fresh: string;
  readonly open: string;
}

async function listed(): Promise<Listed> {
  const harness = await createHarness();
  await harness.publish(paying);
  const early = [await harness.run(), await harness.run(), await harness.run()];
  await harness.clock.advance(hourMs);
  const late = [await harness.run(), await harness.run()];
  await harness.clock.advance(hourMs);
  const fresh = await harness.run();
  await harness.publish(procedure([review("r")], { procedureId: "q" }));
  const open = await harness.run({}, { procedureId: "q" });
  return { harness, early, late, fresh, open };
}

/** The problems that an engine finds in storage with this damage. */
async function found({ harness }: Listed, done: Damage, kept?: SignedStatement) {
  const whole = await harness.storage.audit.list({ workspace: "default", afterSeq: 0, limit: 1_000 });
  const engine: HarnessEngine = await harness.addEngine({ started: false });
  damage(engine.way, whole, done);
  const report = await engine.audit.verify(kept === undefined ? {} : { kept });
  return report.problems.map(({ message: _message, ...problem }) => problem);
}

const cut = (rows: readonly JournalRow[]): readonly JournalRow[] => rows.slice(0, -1);
const inSandbox = { environment: "sandbox" } as const;

describe("verifying a workspace", () => {
  test("finds nothing if nothing was changed, and states the extent of its reading", async () => {
    const { harness } = await listed();
    expect(await harness.engine.audit.verify()).toEqual({
      runs: 7,
      archived: 0,
      changes: 4,
      checkpoints: 2,
      coveredToMs: expect.any(Number),
      problems: [],
      moreProblems: false,
    });
  });

  test("reads everything, even more than one page", async () => {
    const harness = await createHarness();
    await harness.publish(paying);
    for (let run = 0; run < 230; run++) await harness.run();
    // The first checkpoint covers so many runs that it takes a moment, and the others follow.
    await harness.clock.advance(60 * hourMs + 1_000);
    const report = await harness.engine.audit.verify();
    expect(report).toMatchObject({ runs: 230, changes: 61, checkpoints: 60, problems: [] });
  });

  test("names deleted runs, and the checkpoints that list them", async () => {
    const given = await listed();
    const [first = "", , third = ""] = given.early;
    const [fourth = ""] = given.late;
    expect(await found(given, { deletedRuns: [first, third, fourth] })).toEqual([
      { kind: "run_deleted", ...inSandbox, runId: first, checkpoint: 2 },
      { kind: "run_deleted", ...inSandbox, runId: third, checkpoint: 2 },
      { kind: "run_deleted", ...inSandbox, runId: fourth, checkpoint: 3 },
    ]);
  });

  test("names a journal whose end was removed, listed or not, once", async () => {
    const given = await listed();
    const runId = given.early[1] ?? "";
    const rows = (await given.harness.storage.runs.journal({ scope: { workspace: "default", ...inSandbox }, runId }))
      .length;
    expect(await found(given, { journals: { [runId]: cut } })).toEqual([
      { kind: "run_cut", ...inSandbox, runId, seq: rows },
    ]);
    expect(await found(given, { journals: { [given.fresh]: cut } })).toEqual([
      { kind: "run_cut", ...inSandbox, runId: given.fresh, seq: rows },
    ]);
  });

  test("names a run that was truncated and is recorded as open", async () => {
    const given = await listed();
    const runId = given.early[1] ?? "";
    expect(await found(given, { journals: { [runId]: cut }, reopenedRuns: [runId] })).toMatchObject([
      { kind: "run_cut", runId },
    ]);
    expect(await found(given, { reopenedRuns: [runId] })).toEqual([
      { kind: "run_replaced", ...inSandbox, runId, checkpoint: 2 },
    ]);
  });

  test("names the first row that was changed, removed, inserted, or taken from another run, also of an open run", async () => {
    const given = await listed();
    const scope = { workspace: "default", ...inSandbox };
    const others = await given.harness.storage.runs.journal({ scope, runId: given.late[0] ?? "" });
    const body = (row: JournalRow): JournalRow => ({
      ...row,
      body: row.body.replace(/\d/, (digit) => (digit === "0" ? "1" : "0")),
    });
    const damages: readonly [number, (rows: readonly JournalRow[]) => readonly JournalRow[]][] = [
      [1, (rows) => rows.map(body)],
      [2, (rows) => rows.map((row) => (row.seq === 2 ? { ...row, hash: row.hash.toLowerCase() } : row))],
      [2, (rows) => rows.toSpliced(1, 1)],
      [3, (rows) => rows.toSpliced(1, 0, ...rows.slice(1, 2)).map((row, index) => ({ ...row, seq: index + 1 }))],
      [2, (rows) => rows.toSpliced(1, 1, ...others.slice(1, 2))],
      [1, () => []],
    ];
    for (const [seq, journal] of damages) {
      expect(await found(given, { journals: { [given.fresh]: journal } })).toEqual([
        { kind: "run_broken", ...inSandbox, runId: given.fresh, seq },
      ]);
    }
    expect(await found(given, { journals: { [given.open]: (rows) => rows.map(body) } })).toEqual([
      { kind: "run_broken", ...inSandbox, runId: given.open, seq: 1 },
    ]);
  });

  test("names a consistent journal that differs from the one in a checkpoint", async () => {
    const given = await listed();
    const runId = given.early[0] ?? "";
    const problems = await found(given, {
      journals: { [runId]: (rows) => rows.map((row) => (row.seq === rows.length ? { ...row, hash: "other" } : row)) },
    });
    expect(problems).toEqual([
      { kind: "run_replaced", ...inSandbox, runId, checkpoint: 2 },
      { kind: "run_broken", ...inSandbox, runId, seq: expect.any(Number) },
    ]);
  });
});

describe("verifying the workspace's chain", () => {
  const changed = (seq: number, change: (body: string) => string) => (entries: readonly AuditEntry[]) =>
    entries.map((entry) => (entry.seq === seq ? { ...entry, body: change(entry.body) } : entry));

  test("names every entry that breaks the chain", async () => {
    const given = await listed();
    expect(await found(given, { chain: changed(1, (body) => body.replace("alice", "mallory")) })).toEqual([
      { kind: "changes_broken", seq: 1 },
    ]);
    expect(await found(given, { chain: (entries) => entries.toSpliced(1, 1) })).toEqual([
      { kind: "changes_broken", seq: 2 },
      { kind: "checkpoint_invalid", seq: 3 },
    ]);
  });

  test("trusts no checkpoint with another list, signature or place", async () => {
    const given = await listed();
    const runId = given.early[0] ?? "";
    const bodies: readonly ((body: string) => string)[] = [
      (body) => body.replace(runId, "run_x"),
      (body) => body.replace('"keyId":"', '"keyId":"A'),
      (body) => body.replace('"signature":"', '"signature":"A'),
      (body) => body.replace('"heads"', '"tails"'),
    ];
    for (const change of bodies) {
      expect(await found(given, { chain: changed(2, change) })).toEqual([
        { kind: "changes_broken", seq: 2 },
        { kind: "checkpoint_invalid", seq: 2 },
        // No valid checkpoint covers the runs of the previous one.
        { kind: "checkpoint_invalid", seq: 3 },
      ]);
    }
    const another = (entries: readonly AuditEntry[]) => entries.with(1, { ...(entries[2] as AuditEntry), seq: 2 });
    expect(await found(given, { chain: another })).toContainEqual({ kind: "checkpoint_invalid", seq: 2 });
  });

  test("a deleted run is reported even if the chain was broken to hide another checkpoint", async () => {
    const given = await listed();
    const [runId = ""] = given.late;
    const problems = await found(given, { deletedRuns: [runId], chain: (entries) => entries.toSpliced(1, 1) });
    expect(problems).toContainEqual({ kind: "run_deleted", ...inSandbox, runId, checkpoint: 3 });
  });

  test("reports a removal of the newest entries if a checkpoint was kept elsewhere", async () => {
    const given = await listed();
    const kept = await given.harness.engine.audit.latestCheckpoint();
    if (kept === undefined) throw new Error("There is no checkpoint.");
    const deletedRuns = [...given.late];
    const chain = (entries: readonly AuditEntry[]) => entries.slice(0, 2);
    expect(await found(given, { deletedRuns, chain })).toEqual([]);
    expect(await found(given, { deletedRuns, chain }, kept)).toEqual([{ kind: "changes_cut", seq: 3 }]);
    expect(await found(given, {}, kept)).toEqual([]);
    expect(await found(given, {}, { ...kept, statement: kept.statement.replace("default", "other") })).toMatchObject([
      { kind: "changes_cut" },
    ]);
  });

  test("stops at its signal", async () => {
    const { harness } = await listed();
    await expect(harness.engine.audit.verify({ signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: "AbortError",
    });
  });
});
