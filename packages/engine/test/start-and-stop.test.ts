import { describe, expect, test } from "vitest";
import { createBench } from "./bench.ts";
import { call, procedure, review } from "./documents.ts";

const document = procedure([call("a", "once")]);

/** Storage that lets a worker's next beat through only when the test says so. */
function heldBeat(engine: Awaited<ReturnType<typeof createBench>>["engine"]): () => void {
  let letGo = (): void => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  engine.way.on("workers.heartbeat", async (work) => {
    await held;
    return await work();
  });
  return letGo;
}

describe("an engine that was stopped", () => {
  test.each([true, false])("refuses to start again (it had been started: %j) and says what to do", async (started) => {
    const bench = await createBench({ started });
    await bench.engine.stop();
    await expect(bench.engine.start()).rejects.toMatchObject({
      code: "shutting_down",
      message: expect.stringContaining("Create another one.") as string,
    });
  });

  test("executes nothing any more; another one does", async () => {
    const bench = await createBench();
    await bench.publish(document);
    await bench.engine.stop();
    await bench.engine.start().catch(() => {});
    const runId = await bench.run();
    await bench.clock.advance(60_000);
    expect(bench.bank.callsOf("once")).toEqual([]);
    await bench.addEngine();
    await bench.clock.advance(10_000);
    expect((await bench.read(runId)).status).toBe("completed");
  });

  test("while it was starting does not start, and leaves the runs to others at once", async () => {
    const bench = await createBench();
    await bench.publish(procedure([review("r"), call("a", "once")]));
    const runId = await bench.run();
    const late = await bench.addEngine({ started: false });
    const letGo = heldBeat(late);
    const starting = late.start();
    await late.stop();
    letGo();
    await expect(starting).rejects.toMatchObject({ code: "shutting_down" });
    await bench.engine.stop();
    await bench.decide(runId);
    await bench.addEngine();
    await bench.clock.advance(1_000);
    expect((await bench.read(runId)).status).toBe("completed");
    expect(bench.bank.callsOf("once")).toHaveLength(1);
  });
});

test("an engine whose storage did not answer at its start can be started again", async () => {
  const bench = await createBench({ started: false });
  await bench.publish(document);
  let failures = 1;
  bench.engine.way.on("workers.heartbeat", async (work) => {
    failures -= 1;
    if (failures >= 0) throw new Error("storage is away");
    return await work();
  });
  await expect(bench.engine.start()).rejects.toThrow("storage is away");
  await bench.engine.start();
  expect((await bench.read(await bench.run())).status).toBe("completed");
});
