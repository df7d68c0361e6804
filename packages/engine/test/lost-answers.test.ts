import { describe, expect, test } from "vitest";
import { storageUnavailable } from "@procedo-testing/faults";
import { createHarness } from "./harness.ts";
import { call, procedure } from "./documents.ts";

describe("a commit whose answer is lost", () => {
  test.each(["before", "after"])("is sent again as the same row (storage failed %s it was durable)", async (when) => {
    const harness = await createHarness();
    let commits = 0;
    harness.engine.way.on("runs.commit", async (work) => {
      commits += 1;
      if (commits !== 2) return await work();
      if (when === "after") await work();
      throw storageUnavailable();
    });
    const runId = await harness.runOf(procedure([call("a", "once"), call("b", "once")]));
    await harness.clock.advance(10_000);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.calls).toHaveLength(2);
    expect((await harness.engine.runs.journal({ environment: "sandbox", runId })).map(({ seq }) => seq)).toEqual([
      1, 2, 3,
    ]);
  });

  test("an outage of storage in the middle of a run loses and doubles nothing", async () => {
    const harness = await createHarness({ worker: { leaseMs: 600_000 } });
    harness.bank.plan("once", (made) => {
      harness.engine.way.cut();
      return { id: made.action };
    });
    await harness.publish(procedure([call("a", "once"), call("b", "once")]));
    const runId = await harness.run();
    await harness.clock.advance(120_000);
    expect(harness.bank.calls).toHaveLength(1);
    harness.engine.way.mend();
    await harness.clock.advance(10_000);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.calls).toHaveLength(2);
  });

  test("a claim whose answer is lost orphans no run", async () => {
    const harness = await createHarness({ started: false });
    const worker = await harness.addEngine({ started: true });
    await harness.publish(procedure([call("a", "once")]));
    let lose = true;
    worker.way.on("runs.claim", async (work) => {
      const claimed = (await work()) as { runs: readonly unknown[] };
      if (!lose || claimed.runs.length === 0) return claimed;
      lose = false;
      throw storageUnavailable();
    });
    const runId = await harness.run();
    await harness.clock.advance(60_000);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(harness.bank.calls).toHaveLength(1);
  });
});
