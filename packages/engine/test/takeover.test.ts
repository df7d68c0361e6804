import { storageUnavailable } from "@procedo-testing/faults";
import { ActionError } from "@procedo/engine";
import { describe, expect, test } from "vitest";
import { alice, createHarness, type Harness } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";
import { answersAfter, held, type BankAction } from "./scripted-bank.ts";

const leaseMs = 15_000;

/** A run with a call in progress in an engine that then loses its storage; a second engine takes over. */
async function crashedIn(action: BankAction, settings: Parameters<typeof call>[2] = {}) {
  const harness = await createHarness({ worker: { leaseMs } });
  const hold = held();
  harness.bank.plan(action, hold.behaviour);
  const runId = await harness.runOf(
    procedure([call("a", action, settings), call("b", "read")], { output: { id: "{{ nodes.a.output.id }}" } }),
  );
  harness.engine.way.cut();
  const successor = await harness.addEngine();
  const read = () => successor.runs.get({ environment: "sandbox", runId });
  return { harness, hold, successor, runId, read };
}

async function entriesBy(harness: Harness, engine: Harness["engine"], runId: string) {
  const rows = await engine.runs.journal({ environment: "sandbox", runId });
  return rows.flatMap(({ entries }) => entries.map(({ type }) => type));
}

describe("a worker that sends no heartbeats", () => {
  test("loses its runs to another worker when its lease has expired, not before", async () => {
    const { harness, successor, runId, read } = await crashedIn("read");
    await harness.clock.advance(leaseMs - 2_000);
    expect(await entriesBy(harness, successor, runId)).toEqual(["started", "intent"]);
    await harness.clock.advance(4_000);
    expect(await entriesBy(harness, successor, runId)).toEqual([
      "started",
      "intent",
      "recovered",
      "outcome",
      "intent",
      "outcome",
      "intent",
      "outcome",
      "ended",
    ]);
    expect((await read()).status).toBe("completed");
  });

  test("leaves a read and an idempotent call to be repeated at once, with the same key", async () => {
    for (const action of ["read", "idempotent"] as const) {
      const { harness, read } = await crashedIn(action);
      await harness.clock.advance(leaseMs + 2_000);
      expect(await read()).toMatchObject({ status: "completed", output: { id: `${action}-2` } });
      const [lost, again] = harness.bank.callsOf(action);
      expect(again?.context.idempotencyKey).toBe(lost?.context.idempotencyKey);
    }
  });

  test("leaves a once call that is not repeated: a person decides, once the lost call's time is over", async () => {
    const { harness, successor, runId, read } = await crashedIn("once", { timeoutMs: 40_000 });
    const askedAtMs = harness.clock.now() + 5_000 + 40_000;
    await harness.clock.advance(askedAtMs - harness.clock.now() - 1_000);
    expect((await read()).status).toBe("running");
    expect(await successor.reviews.ofRun({ environment: "sandbox", runId })).toEqual([]);
    await harness.clock.advance(2_000);
    expect((await read()).status).toBe("awaiting_review");
    expect(harness.bank.callsOf("once")).toHaveLength(1);
    const [review] = await successor.reviews.ofRun({ environment: "sandbox", runId });
    expect(review?.data["reason"]).toBe("The worker that made the call stopped before the outcome was on record.");
    await successor.reviews.decide({
      environment: "sandbox",
      runId,
      approved: true,
      idempotencyKey: crypto.randomUUID(),
      by: { person: "bob" },
      outputs: { id: "seen" },
    });
    await harness.clock.settle();
    expect(await read()).toMatchObject({ status: "completed", output: { id: "seen" } });
  });

  test("leaves a wait for a lost call's answer that survives the next worker, with one review", async () => {
    const { harness, successor, runId } = await crashedIn("once", { timeoutMs: 40_000 });
    await harness.clock.advance(leaseMs + 2_000);
    successor.way.cut();
    const next = await harness.addEngine();
    await harness.clock.advance(40_000);
    expect((await next.reviews.ofRun({ environment: "sandbox", runId })).map(({ kind }) => kind)).toEqual([
      "outcome_unknown",
    ]);
    expect((await entriesBy(harness, next, runId)).filter((type) => type === "recovered")).toHaveLength(1);
  });

  test("leaves a call whose unknown outcome ends the run once, when the lost call's time is over", async () => {
    const { harness, hold, read } = await crashedIn("once", { timeoutMs: 40_000, onUnknownOutcome: "fail" });
    await harness.clock.advance(leaseMs + 2_000);
    expect((await read()).status).toBe("running");
    harness.engine.way.mend();
    hold.answer({ id: "after all" });
    await harness.clock.advance(10_000);
    expect(await read()).toMatchObject({ status: "completed", output: { id: "after all" } });
  });

  test("awaits the answer of a call in progress, and resumes the run if no other worker has claimed it", async () => {
    const harness = await createHarness({ worker: { leaseMs } });
    const hold = held();
    harness.bank.plan("once", hold.behaviour);
    const runId = await harness.runOf(
      procedure([call("a", "once", { timeoutMs: 60_000 }), call("b", "once")], {
        output: { id: "{{ nodes.a.output.id }}" },
      }),
    );
    harness.engine.way.cut();
    await harness.clock.advance(leaseMs + 5_000);
    expect(harness.bank.calls[0]?.context.signal.aborted).toBe(false);
    expect(harness.engine.logged).toContainEqual(expect.stringContaining("The worker's lease expired."));
    hold.answer({ id: "heard" });
    harness.engine.way.mend();
    await harness.clock.advance(10_000);
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { id: "heard" } });
    expect(await harness.reviews(runId)).toEqual([]);
    expect(harness.bank.callsOf("once")).toHaveLength(2);
  });

  test("and was only paused sends a heartbeat before it considers its lease lost", async () => {
    const harness = await createHarness({ worker: { leaseMs } });
    const hold = held();
    harness.bank.plan("once", hold.behaviour);
    const runId = await harness.runOf(procedure([call("a", "once", { timeoutMs: 60_000 })]));
    harness.clock.leap(25_000);
    await harness.clock.advance(1);
    expect(harness.engine.logged).not.toContainEqual(expect.stringContaining("lease"));
    hold.answer({ id: "heard" });
    await harness.clock.settle();
    expect((await harness.read(runId)).status).toBe("completed");
    expect(await harness.reviews(runId)).toEqual([]);
  });

  test("makes no call after a suspension beyond its lease, even before a timer has fired", async () => {
    const harness = await createHarness({ worker: { leaseMs: 3_000, sendWindowMs: 60_000 } });
    let suspended = false;
    harness.engine.way.on("runs.commit", async (work) => {
      const result = await work();
      if (!suspended) {
        suspended = true;
        harness.clock.leap(5_000);
      }
      return result;
    });
    const runId = await harness.runOf(procedure([call("a", "once")]));
    expect(harness.bank.calls).toEqual([]);
    expect((await harness.read(runId)).steps[1]?.attempts[0]?.message).toContain("lease");
    await harness.clock.advance(10_000);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("is fenced in its later writes, and the new owner's outcome counts", async () => {
    const { harness, hold, successor, runId, read } = await crashedIn("idempotent");
    await harness.clock.advance(leaseMs + 2_000);
    const before = await entriesBy(harness, successor, runId);
    hold.answer({ id: "zombie" });
    harness.engine.way.mend();
    await harness.clock.advance(60_000);
    expect(await entriesBy(harness, successor, runId)).toEqual(before);
    expect(await read()).toMatchObject({ output: { id: "idempotent-2" } });
    expect(harness.engine.logged).toContain("warn: Another worker took a run over.");
  });

  test("passes an answer to the worker that now has the run, and no review is opened", async () => {
    const { harness, hold, successor, runId, read } = await crashedIn("once", { timeoutMs: 60_000 });
    await harness.clock.advance(leaseMs + 2_000);
    expect((await read()).status).toBe("running");
    hold.answer({ id: "after all" });
    await harness.clock.advance(10_000);
    harness.engine.way.mend();
    await harness.clock.advance(10_000);
    expect(await read()).toMatchObject({ status: "completed", output: { id: "after all" } });
    expect(await successor.reviews.ofRun({ environment: "sandbox", runId })).toEqual([]);
    expect(harness.bank.callsOf("once")).toHaveLength(1);
  });

  test("repeats the delivery of an answer that storage did not accept at first", async () => {
    const { harness, hold, successor, runId, read } = await crashedIn("once", { timeoutMs: 60_000 });
    await harness.clock.advance(leaseMs + 2_000);
    harness.engine.way.mend();
    let failures = 3;
    harness.engine.way.on("inbox.post", async (work) => {
      if (failures-- > 0) throw storageUnavailable();
      return await work();
    });
    hold.answer({ id: "after all" });
    await harness.clock.advance(10_000);
    expect(await read()).toMatchObject({ status: "completed", output: { id: "after all" } });
    expect(await successor.reviews.ofRun({ environment: "sandbox", runId })).toEqual([]);
  });

  test("passes an answer from an outage longer than the call's timeout to the worker that claimed the run, and no review is opened", async () => {
    const { harness, hold, successor, runId, read } = await crashedIn("once", { timeoutMs: 60_000 });
    successor.way.cut();
    hold.answer({ id: "heard" });
    await harness.clock.advance(300_000);
    // The new owner notices first that storage is available again.
    successor.way.mend();
    await harness.clock.advance(4_000);
    expect((await read()).status).toBe("running");
    harness.engine.way.mend();
    await harness.clock.advance(10_000);
    expect(await read()).toMatchObject({ status: "completed", output: { id: "heard" } });
    expect(await successor.reviews.ofRun({ environment: "sandbox", runId })).toEqual([]);
  });

  test("passes on that a call was not sent, so that the worker that claimed the run makes it again without a review", async () => {
    const { harness, hold, successor, runId, read } = await crashedIn("once", { timeoutMs: 60_000 });
    await harness.clock.advance(leaseMs + 2_000);
    harness.engine.way.mend();
    hold.fail(new ActionError("still queued", { outcome: "not_sent" }));
    await harness.clock.advance(10_000);
    expect(await read()).toMatchObject({ status: "completed", output: { id: "once-2" } });
    expect(await successor.reviews.ofRun({ environment: "sandbox", runId })).toEqual([]);
    expect(harness.bank.callsOf("once")).toHaveLength(2);
  });

  test("passes on a wait that the service requested, which uses up no attempt", async () => {
    const retry = { maxAttempts: 2 };
    const { harness, hold, successor, runId, read } = await crashedIn("once", { timeoutMs: 60_000, retry });
    await harness.clock.advance(leaseMs + 2_000);
    harness.engine.way.mend();
    hold.fail(new ActionError("quota", { outcome: "not_sent", retryAfterMs: 7_200_000 }));
    await harness.clock.advance(10_000);
    expect(await successor.runs.journal({ environment: "sandbox", runId })).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({
          entries: expect.arrayContaining([expect.objectContaining({ late: true, deferred: true })]),
        }),
      ]),
    );
    await harness.clock.advance(7_200_000);
    expect(await read()).toMatchObject({ status: "completed", output: { id: "once-2" } });
  });

  test("records an answer to a lost call though the run was cancelled, and the run ends once no answer can arrive", async () => {
    for (const isAnswered of [true, false]) {
      const { harness, hold, successor, runId, read } = await crashedIn("once", { timeoutMs: 40_000 });
      await harness.clock.advance(leaseMs + 2_000);
      await successor.runs.cancel({ environment: "sandbox", runId, by: alice });
      await harness.clock.advance(4_000);
      expect((await read()).status).toBe("running");
      harness.engine.way.mend();
      if (isAnswered) hold.answer({ id: "paid" });
      await harness.clock.advance(isAnswered ? 4_000 : 40_000);
      const { status, error, steps } = await read();
      expect([status, error]).toEqual(["failed", "Cancelled by alice"]);
      expect(steps.find(({ nodeId }) => nodeId === "a")?.attempts[0]?.outcome).toBe(isAnswered ? "ok" : "unknown");
      expect(harness.bank.callsOf("once")).toHaveLength(1);
    }
  });

  test("is not needed by a run that waits for a person, which any worker resumes", async () => {
    const harness = await createHarness();
    const runId = await harness.runOf(procedure([review("r")]));
    harness.engine.way.cut();
    await harness.clock.advance(3_600_000);
    const successor = await harness.addEngine();
    await successor.reviews.decide({
      environment: "sandbox",
      runId,
      approved: true,
      idempotencyKey: crypto.randomUUID(),
      by: { person: "bob" },
    });
    await harness.clock.settle();
    expect((await successor.runs.get({ environment: "sandbox", runId })).status).toBe("completed");
    expect(await entriesBy(harness, successor, runId)).not.toContain("recovered");
  });

  test("may be missing when a backoff ends, and the next worker continues late", async () => {
    const harness = await createHarness();
    harness.bank.plan("read", () => {
      throw new Error("broke");
    });
    const runId = await harness.runOf(procedure([call("a", "read")]));
    harness.engine.way.cut();
    await harness.clock.advance(3_600_000);
    const successor = await harness.addEngine();
    await harness.clock.advance(2_000);
    expect((await successor.runs.get({ environment: "sandbox", runId })).status).toBe("completed");
  });

  test("keeps its runs after one failed heartbeat: it works until its lease has expired", async () => {
    const harness = await createHarness({ worker: { leaseMs } });
    harness.bank.plan("once", answersAfter(harness.clock, 20_000, { id: "slow" }));
    let failing = 1;
    harness.engine.way.on("workers.heartbeat", async (work) => {
      if (failing-- > 0) throw storageUnavailable();
      return await work();
    });
    const runId = await harness.runOf(procedure([call("a", "once")], { output: { id: "{{ nodes.a.output.id }}" } }));
    await harness.clock.advance(25_000);
    expect(await harness.read(runId)).toMatchObject({ status: "completed", output: { id: "slow" } });
    expect(harness.bank.calls[0]?.context.signal.aborted).toBe(false);
  });
});
