import { ProcedoError } from "@procedo/contract";
import type { RunCommit } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { createHarness, type Harness, type HarnessEngine } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";
import { answers, fails } from "./scripted-bank.ts";

const refusal = new ProcedoError("internal", "The database rejected a statement (SQLSTATE 23514, journal_check).");
const payment = procedure([call("pay", "once", { arguments: { to: "acme" } }), review("r")], {
  output: { id: "{{ nodes.pay.output.id }}" },
});
const sandbox = { environment: "sandbox" } as const;

/** Storage refuses every row with this text, like a check constraint that an administrator added. */
function refuseRows({ way }: HarnessEngine, said: string): void {
  way.on("runs.commit", async (work, request) => {
    if (!(request as RunCommit).body.includes(said)) return await work();
    return { status: "refused", error: refusal };
  });
}

/** The nodes of the open reviews; an unknown outcome is reviewed at the call's node. */
async function askedAt(harness: Harness, runId: string): Promise<readonly string[]> {
  const open = (await harness.reviews(runId)).filter(({ status }) => status === "open");
  return open.map(({ nodeId }) => nodeId);
}

/** Stops the engine and starts another one without the fault. */
async function restarted(harness: Harness): Promise<HarnessEngine> {
  await harness.engine.stop();
  const successor = await harness.addEngine();
  await harness.clock.advance(1_000);
  return successor;
}

describe("a row after the first one that storage refuses", () => {
  test("quarantines the run with the reason, and the answer of its call is available after a restart", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", answers({ id: "pay_1" }));
    refuseRows(harness.engine, "pay_1");
    const runId = await harness.runOf(payment);
    await harness.clock.advance(60_000);
    const error = `Storage refused row 2 of the run: ${refusal.message}`;
    expect(harness.engine.runs.quarantinedRuns()).toEqual([{ runId, error, atMs: expect.any(Number) as number }]);
    expect(harness.engine.logged).toContain("error: A run was quarantined.");
    expect(harness.bank.calls).toHaveLength(1);

    const successor = await restarted(harness);
    expect(successor.runs.quarantinedRuns()).toEqual([]);
    expect(await askedAt(harness, runId)).toEqual(["r"]);
    await harness.decide(runId);
    expect((await successor.runs.get({ ...sandbox, runId })).output).toEqual({ id: "pay_1" });
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("quarantines it again, and calls nothing, while the fault lasts", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", answers({ id: "pay_1" }));
    refuseRows(harness.engine, "pay_1");
    const runId = await harness.runOf(payment);
    await harness.engine.stop();
    const successor = await harness.addEngine({ started: false });
    refuseRows(successor, "pay_1");
    await successor.start();
    await harness.clock.advance(60_000);
    expect(successor.runs.quarantinedRuns()).toMatchObject([{ runId }]);
    await successor.stop();
    const last = await harness.addEngine();
    await harness.clock.advance(1_000);
    expect(last.runs.quarantinedRuns()).toEqual([]);
    expect(await askedAt(harness, runId)).toEqual(["r"]);
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("loses no refusal by the other service either", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", fails("No such account."));
    refuseRows(harness.engine, "No such account.");
    const runId = await harness.runOf(payment);
    const successor = await restarted(harness);
    expect(await successor.runs.get({ ...sandbox, runId })).toMatchObject({
      status: "failed",
      error: expect.stringContaining("No such account.") as string,
    });
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("leaves the answer to the next owner if storage is unavailable at that moment", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", answers({ id: "pay_1" }));
    refuseRows(harness.engine, "pay_1");
    let away = 2;
    harness.engine.way.on("inbox.post", async (work) => {
      if (away-- > 0) throw new ProcedoError("storage_unavailable", "The database cannot be used now.");
      return await work();
    });
    const runId = await harness.runOf(payment);
    await harness.clock.advance(10_000);
    expect(harness.engine.runs.quarantinedRuns()).toMatchObject([{ runId }]);
    await restarted(harness);
    expect(await askedAt(harness, runId)).toEqual(["r"]);
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("opens a review, and repeats no call, if storage refuses the answer itself too", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", answers({ id: "pay_1" }));
    refuseRows(harness.engine, "pay_1");
    harness.engine.way.on("inbox.post", async (work, request) => {
      if (JSON.stringify(request).includes("pay_1")) throw refusal;
      return await work();
    });
    const runId = await harness.runOf(payment);
    const successor = await restarted(harness);
    expect(successor.runs.quarantinedRuns()).toEqual([]);
    expect(await askedAt(harness, runId)).toEqual(["pay"]);
    const [asked] = await harness.reviews(runId);
    expect(JSON.stringify(asked)).toContain("answered, but storage refused its answer");
    expect(JSON.stringify(asked)).not.toContain("pay_1");
    expect(harness.bank.calls).toHaveLength(1);
  });

  test.each([
    ["only the row", false],
    ["the error itself too", true],
  ])("repeats a call that certainly was not made if storage refuses %s", async (_what, isRefusedInInbox) => {
    const harness = await createHarness();
    harness.bank.plan("once", fails("Try later.", { retryable: true }));
    refuseRows(harness.engine, "Try later.");
    if (isRefusedInInbox) {
      harness.engine.way.on("inbox.post", async (work, request) => {
        if (JSON.stringify(request).includes("Try later.")) throw refusal;
        return await work();
      });
    }
    const runId = await harness.runOf(payment);
    await restarted(harness);
    await harness.clock.advance(60_000);
    expect(await askedAt(harness, runId)).toEqual(["r"]);
    expect(harness.bank.calls).toHaveLength(2);
  });

  test("quarantines a claimed run in the same way as a started one", async () => {
    const harness = await createHarness();
    harness.bank.plan("once", answers({ id: "pay_1" }));
    await harness.engine.stop();
    const starter = await harness.addEngine({ started: false });
    await harness.publish(payment);
    const { runId } = await starter.runs.start({ procedureId: "p", ...sandbox, data: {}, by: { person: "ann" } });
    const claimer = await harness.addEngine({ started: false });
    refuseRows(claimer, "pay_1");
    await claimer.start();
    await harness.clock.advance(60_000);
    expect(claimer.runs.quarantinedRuns()).toMatchObject([{ runId }]);
    await claimer.stop();
    await harness.addEngine();
    await harness.clock.advance(1_000);
    expect(await askedAt(harness, runId)).toEqual(["r"]);
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("does not undo a decision: it was recorded, and the run is quarantined with it", async () => {
    const harness = await createHarness();
    const document = procedure([call("look", "read"), review("r"), call("pay", "once")]);
    const runId = await harness.runOf(document);
    refuseRows(harness.engine, "review_closed");
    harness.engine.way.on("reviews.decide", async (work, request) => {
      if ((request as { readonly next?: RunCommit }).next !== undefined) throw refusal;
      return await work();
    });
    await harness.decide(runId);
    await harness.clock.advance(60_000);
    expect(harness.engine.runs.quarantinedRuns()).toMatchObject([{ runId }]);
    expect(harness.bank.callsOf("once")).toEqual([]);
    const successor = await restarted(harness);
    expect((await successor.runs.get({ ...sandbox, runId })).status).toBe("completed");
    expect(harness.bank.callsOf("once")).toHaveLength(1);
  });
});

describe("a start whose first row is refused by storage", () => {
  test("fails for the caller, leaves no run, and its key starts one once the fault is repaired", async () => {
    const harness = await createHarness();
    await harness.publish(payment);
    refuseRows(harness.engine, "acme");
    const request = { procedureId: "p", ...sandbox, data: {}, by: { person: "ann" }, idempotencyKey: "key-1" } as const;
    await expect(harness.engine.runs.start(request)).rejects.toThrow(refusal.message);
    await expect(harness.engine.runs.start(request)).rejects.toThrow(refusal.message);
    expect(harness.engine.runs.quarantinedRuns()).toEqual([]);
    expect((await harness.engine.runs.list({ ...sandbox, limit: 10 })).items).toEqual([]);
    refuseRows(harness.engine, "nothing of this kind");
    const started = await harness.engine.runs.start(request);
    expect(started.existing).toBe(false);
    await harness.clock.settle();
    expect(harness.bank.calls).toHaveLength(1);
  });
});
