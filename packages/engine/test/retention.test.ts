import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { verifyExport, type AuditExport, type RunArchive } from "@procedo/engine";
import { alice, bob, createBench, holdDeliveries, type Bench, type BenchEngine } from "./bench.ts";
import { damage, type Damage } from "./damaged-storage.ts";
import { call, procedure, review } from "./documents.ts";
import { createWebhookBench } from "./webhook-bench.ts";

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const paying = procedure([call("a", "once")], { output: { paid: true } });
const environment = "sandbox";
const scope = { workspace: "default", environment } as const;

/** An archive in memory: what is in it is durable. */
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

const archive = (engine: BenchEngine, to: RunArchive, olderThanMs = dayMs) =>
  engine.retention.archive({ olderThanMs, to, by: alice, pauseMs: 0 });

async function withRuns(
  count: number,
  options?: Parameters<typeof createBench>[0],
): Promise<Bench & { ids: string[] }> {
  const bench = await createBench(options);
  await bench.publish(paying, { defaultIn: ["sandbox", "live"] });
  const ids: string[] = [];
  for (let run = 0; run < count; run++) ids.push(await bench.run({}, { idempotencyKey: `key-${run}` }));
  return { ...bench, ids };
}

describe("archiving", () => {
  test("moves old runs into files whose every line verifies with nothing but the public key", async () => {
    const bench = await withRuns(3);
    await bench.run({}, { environment: "live" });
    await bench.clock.advance(dayMs);
    const young = await bench.run();
    const to = folder();
    const report = await archive(bench.engine, to);
    expect(report).toEqual({ runs: 4, files: [...to.files.keys()], removed: 0, kept: [] });
    expect(report.files).toEqual([
      expect.stringMatching(/^2026-01-02-sandbox-arc_\w{26}\.jsonl$/),
      expect.stringMatching(/^2026-01-02-live-arc_\w{26}\.jsonl$/),
    ]);
    const verdicts = exportsIn(to.files).map((one) => verifyExport(one, bench.engine.audit.publicKey()));
    expect(verdicts.map(({ valid }) => valid)).toEqual([true, true, true, true]);
    expect(verdicts.slice(0, 3)).toMatchObject(bench.ids.map((runId) => ({ runId, environment })));
    expect(await bench.storage.runs.journal({ scope, runId: young })).not.toEqual([]);
  });

  test("leaves status, times and output as they were; what is gone says where it is", async () => {
    const bench = await withRuns(1);
    const [runId = ""] = bench.ids;
    const { steps: _steps, ...before } = await bench.read(runId);
    const list = await bench.engine.runs.list({ environment, limit: 9 });
    await bench.clock.advance(dayMs);
    await archive(bench.engine, folder());

    expect(await bench.read(runId)).toEqual({ ...before, steps: [], archived: true });
    expect(before).toMatchObject({ status: "completed", output: { paid: true }, archived: false });
    expect(await bench.engine.runs.list({ environment, limit: 9 })).toEqual(list);
    const rest = { runId, status: "completed", output: { paid: true } };
    expect(await bench.engine.runs.wait({ environment, runId })).toMatchObject(rest);
    const refused = { code: "run_archived", status: 410 };
    await expect(bench.engine.runs.journal({ environment, runId })).rejects.toMatchObject(refused);
    await expect(bench.engine.audit.exportRun({ environment, runId })).rejects.toMatchObject(refused);
    const cancelling = bench.engine.runs.cancel({ environment, runId, by: alice });
    await expect(cancelling).rejects.toMatchObject({ code: "already_ended" });
  });

  test("a key that started an archived run answers with that run", async () => {
    const bench = await withRuns(1);
    await bench.clock.advance(dayMs);
    await archive(bench.engine, folder());
    const again = { procedureId: "p", environment, data: {}, idempotencyKey: "key-0", by: alice } as const;
    expect(await bench.engine.runs.execute(again)).toMatchObject({ runId: bench.ids[0], output: { paid: true } });
    bench.clock.leap(30 * dayMs);
    expect(await archive(bench.engine, folder())).toMatchObject({ runs: 0, removed: 1 });
  });

  test("what archived runs took of a day's sum stays taken until two days after the last of it", async () => {
    const bench = await createBench();
    await bench.publish(procedure([review("r")]));
    const runId = await bench.run();
    const budget = "sum/p/a/total/day/2026-01-02";
    const amounts = [{ budget, amount: 70, atMost: 100 }];
    await bench.storage.budgets.reserve({ scope, runId, key: "call:1", amounts });
    await bench.decide(runId, { by: bob });
    expect(await archive(bench.engine, folder(), 0)).toMatchObject({ runs: 1, removed: 0 });
    await bench.clock.advance(2 * dayMs);
    expect(await archive(bench.engine, folder(), 0)).toMatchObject({ removed: 0 });
    expect(await bench.storage.budgets.taken(scope, [budget])).toEqual([70]);
    await bench.clock.advance(1);
    expect(await archive(bench.engine, folder(), 3 * dayMs)).toMatchObject({ removed: 0 });
    expect(await archive(bench.engine, folder(), 0)).toMatchObject({ runs: 0, removed: 1 });
    expect(await bench.storage.budgets.taken(scope, [budget])).toEqual([0]);
  });

  test("a failed run keeps why it failed", async () => {
    const bench = await createBench();
    await bench.publish(procedure([review("r", { expiresAfter: "PT1H" })]));
    const runId = await bench.run();
    await bench.engine.runs.cancel({ environment, runId, by: alice, reason: "Not needed." });
    await bench.clock.advance(dayMs);
    const before = await bench.read(runId);
    expect(await archive(bench.engine, folder())).toMatchObject({ runs: 1 });
    expect(await bench.read(runId)).toEqual({ ...before, steps: [], archived: true });
    expect(before).toMatchObject({ status: "failed", error: "Cancelled by alice: Not needed." });
    expect(await bench.engine.reviews.ofRun({ environment, runId })).toEqual([]);
    await expect(bench.decide(runId, { by: bob })).rejects.toMatchObject({ code: "review_not_found" });
  });

  test("never takes a run that is open, young, or has a delivery to send", async () => {
    const bench = await createWebhookBench();
    await bench.publish(procedure([review("r")], { procedureId: "q" }));
    const open = await bench.run({}, { procedureId: "q" });
    await bench.subscribe("https://93.184.216.34/hook");
    holdDeliveries(bench.engine);
    await bench.publish(procedure([call("a", "once")], { procedureId: "w" }));
    const waiting = await bench.run({}, { procedureId: "w" });
    await bench.clock.advance(dayMs);
    const young = await bench.run({}, { procedureId: "w" });
    expect(await archive(bench.engine, folder())).toMatchObject({ runs: 0, files: [], kept: [] });
    expect(await bench.read(open)).toMatchObject({ status: "awaiting_review" });
    for (const runId of [waiting, young]) expect(await bench.read(runId)).toMatchObject({ archived: false });
  });

  test("nothing is deleted before it is durable in the archive, and what was not deleted is written again", async () => {
    const bench = await withRuns(2);
    await bench.clock.advance(dayMs);
    const broken: RunArchive = {
      write: async (_name, lines) => {
        for await (const _line of lines) throw new Error("The disk is full.");
      },
    };
    await expect(archive(bench.engine, broken)).rejects.toThrow("The disk is full.");
    const careless: RunArchive = { write: async () => {} };
    await expect(archive(bench.engine, careless)).rejects.toMatchObject({ code: "internal" });
    for (const runId of bench.ids) expect(await bench.read(runId)).toMatchObject({ archived: false });

    // The process ends between the file and the deletion.
    const to = folder();
    bench.engine.way.on("retention.archive", async () => {
      throw new Error("killed");
    });
    await expect(archive(bench.engine, to)).rejects.toThrow("killed");
    for (const runId of bench.ids) expect(await bench.read(runId)).toMatchObject({ archived: false });
    const next = await bench.addEngine({ started: false });
    expect(await archive(next, to)).toMatchObject({ runs: 2 });
    expect(exportsIn(to.files)).toHaveLength(4);
    expect((await bench.engine.audit.verify()).problems).toEqual([]);
  });

  test("two who archive at the same time archive each run once", async () => {
    const bench = await withRuns(120);
    await bench.clock.advance(dayMs);
    const other = await bench.addEngine({ started: false });
    const to = folder();
    const reports = await Promise.all([archive(bench.engine, to), archive(other, to)]);
    expect(reports[0].runs + reports[1].runs).toBe(120);
    expect(await bench.engine.audit.verify()).toMatchObject({ archived: 120, runs: 0, problems: [] });
  });

  test("a run whose journal cannot be trusted stays, and is told of", async () => {
    const bench = await withRuns(3);
    await bench.clock.advance(dayMs);
    const [, runId = ""] = bench.ids;
    damage(bench.engine.way, [], { journals: { [runId]: (rows) => rows.map((row) => ({ ...row, body: "{}" })) } });
    const report = await archive(bench.engine, folder());
    expect(report).toMatchObject({ runs: 2, kept: [{ environment, runId, message: expect.stringContaining(runId) }] });
    expect(await bench.storage.runs.journal({ scope, runId })).not.toEqual([]);
  });

  test("is for those who may manage both environments, and for times that exist", async () => {
    const { engine } = await createBench();
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

  test("ends with its signal after the transaction that is under way, and goes on the next time", async () => {
    const bench = await withRuns(120);
    await bench.clock.advance(dayMs);
    const stop = new AbortController();
    bench.engine.way.on("retention.archive", async (work) => {
      stop.abort();
      return await work();
    });
    const request = { olderThanMs: dayMs, to: folder(), by: alice, pauseMs: 0, signal: stop.signal };
    await expect(bench.engine.retention.archive(request)).rejects.toMatchObject({ name: "AbortError" });
    expect(await bench.engine.audit.verify()).toMatchObject({ archived: 50, runs: 70, problems: [] });
    const next = await bench.addEngine({ started: false });
    expect(await archive(next, folder())).toMatchObject({ runs: 70 });
  });
});

describe("verifying a workspace with archived runs", () => {
  async function archived() {
    const bench = await withRuns(5);
    await bench.clock.advance(2 * hourMs);
    await bench.clock.advance(dayMs);
    const to = folder();
    await archive(bench.engine, to);
    return { ...bench, to };
  }

  async function found(bench: Bench, done: Damage, more: (engine: BenchEngine) => void = () => {}) {
    const whole = await bench.storage.audit.list({ workspace: "default", afterSeq: 0, limit: 1_000 });
    const engine = await bench.addEngine({ started: false });
    damage(engine.way, whole, done);
    more(engine);
    const { problems } = await engine.audit.verify();
    return problems.map(({ message: _message, ...problem }) => problem);
  }

  test("tells archived runs from missing ones: checkpoints that list them hold", async () => {
    const bench = await archived();
    expect(await bench.engine.audit.verify()).toMatchObject({ archived: 5, runs: 0, problems: [] });
    const fresh = await bench.run();
    await bench.clock.advance(2 * hourMs);
    const late = await bench.engine.audit.verify();
    expect(late).toMatchObject({ archived: 5, runs: 1, problems: [] });
    expect(await found(bench, { deletedRuns: [fresh] })).toMatchObject([{ kind: "run_deleted", runId: fresh }]);
  });

  test("the chain names each file and its digest", async () => {
    const bench = await archived();
    const changes = await bench.engine.audit.changes({ limit: 1_000 });
    const [told] = changes.filter(({ action }) => action === "runs.archived");
    const [[name, text] = ["", ""]] = [...bench.to.files];
    expect(told).toMatchObject({ by: "alice", subject: name });
    expect(told?.details).toMatchObject({ file: name, environment, runs: 5, fileDigest: hash("sha256", text) });
  });

  test("finds a stub that was removed, changed, or put there for a run that was deleted", async () => {
    const bench = await archived();
    const [first = ""] = bench.ids;
    const [seq] = (await bench.engine.audit.changes({ limit: 1_000 }))
      .filter(({ action }) => action === "runs.archived")
      .map((change) => change.seq);
    const stubs =
      (change: (items: readonly { readonly runId: string }[]) => readonly object[]) => (engine: BenchEngine) =>
        engine.way.on("retention.stubs", async (work) => {
          const page = (await work()) as { readonly items: readonly { readonly runId: string }[] };
          return { ...page, items: change(page.items) };
        });
    const gone = stubs((items) => items.slice(1));
    expect(await found(bench, {}, gone)).toEqual([{ kind: "archived_changed", seq }]);
    const otherHead = stubs((items) => items.map((one) => (one.runId === first ? { ...one, hash: "x" } : one)));
    expect(await found(bench, {}, otherHead)).toEqual([{ kind: "archived_changed", seq }]);
    const forged = stubs((items) => items.map((one) => (one.runId === first ? { ...one, auditSeq: 1 } : one)));
    expect(await found(bench, {}, forged)).toEqual([
      { kind: "run_deleted", environment, runId: first },
      { kind: "archived_changed", seq },
    ]);
  });

  test("takes runs for archived that somebody archives meanwhile, and none of which the chain says nothing then", async () => {
    const bench = await archived();
    const fresh = await bench.run();
    const gone = await bench.run();
    await bench.clock.advance(dayMs);
    const other = await bench.addEngine({ started: false });
    let archiving = true;
    const meanwhile = (changed: (seq: number) => number) => (engine: BenchEngine) =>
      engine.way.on("retention.stubs", async (work) => {
        if (archiving) await archive(other, folder());
        archiving = false;
        const page = (await work()) as { readonly items: readonly { readonly runId: string; auditSeq: number }[] };
        const items = page.items.map((one) => (one.runId === gone ? { ...one, auditSeq: changed(one.auditSeq) } : one));
        return { ...page, items };
      });
    expect(
      await found(
        bench,
        {},
        meanwhile((seq) => seq),
      ),
    ).toEqual([]);
    expect(await bench.read(fresh)).toMatchObject({ archived: true });

    archiving = true;
    expect(
      await found(
        bench,
        {},
        meanwhile((seq) => seq + 1_000),
      ),
    ).toMatchObject([{ kind: "run_deleted", runId: gone }, { kind: "archived_changed" }]);
  });

  test("finds a stub whose run had ended elsewhere when a checkpoint listed it", async () => {
    const bench = await archived();
    const [first = ""] = bench.ids;
    const heads = (engine: BenchEngine) =>
      engine.way.on("runs.heads", async (work) => {
        const page = (await work()) as { readonly items: readonly { readonly runId: string }[] };
        return { ...page, items: page.items.map((one) => (one.runId === first ? { ...one, seq: 1 } : one)) };
      });
    expect(await found(bench, {}, heads)).toMatchObject([{ kind: "run_replaced", runId: first }]);
  });
});
