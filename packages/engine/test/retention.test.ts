import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { verifyExport, type AuditExport, type RunArchive } from "@procedo/engine";
import { alice, bob, createHarness, holdDeliveries, type Harness, type HarnessEngine } from "./harness.ts";
import { damage, type Damage } from "./damaged-storage.ts";
import { call, procedure, review } from "./documents.ts";
import { createWebhookHarness } from "./webhook-harness.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const paying = procedure([call("a", "once")], { output: { paid: true } });
const environment = "sandbox";
const scope = { workspace: "default", environment } as const;

/** An archive in memory, which counts as durable. */
function folder(): RunArchive & { readonly files: Map<string, string> } {
  const files = new Map<string, string>();
  return {
    files,
    write: async (name, lines) => {
      let text = "";
      for await (const line of lines) text += line;
      files.set(name, text);
    },
  };
}

const exportsIn = (files: ReadonlyMap<string, string>): readonly AuditExport[] =>
  [...files.values()].flatMap((text) =>
    text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as AuditExport),
  );

const archive = (engine: HarnessEngine, to: RunArchive, olderThanMs = dayMs) =>
  engine.retention.archive({ olderThanMs, to, by: alice, pauseMs: 0 });

async function withRuns(
  count: number,
  options?: Parameters<typeof createHarness>[0],
): Promise<Harness & { ids: string[] }> {
  const harness = await createHarness(options);
  await harness.publish(paying, { defaultIn: ["sandbox", "live"] });
  const ids: string[] = [];
  for (let run = 0; run < count; run++) ids.push(await harness.run({}, { idempotencyKey: `key-${run}` }));
  return { ...harness, ids };
}

describe("archiving", () => {
  test("moves old runs into files in which every line verifies with only the public key", async () => {
    const harness = await withRuns(3);
    await harness.run({}, { environment: "live" });
    await harness.clock.advance(dayMs);
    const young = await harness.run();
    const to = folder();
    const report = await archive(harness.engine, to);
    expect(report).toEqual({ runs: 4, files: [...to.files.keys()], removed: 0, kept: [] });
    expect(report.files).toEqual([
      expect.stringMatching(/^2026-01-02-sandbox-arc_\w{26}\.jsonl$/),
      expect.stringMatching(/^2026-01-02-live-arc_\w{26}\.jsonl$/),
    ]);
    const verdicts = exportsIn(to.files).map((one) => verifyExport(one, harness.engine.audit.publicKey()));
    expect(verdicts.map(({ valid }) => valid)).toEqual([true, true, true, true]);
    expect(verdicts.slice(0, 3)).toMatchObject(harness.ids.map((runId) => ({ runId, environment })));
    expect(await harness.storage.runs.journal({ scope, runId: young })).not.toEqual([]);
  });

  test("keeps status, times and output; the archived parts name their location", async () => {
    const harness = await withRuns(1);
    const [runId = ""] = harness.ids;
    const { steps: _steps, ...before } = await harness.read(runId);
    const list = await harness.engine.runs.list({ environment, limit: 9 });
    await harness.clock.advance(dayMs);
    await archive(harness.engine, folder());

    expect(await harness.read(runId)).toEqual({ ...before, steps: [], archived: true });
    expect(before).toMatchObject({ status: "completed", output: { paid: true }, archived: false });
    expect(await harness.engine.runs.list({ environment, limit: 9 })).toEqual(list);
    const rest = { runId, status: "completed", output: { paid: true } };
    expect(await harness.engine.runs.wait({ environment, runId })).toMatchObject(rest);
    const refused = { code: "run_archived", status: 410 };
    await expect(harness.engine.runs.journal({ environment, runId })).rejects.toMatchObject(refused);
    await expect(harness.engine.audit.exportRun({ environment, runId })).rejects.toMatchObject(refused);
    const cancelling = harness.engine.runs.cancel({ environment, runId, by: alice });
    await expect(cancelling).rejects.toMatchObject({ code: "already_ended" });
  });

  test("keeps the keys of starts: the key of an archived run returns that run", async () => {
    const harness = await withRuns(1);
    await harness.clock.advance(dayMs);
    await archive(harness.engine, folder());
    const again = { procedureId: "p", environment, data: {}, idempotencyKey: "key-0", by: alice } as const;
    expect(await harness.engine.runs.execute(again)).toMatchObject({ runId: harness.ids[0], output: { paid: true } });
    harness.clock.leap(30 * dayMs);
    expect(await archive(harness.engine, folder())).toMatchObject({ runs: 0, removed: 1 });
  });

  test("keeps the amounts of archived runs in a day's sum until two days after the last of it", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([review("r")]));
    const runId = await harness.run();
    const budget = "sum/p/a/total/day/2026-01-02";
    const amounts = [{ budget, amount: 70, atMost: 100 }];
    await harness.storage.budgets.reserve({ scope, runId, key: "call:1", amounts });
    await harness.decide(runId, { by: bob });
    expect(await archive(harness.engine, folder(), 0)).toMatchObject({ runs: 1, removed: 0 });
    await harness.clock.advance(2 * dayMs);
    expect(await archive(harness.engine, folder(), 0)).toMatchObject({ removed: 0 });
    expect(await harness.storage.budgets.taken(scope, [budget])).toEqual([70]);
    await harness.clock.advance(1);
    expect(await archive(harness.engine, folder(), 3 * dayMs)).toMatchObject({ removed: 0 });
    expect(await archive(harness.engine, folder(), 0)).toMatchObject({ runs: 0, removed: 1 });
    expect(await harness.storage.budgets.taken(scope, [budget])).toEqual([0]);
  });

  test("keeps the reason of a failed run", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([review("r", { expiresAfter: "PT1H" })]));
    const runId = await harness.run();
    await harness.engine.runs.cancel({ environment, runId, by: alice, reason: "Not needed." });
    await harness.clock.advance(dayMs);
    const before = await harness.read(runId);
    expect(await archive(harness.engine, folder())).toMatchObject({ runs: 1 });
    expect(await harness.read(runId)).toEqual({ ...before, steps: [], archived: true });
    expect(before).toMatchObject({ status: "failed", error: "Cancelled by alice: Not needed." });
    expect(await harness.engine.reviews.ofRun({ environment, runId })).toEqual([]);
    await expect(harness.decide(runId, { by: bob })).rejects.toMatchObject({ code: "review_not_found" });
  });

  test("never archives a run that is open, young, or has a pending delivery", async () => {
    const harness = await createWebhookHarness();
    await harness.publish(procedure([review("r")], { procedureId: "q" }));
    const open = await harness.run({}, { procedureId: "q" });
    await harness.subscribe("https://93.184.216.34/hook");
    holdDeliveries(harness.engine);
    await harness.publish(procedure([call("a", "once")], { procedureId: "w" }));
    const waiting = await harness.run({}, { procedureId: "w" });
    await harness.clock.advance(dayMs);
    const young = await harness.run({}, { procedureId: "w" });
    expect(await archive(harness.engine, folder())).toMatchObject({ runs: 0, files: [], kept: [] });
    expect(await harness.read(open)).toMatchObject({ status: "awaiting_review" });
    for (const runId of [waiting, young]) expect(await harness.read(runId)).toMatchObject({ archived: false });
  });

  test("deletes nothing before it is durable in the archive, and writes again anything that was not deleted", async () => {
    const harness = await withRuns(2);
    await harness.clock.advance(dayMs);
    const broken: RunArchive = {
      write: async (_name, lines) => {
        for await (const _line of lines) throw new Error("The disk is full.");
      },
    };
    await expect(archive(harness.engine, broken)).rejects.toThrow("The disk is full.");
    const careless: RunArchive = { write: async () => {} };
    await expect(archive(harness.engine, careless)).rejects.toMatchObject({ code: "internal" });
    for (const runId of harness.ids) expect(await harness.read(runId)).toMatchObject({ archived: false });

    // The process ends between the file and the deletion.
    const to = folder();
    harness.engine.way.on("retention.archive", async () => {
      throw new Error("killed");
    });
    await expect(archive(harness.engine, to)).rejects.toThrow("killed");
    for (const runId of harness.ids) expect(await harness.read(runId)).toMatchObject({ archived: false });
    const next = await harness.addEngine({ started: false });
    expect(await archive(next, to)).toMatchObject({ runs: 2 });
    expect(exportsIn(to.files)).toHaveLength(4);
    expect((await harness.engine.audit.verify()).problems).toEqual([]);
  });

  test("twice at the same time archives each run once", async () => {
    const harness = await withRuns(120);
    await harness.clock.advance(dayMs);
    const other = await harness.addEngine({ started: false });
    const to = folder();
    const reports = await Promise.all([archive(harness.engine, to), archive(other, to)]);
    expect(reports[0].runs + reports[1].runs).toBe(120);
    expect(await harness.engine.audit.verify()).toMatchObject({ archived: 120, runs: 0, problems: [] });
  });

  test("keeps and reports a run with an untrusted journal", async () => {
    const harness = await withRuns(3);
    await harness.clock.advance(dayMs);
    const [, runId = ""] = harness.ids;
    damage(harness.engine.way, [], { journals: { [runId]: (rows) => rows.map((row) => ({ ...row, body: "{}" })) } });
    const report = await archive(harness.engine, folder());
    expect(report).toMatchObject({ runs: 2, kept: [{ environment, runId, message: expect.stringContaining(runId) }] });
    expect(await harness.storage.runs.journal({ scope, runId })).not.toEqual([]);
  });

  test("removes ended sessions, and failed sign-ins a day after the last one", async () => {
    const { engine, storage, clock } = await createHarness();
    const { sessions } = storage;
    const person = { workspace: "default", personId: "per-1" };
    const seen = { createdAtMs: clock.now(), seenAtMs: clock.now() };
    for (const [sessionId, endsInMs] of [
      ["short", hourMs],
      ["long", 2 * dayMs],
    ] as const) {
      const endsAtMs = clock.now() + endsInMs;
      await sessions.create({ ...person, ...seen, sessionId, digest: sessionId, idleEndsAtMs: endsAtMs, endsAtMs });
    }
    await sessions.noteFailure({ key: "old", atMs: clock.now() });
    await clock.advance(dayMs + 1);
    await sessions.noteFailure({ key: "new", atMs: clock.now() });
    expect((await archive(engine, folder())).removed).toBe(2);
    expect((await archive(engine, folder())).removed).toBe(0);
    expect(await sessions.list(person)).toMatchObject([{ sessionId: "long" }]);
    expect([await sessions.failures({ key: "old" }), await sessions.failures({ key: "new" })]).toMatchObject([
      undefined,
      { count: 1 },
    ]);
  });

  test("requires permission to manage both environments, and a valid time", async () => {
    const { engine } = await createHarness();
    const to = folder();
    const attempt = (changes: object) =>
      engine.retention.archive({ olderThanMs: dayMs, to, by: alice, pauseMs: 0, ...changes });
    await expect(attempt({ by: { ...bob, permissions: ["run"] } })).rejects.toMatchObject({
      code: "permission_denied",
    });
    const live = { ...bob, environment: "live" };
    await expect(attempt({ by: live })).rejects.toMatchObject({ code: "environment_mismatch" });
    for (const olderThanMs of [-1, 0.5, Number.NaN, Infinity]) {
      await expect(attempt({ olderThanMs })).rejects.toMatchObject({ code: "invalid_input" });
    }
    await expect(attempt({ pauseMs: 60_001 })).rejects.toMatchObject({ code: "invalid_input" });
  });

  test("ends at its signal after the current transaction, and continues the next time", async () => {
    const harness = await withRuns(120);
    await harness.clock.advance(dayMs);
    const stop = new AbortController();
    harness.engine.way.on("retention.archive", async (work) => {
      stop.abort();
      return await work();
    });
    const request = { olderThanMs: dayMs, to: folder(), by: alice, pauseMs: 0, signal: stop.signal };
    await expect(harness.engine.retention.archive(request)).rejects.toMatchObject({ name: "AbortError" });
    expect(await harness.engine.audit.verify()).toMatchObject({ archived: 50, runs: 70, problems: [] });
    const next = await harness.addEngine({ started: false });
    expect(await archive(next, folder())).toMatchObject({ runs: 70 });
  });
});

describe("verifying a workspace with archived runs", () => {
  async function archived() {
    const harness = await withRuns(5);
    await harness.clock.advance(2 * hourMs);
    await harness.clock.advance(dayMs);
    const to = folder();
    await archive(harness.engine, to);
    return { ...harness, to };
  }

  async function found(harness: Harness, done: Damage, more: (engine: HarnessEngine) => void = () => {}) {
    const whole = await harness.storage.audit.list({ workspace: "default", afterSeq: 0, limit: 1_000 });
    const engine = await harness.addEngine({ started: false });
    damage(engine.way, whole, done);
    more(engine);
    const { problems } = await engine.audit.verify();
    return problems.map(({ message: _message, ...problem }) => problem);
  }

  test("distinguishes archived runs from missing ones: checkpoints that list them verify", async () => {
    const harness = await archived();
    expect(await harness.engine.audit.verify()).toMatchObject({ archived: 5, runs: 0, problems: [] });
    const fresh = await harness.run();
    await harness.clock.advance(2 * hourMs);
    const late = await harness.engine.audit.verify();
    expect(late).toMatchObject({ archived: 5, runs: 1, problems: [] });
    expect(await found(harness, { deletedRuns: [fresh] })).toMatchObject([{ kind: "run_deleted", runId: fresh }]);
  });

  test("finds each file and its digest in the chain", async () => {
    const harness = await archived();
    const changes = await harness.engine.audit.changes({ limit: 1_000 });
    const [reported] = changes.filter(({ action }) => action === "runs.archived");
    const [[name, text] = ["", ""]] = [...harness.to.files];
    expect(reported).toMatchObject({ by: "alice", subject: name });
    expect(reported?.details).toMatchObject({ file: name, environment, runs: 5, fileDigest: hash("sha256", text) });
  });

  test("finds a stub that was removed, changed, or inserted for a deleted run", async () => {
    const harness = await archived();
    const [first = ""] = harness.ids;
    const [seq] = (await harness.engine.audit.changes({ limit: 1_000 }))
      .filter(({ action }) => action === "runs.archived")
      .map((change) => change.seq);
    const stubs =
      (change: (items: readonly { readonly runId: string }[]) => readonly object[]) => (engine: HarnessEngine) =>
        engine.way.on("retention.stubs", async (work) => {
          const page = (await work()) as { readonly items: readonly { readonly runId: string }[] };
          return { ...page, items: change(page.items) };
        });
    const gone = stubs((items) => items.slice(1));
    expect(await found(harness, {}, gone)).toEqual([{ kind: "archived_changed", seq }]);
    const otherHead = stubs((items) => items.map((one) => (one.runId === first ? { ...one, hash: "x" } : one)));
    expect(await found(harness, {}, otherHead)).toEqual([{ kind: "archived_changed", seq }]);
    const forged = stubs((items) => items.map((one) => (one.runId === first ? { ...one, auditSeq: 1 } : one)));
    expect(await found(harness, {}, forged)).toEqual([
      { kind: "run_deleted", environment, runId: first },
      { kind: "archived_changed", seq },
    ]);
  });

  test("accepts runs that are archived meanwhile, but none that the chain does not list afterwards", async () => {
    const harness = await archived();
    const fresh = await harness.run();
    const gone = await harness.run();
    await harness.clock.advance(dayMs);
    const other = await harness.addEngine({ started: false });
    let archiving = true;
    const meanwhile = (changed: (seq: number) => number) => (engine: HarnessEngine) =>
      engine.way.on("retention.stubs", async (work) => {
        if (archiving) await archive(other, folder());
        archiving = false;
        const page = (await work()) as { readonly items: readonly { readonly runId: string; auditSeq: number }[] };
        const items = page.items.map((one) => (one.runId === gone ? { ...one, auditSeq: changed(one.auditSeq) } : one));
        return { ...page, items };
      });
    expect(
      await found(
        harness,
        {},
        meanwhile((seq) => seq),
      ),
    ).toEqual([]);
    expect(await harness.read(fresh)).toMatchObject({ archived: true });

    archiving = true;
    expect(
      await found(
        harness,
        {},
        meanwhile((seq) => seq + 1_000),
      ),
    ).toMatchObject([{ kind: "run_deleted", runId: gone }, { kind: "archived_changed" }]);
  });

  test("finds a stub whose run had ended differently when a checkpoint listed it", async () => {
    const harness = await archived();
    const [first = ""] = harness.ids;
    const heads = (engine: HarnessEngine) =>
      engine.way.on("runs.heads", async (work) => {
        const page = (await work()) as { readonly items: readonly { readonly runId: string }[] };
        return { ...page, items: page.items.map((one) => (one.runId === first ? { ...one, seq: 1 } : one)) };
      });
    expect(await found(harness, {}, heads)).toMatchObject([{ kind: "run_replaced", runId: first }]);
  });
});
