import { ProcedoError } from "@procedo/contract";
import type { RunCommit } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { createBench, type Bench, type BenchEngine } from "./bench.ts";
import { call, procedure, review } from "./documents.ts";
import { answers, fails } from "./scripted-bank.ts";

const refusal = new ProcedoError("internal", "The database rejected a statement (SQLSTATE 23514, journal_check).");
const payment = procedure([call("pay", "once", { arguments: { to: "acme" } }), review("r")], {
  output: { id: "{{ nodes.pay.output.id }}" },
});
const sandbox = { environment: "sandbox" } as const;

/** Storage refuses every row that says this, as a check that an administrator has added does. */
function refuseRows({ way }: BenchEngine, said: string): void {
  way.on("runs.commit", async (work, request) => {
    if (!(request as RunCommit).body.includes(said)) return await work();
    return { status: "refused", error: refusal };
  });
}

/** The nodes about which people are asked now; an unknown outcome is asked about at the call's node. */
async function askedAt(bench: Bench, runId: string): Promise<readonly string[]> {
  const open = (await bench.reviews(runId)).filter(({ status }) => status === "open");
  return open.map(({ nodeId }) => nodeId);
}

/** The engine is stopped, and another one without the fault goes on. */
async function restarted(bench: Bench): Promise<BenchEngine> {
  await bench.engine.stop();
  const heir = await bench.addEngine();
  await bench.clock.advance(1_000);
  return heir;
}

describe("a row that storage refuses after a run's first one", () => {
  test("sets the run aside with the reason, and the answer of its call is there after a restart", async () => {
    const bench = await createBench();
    bench.bank.plan("once", answers({ id: "pay_1" }));
    refuseRows(bench.engine, "pay_1");
    const runId = await bench.runOf(payment);
    await bench.clock.advance(60_000);
    const error = `Storage refused row 2 of the run: ${refusal.message}`;
    expect(bench.engine.runs.quarantinedRuns()).toEqual([{ runId, error, atMs: expect.any(Number) as number }]);
    expect(bench.engine.logged).toContain("error: A run was quarantined.");
    expect(bench.bank.calls).toHaveLength(1);

    const heir = await restarted(bench);
    expect(heir.runs.quarantinedRuns()).toEqual([]);
    expect(await askedAt(bench, runId)).toEqual(["r"]);
    await bench.decide(runId);
    expect((await heir.runs.get({ ...sandbox, runId })).output).toEqual({ id: "pay_1" });
    expect(bench.bank.calls).toHaveLength(1);
  });

  test("is quarantined again, and calls nothing, while the fault is still there", async () => {
    const bench = await createBench();
    bench.bank.plan("once", answers({ id: "pay_1" }));
    refuseRows(bench.engine, "pay_1");
    const runId = await bench.runOf(payment);
    await bench.engine.stop();
    const heir = await bench.addEngine({ started: false });
    refuseRows(heir, "pay_1");
    await heir.start();
    await bench.clock.advance(60_000);
    expect(heir.runs.quarantinedRuns()).toMatchObject([{ runId }]);
    await heir.stop();
    const last = await bench.addEngine();
    await bench.clock.advance(1_000);
    expect(last.runs.quarantinedRuns()).toEqual([]);
    expect(await askedAt(bench, runId)).toEqual(["r"]);
    expect(bench.bank.calls).toHaveLength(1);
  });

  test("loses no refusal by the other service either", async () => {
    const bench = await createBench();
    bench.bank.plan("once", fails("No such account."));
    refuseRows(bench.engine, "No such account.");
    const runId = await bench.runOf(payment);
    const heir = await restarted(bench);
    expect(await heir.runs.get({ ...sandbox, runId })).toMatchObject({
      status: "failed",
      error: expect.stringContaining("No such account.") as string,
    });
    expect(bench.bank.calls).toHaveLength(1);
  });

  test("leaves the answer to the next owner when storage is away at that moment", async () => {
    const bench = await createBench();
    bench.bank.plan("once", answers({ id: "pay_1" }));
    refuseRows(bench.engine, "pay_1");
    let away = 2;
    bench.engine.way.on("inbox.post", async (work) => {
      if (away-- > 0) throw new ProcedoError("storage_unavailable", "The database cannot be used now.");
      return await work();
    });
    const runId = await bench.runOf(payment);
    await bench.clock.advance(10_000);
    expect(bench.engine.runs.quarantinedRuns()).toMatchObject([{ runId }]);
    await restarted(bench);
    expect(await askedAt(bench, runId)).toEqual(["r"]);
    expect(bench.bank.calls).toHaveLength(1);
  });

  test("asks a person, and calls nothing again, when storage refuses the answer itself too", async () => {
    const bench = await createBench();
    bench.bank.plan("once", answers({ id: "pay_1" }));
    refuseRows(bench.engine, "pay_1");
    bench.engine.way.on("inbox.post", async (work, request) => {
      if (JSON.stringify(request).includes("pay_1")) throw refusal;
      return await work();
    });
    const runId = await bench.runOf(payment);
    const heir = await restarted(bench);
    expect(heir.runs.quarantinedRuns()).toEqual([]);
    expect(await askedAt(bench, runId)).toEqual(["pay"]);
    const [asked] = await bench.reviews(runId);
    expect(JSON.stringify(asked)).toContain("answered, but storage refused its answer");
    expect(JSON.stringify(asked)).not.toContain("pay_1");
    expect(bench.bank.calls).toHaveLength(1);
  });

  test.each([
    ["only the row", false],
    ["the error itself too", true],
  ])("repeats a call that surely was not made when storage refuses %s", async (_what, isRefusedInInbox) => {
    const bench = await createBench();
    bench.bank.plan("once", fails("Try later.", { retryable: true }));
    refuseRows(bench.engine, "Try later.");
    if (isRefusedInInbox) {
      bench.engine.way.on("inbox.post", async (work, request) => {
        if (JSON.stringify(request).includes("Try later.")) throw refusal;
        return await work();
      });
    }
    const runId = await bench.runOf(payment);
    await restarted(bench);
    await bench.clock.advance(60_000);
    expect(await askedAt(bench, runId)).toEqual(["r"]);
    expect(bench.bank.calls).toHaveLength(2);
  });

  test("sets a run aside that was claimed, as one that was started", async () => {
    const bench = await createBench();
    bench.bank.plan("once", answers({ id: "pay_1" }));
    await bench.engine.stop();
    const starter = await bench.addEngine({ started: false });
    await bench.publish(payment);
    const { runId } = await starter.runs.start({ procedureId: "p", ...sandbox, data: {}, by: { person: "ann" } });
    const claimer = await bench.addEngine({ started: false });
    refuseRows(claimer, "pay_1");
    await claimer.start();
    await bench.clock.advance(60_000);
    expect(claimer.runs.quarantinedRuns()).toMatchObject([{ runId }]);
    await claimer.stop();
    await bench.addEngine();
    await bench.clock.advance(1_000);
    expect(await askedAt(bench, runId)).toEqual(["r"]);
    expect(bench.bank.calls).toHaveLength(1);
  });

  test("takes no decision back: it was recorded, and the run is quarantined with it", async () => {
    const bench = await createBench();
    const document = procedure([call("look", "read"), review("r"), call("pay", "once")]);
    const runId = await bench.runOf(document);
    refuseRows(bench.engine, "review_closed");
    bench.engine.way.on("reviews.decide", async (work, request) => {
      if ((request as { readonly next?: RunCommit }).next !== undefined) throw refusal;
      return await work();
    });
    await bench.decide(runId);
    await bench.clock.advance(60_000);
    expect(bench.engine.runs.quarantinedRuns()).toMatchObject([{ runId }]);
    expect(bench.bank.callsOf("once")).toEqual([]);
    const heir = await restarted(bench);
    expect((await heir.runs.get({ ...sandbox, runId })).status).toBe("completed");
    expect(bench.bank.callsOf("once")).toHaveLength(1);
  });
});

describe("a start whose first row storage refuses", () => {
  test("tells the caller, leaves no run, and its key starts one once the fault is mended", async () => {
    const bench = await createBench();
    await bench.publish(payment);
    refuseRows(bench.engine, "acme");
    const request = { procedureId: "p", ...sandbox, data: {}, by: { person: "ann" }, idempotencyKey: "key-1" } as const;
    await expect(bench.engine.runs.start(request)).rejects.toThrow(refusal.message);
    await expect(bench.engine.runs.start(request)).rejects.toThrow(refusal.message);
    expect(bench.engine.runs.quarantinedRuns()).toEqual([]);
    expect((await bench.engine.runs.list({ ...sandbox, limit: 10 })).items).toEqual([]);
    refuseRows(bench.engine, "nothing of this kind");
    const started = await bench.engine.runs.start(request);
    expect(started.existing).toBe(false);
    await bench.clock.settle();
    expect(bench.bank.calls).toHaveLength(1);
  });
});
