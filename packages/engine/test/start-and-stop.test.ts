import { describe, expect, test } from "vitest";
import { createHarness } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";

const document = procedure([call("a", "once")]);

/** Storage that completes a worker's next heartbeat only when the test says so. */
function heldBeat(engine: Awaited<ReturnType<typeof createHarness>>["engine"]): () => void {
  let release = (): void => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  engine.way.on("workers.heartbeat", async (work) => {
    await held;
    return await work();
  });
  return release;
}

describe("a stopped engine", () => {
  test.each([true, false])(
    "refuses to start again (it had been started: %j) with a message that says what to do",
    async (started) => {
      const harness = await createHarness({ started });
      await harness.engine.stop();
      await expect(harness.engine.start()).rejects.toMatchObject({
        code: "shutting_down",
        message: expect.stringContaining("Create another one.") as string,
      });
    },
  );

  test("executes nothing; another engine does", async () => {
    const harness = await createHarness();
    await harness.publish(document);
    await harness.engine.stop();
    await harness.engine.start().catch(() => {});
    const runId = await harness.run();
    await harness.clock.advance(60_000);
    expect(harness.bank.callsOf("once")).toEqual([]);
    await harness.addEngine();
    await harness.clock.advance(10_000);
    expect((await harness.read(runId)).status).toBe("completed");
  });

  test("that was stopped while it was starting does not start, and leaves the runs to others at once", async () => {
    const harness = await createHarness();
    await harness.publish(procedure([review("r"), call("a", "once")]));
    const runId = await harness.run();
    const late = await harness.addEngine({ started: false });
    const release = heldBeat(late);
    const starting = late.start();
    await late.stop();
    release();
    await expect(starting).rejects.toMatchObject({ code: "shutting_down" });
    await harness.engine.stop();
    await harness.decide(runId);
    await harness.addEngine();
    await harness.clock.advance(1_000);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.callsOf("once")).toHaveLength(1);
  });
});

test("an engine whose storage did not answer at its start can be started again", async () => {
  const harness = await createHarness({ started: false });
  await harness.publish(document);
  let failures = 1;
  harness.engine.way.on("workers.heartbeat", async (work) => {
    failures -= 1;
    if (failures >= 0) throw new Error("storage is away");
    return await work();
  });
  await expect(harness.engine.start()).rejects.toThrow("storage is away");
  await harness.engine.start();
  expect((await harness.read(await harness.run())).status).toBe("completed");
});
