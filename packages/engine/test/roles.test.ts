import { describe, expect, test } from "vitest";
import { alice, createHarness, type Harness } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";
import { answersAfter } from "./scripted-bank.ts";

const request = { procedureId: "p", environment: "sandbox", data: {}, by: alice } as const;

/** An engine that is not started and executes nothing, and a started one on the same storage. */
async function doorAndExecutor(): Promise<Harness & { readonly executor: Harness["engine"] }> {
  const harness = await createHarness({ started: false });
  return { ...harness, executor: await harness.addEngine({ started: true }) };
}

describe("an engine that is not started, beside a started one", () => {
  test("starts runs that the other executes at once", async () => {
    const harness = await doorAndExecutor();
    const runId = await harness.runOf(procedure([call("a", "once")]));
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.calls).toHaveLength(1);
  });

  test("answers a waiting caller as soon as the notice arrives", async () => {
    const harness = await doorAndExecutor();
    await harness.publish(procedure([call("a", "once")], { output: { id: "{{ nodes.a.output.id }}" } }));
    const outcome = harness.engine.runs.execute(request);
    await harness.clock.settle();
    expect(await outcome).toMatchObject({ status: "completed", output: { id: "once-1" } });
  });

  test("answers a waiting caller also without a notice of the end", async () => {
    const harness = await doorAndExecutor();
    await harness.publish(procedure([call("a", "once")]));
    harness.engine.way.deafen();
    harness.bank.plan("once", answersAfter(harness.clock, 1_500, {}));
    const outcome = harness.engine.runs.execute(request);
    await harness.clock.advance(3_000);
    expect(await outcome).toMatchObject({ status: "completed" });
  });

  test("records decisions and cancellations for the other, and claims no run", async () => {
    const harness = await doorAndExecutor();
    const decided = await harness.runOf(procedure([review("r"), call("a", "once")]));
    const cancelled = await harness.run();
    await harness.decide(decided);
    await harness.engine.runs.cancel({ environment: "sandbox", runId: cancelled, by: alice });
    await harness.clock.settle();
    expect((await harness.read(decided)).status).toBe("completed");
    expect(await harness.read(cancelled)).toMatchObject({ status: "failed", error: "Cancelled by alice" });
  });

  test("sends no heartbeat, claims nothing, sends nothing and signs nothing", async () => {
    const harness = await doorAndExecutor();
    await harness.runOf(procedure([call("a", "once")]));
    await harness.clock.advance(7_200_000);
    const verbs = [
      "workers.heartbeat",
      "workers.listRuns",
      "runs.claim",
      "runs.heads",
      "deliveries.claim",
      "deliveries.settle",
    ] as const;
    expect(verbs.map((verb) => harness.engine.way.count(verb))).toEqual(verbs.map(() => 0));
  });

  test("is ready while storage answers", async () => {
    const { engine } = await doorAndExecutor();
    await engine.ready();
    engine.way.cut();
    await expect(engine.ready()).rejects.toMatchObject({ code: "storage_unavailable" });
    engine.way.mend();
    await engine.ready();
  });

  test("with another master key fails before it has written anything", async () => {
    const harness = await createHarness();
    const stranger = await harness.addEngine({ started: false, masterKey: new Uint8Array(32).fill(8) });
    await expect(stranger.ready()).rejects.toMatchObject({ code: "invalid_configuration" });
  });
});

describe("a worker whose heartbeats do not reach storage", () => {
  test("is not ready and sends nothing once its lease has expired, and continues when storage is available", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([call("a", "once")]));
    harness.engine.way.on("workers.heartbeat", async () => await Promise.reject(new Error("read-only")));
    await harness.engine.ready();
    await harness.clock.advance(16_000);
    await expect(harness.engine.ready()).rejects.toMatchObject({ code: "storage_unavailable" });
    const runId = await harness.run();
    await harness.clock.advance(5_000);
    expect(harness.bank.calls).toEqual([]);
    harness.engine.way.on("workers.heartbeat", (work) => work());
    await harness.clock.advance(5_000);
    await harness.engine.ready();
    expect((await harness.read(runId)).status).toBe("completed");
  });
});

describe("a rolling restart", () => {
  test("waits for a claim in progress and releases the claimed runs", async () => {
    const harness = await createHarness({ started: false });
    const stopping = await harness.addEngine({ started: true });
    await harness.publish(procedure([call("a", "once")]));
    const held = Promise.withResolvers<undefined>();
    const order: string[] = [];
    stopping.way.on("runs.claim", async (work) => {
      await held.promise;
      const claimed = await work();
      order.push("claimed");
      return claimed;
    });
    stopping.way.on("workers.release", async (work) => {
      order.push("released");
      return await work();
    });
    const runId = await harness.run();
    const stopped = stopping.stop();
    await harness.clock.settle();
    held.resolve(undefined);
    await stopped;
    expect(order).toEqual(["claimed", "released"]);
    await harness.addEngine({ started: true });
    await harness.clock.settle();
    expect((await harness.read(runId)).status).toBe("completed");
    expect((await harness.entries(runId)).map(({ type }) => type)).not.toContain("recovered");
  });

  test("releases every run at its next step; none waits for a lease, none is reviewed, no call is made twice", async () => {
    const harness = await createHarness();
    const other = await harness.addEngine();
    await harness.publish(procedure([call("a", "once"), call("b", "once"), call("c", "once")]));
    const slow = Array.from({ length: 30 }, () => answersAfter(harness.clock, 500, {}));
    harness.bank.plan("once", ...slow);
    const runIds = await Promise.all(
      Array.from({ length: 30 }, async () => (await harness.engine.runs.start(request)).runId),
    );
    const waiting = harness.engine.runs.wait({ environment: "sandbox", runId: runIds[0] ?? "" });
    const stopping = harness.engine.stop();
    await harness.clock.advance(500);
    await stopping;
    // Far less time than a lease.
    await harness.clock.advance(100);
    for (const runId of runIds) {
      const { status } = await other.runs.get({ environment: "sandbox", runId });
      expect(status).toBe("completed");
      const rows = await other.runs.journal({ environment: "sandbox", runId });
      expect(rows.flatMap(({ entries }) => entries.map(({ type }) => type))).not.toContain("recovered");
    }
    expect(harness.bank.calls).toHaveLength(90);
    await harness.clock.advance(1_000);
    expect(await waiting).toMatchObject({ status: "completed" });
  });
});
