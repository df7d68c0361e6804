import { describe, expect, test } from "vitest";
import { alice, createBench, type Bench } from "./bench.ts";
import { call, procedure, review } from "./documents.ts";
import { answersAfter } from "./scripted-bank.ts";

const request = { procedureId: "p", environment: "sandbox", data: {}, by: alice } as const;

/** A door, which is not started and executes nothing, and an engine behind it that does. */
async function doorAndExecutor(): Promise<Bench & { readonly executor: Bench["engine"] }> {
  const bench = await createBench({ started: false });
  return { ...bench, executor: await bench.addEngine({ started: true }) };
}

describe("an engine that is not started, beside one that is", () => {
  test("starts runs that the other executes at once", async () => {
    const bench = await doorAndExecutor();
    const runId = await bench.runOf(procedure([call("a", "once")]));
    expect((await bench.read(runId)).status).toBe("completed");
    expect(bench.bank.calls).toHaveLength(1);
  });

  test("answers a caller who waits, as soon as it is told", async () => {
    const bench = await doorAndExecutor();
    await bench.publish(procedure([call("a", "once")], { output: { id: "{{ nodes.a.output.id }}" } }));
    const outcome = bench.engine.runs.execute(request);
    await bench.clock.settle();
    expect(await outcome).toMatchObject({ status: "completed", output: { id: "once-1" } });
  });

  test("answers a caller who waits also when nothing tells it of the end", async () => {
    const bench = await doorAndExecutor();
    await bench.publish(procedure([call("a", "once")]));
    bench.engine.way.deafen();
    bench.bank.plan("once", answersAfter(bench.clock, 1_500, {}));
    const outcome = bench.engine.runs.execute(request);
    await bench.clock.advance(3_000);
    expect(await outcome).toMatchObject({ status: "completed" });
  });

  test("records decisions and cancels for the other, and takes no run for itself", async () => {
    const bench = await doorAndExecutor();
    const decided = await bench.runOf(procedure([review("r"), call("a", "once")]));
    const cancelled = await bench.run();
    await bench.decide(decided);
    await bench.engine.runs.cancel({ environment: "sandbox", runId: cancelled, by: alice });
    await bench.clock.settle();
    expect((await bench.read(decided)).status).toBe("completed");
    expect(await bench.read(cancelled)).toMatchObject({ status: "failed", error: "Cancelled by alice" });
  });

  test("beats, claims, sends and signs nothing", async () => {
    const bench = await doorAndExecutor();
    await bench.runOf(procedure([call("a", "once")]));
    await bench.clock.advance(7_200_000);
    const verbs = [
      "workers.heartbeat",
      "workers.listRuns",
      "runs.claim",
      "runs.heads",
      "deliveries.claim",
      "deliveries.settle",
    ];
    expect(verbs.map((verb) => bench.engine.way.count(verb))).toEqual(verbs.map(() => 0));
  });

  test("is ready while storage answers", async () => {
    const { engine } = await doorAndExecutor();
    await engine.ready();
    engine.way.cut();
    await expect(engine.ready()).rejects.toMatchObject({ code: "storage_unavailable" });
    engine.way.mend();
    await engine.ready();
  });

  test("with another master key says so before it has written anything", async () => {
    const bench = await createBench();
    const stranger = await bench.addEngine({ started: false, masterKey: new Uint8Array(32).fill(8) });
    await expect(stranger.ready()).rejects.toMatchObject({ code: "invalid_configuration" });
  });
});

describe("a worker whose beats do not reach storage", () => {
  test("is not ready and sends nothing once its lease has run out, and goes on when storage is back", async () => {
    const bench = await createBench();
    await bench.publish(procedure([call("a", "once")]));
    bench.engine.way.on("workers.heartbeat", async () => await Promise.reject(new Error("read-only")));
    await bench.engine.ready();
    await bench.clock.advance(16_000);
    await expect(bench.engine.ready()).rejects.toMatchObject({ code: "storage_unavailable" });
    const runId = await bench.run();
    await bench.clock.advance(5_000);
    expect(bench.bank.calls).toEqual([]);
    bench.engine.way.on("workers.heartbeat", (work) => work());
    await bench.clock.advance(5_000);
    await bench.engine.ready();
    expect((await bench.read(runId)).status).toBe("completed");
  });
});

describe("a rolling restart", () => {
  test("waits for a claim that is under way and hands back what it brings", async () => {
    const bench = await createBench({ started: false });
    const stopping = await bench.addEngine({ started: true });
    await bench.publish(procedure([call("a", "once")]));
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
    const runId = await bench.run();
    const stopped = stopping.stop();
    await bench.clock.settle();
    held.resolve(undefined);
    await stopped;
    expect(order).toEqual(["claimed", "released"]);
    await bench.addEngine({ started: true });
    await bench.clock.settle();
    expect((await bench.read(runId)).status).toBe("completed");
    expect((await bench.entries(runId)).map(({ type }) => type)).not.toContain("recovered");
  });

  test("hands every run over at its next step; none waits for a lease, none is asked about, no call is made twice", async () => {
    const bench = await createBench();
    const other = await bench.addEngine();
    await bench.publish(procedure([call("a", "once"), call("b", "once"), call("c", "once")]));
    const slow = Array.from({ length: 30 }, () => answersAfter(bench.clock, 500, {}));
    bench.bank.plan("once", ...slow);
    const runIds = await Promise.all(
      Array.from({ length: 30 }, async () => (await bench.engine.runs.start(request)).runId),
    );
    const waiting = bench.engine.runs.wait({ environment: "sandbox", runId: runIds[0] ?? "" });
    const stopping = bench.engine.stop();
    await bench.clock.advance(500);
    await stopping;
    // Far less than a lease.
    await bench.clock.advance(100);
    for (const runId of runIds) {
      const { status } = await other.runs.get({ environment: "sandbox", runId });
      expect(status).toBe("completed");
      const rows = await other.runs.journal({ environment: "sandbox", runId });
      expect(rows.flatMap(({ entries }) => entries.map(({ type }) => type))).not.toContain("recovered");
    }
    expect(bench.bank.calls).toHaveLength(90);
    await bench.clock.advance(1_000);
    expect(await waiting).toMatchObject({ status: "completed" });
  });
});
