import { describe, expect, test } from "vitest";
import { createBench } from "./bench.ts";
import { call, procedure } from "./documents.ts";
import { unavailable } from "./interruptible-storage.ts";

describe("a commit whose answer is lost", () => {
  test.each(["before", "after"])("is sent again as the same row (storage failed %s it was durable)", async (when) => {
    const bench = await createBench();
    let commits = 0;
    bench.engine.way.on("runs.commit", async (work) => {
      commits += 1;
      if (commits !== 2) return await work();
      if (when === "after") await work();
      throw unavailable();
    });
    const runId = await bench.runOf(procedure([call("a", "once"), call("b", "once")]));
    await bench.clock.advance(10_000);
    expect((await bench.read(runId)).status).toBe("completed");
    expect(bench.bank.calls).toHaveLength(2);
    expect((await bench.engine.runs.journal({ environment: "sandbox", runId })).map(({ seq }) => seq)).toEqual([
      1, 2, 3,
    ]);
  });

  test("an outage of storage in the middle of a run loses and doubles nothing", async () => {
    const bench = await createBench({ worker: { leaseMs: 600_000 } });
    bench.bank.plan("once", (made) => {
      bench.engine.way.cut();
      return { id: made.action };
    });
    await bench.publish(procedure([call("a", "once"), call("b", "once")]));
    const runId = await bench.run();
    await bench.clock.advance(120_000);
    expect(bench.bank.calls).toHaveLength(1);
    bench.engine.way.mend();
    await bench.clock.advance(10_000);
    expect((await bench.read(runId)).status).toBe("completed");
    expect(bench.bank.calls).toHaveLength(2);
  });

  test("a claim whose answer is lost orphans no run", async () => {
    const bench = await createBench({ started: false });
    const worker = await bench.addEngine({ started: true });
    await bench.publish(procedure([call("a", "once")]));
    let lose = true;
    worker.way.on("runs.claim", async (work) => {
      const claimed = (await work()) as { runs: readonly unknown[] };
      if (!lose || claimed.runs.length === 0) return claimed;
      lose = false;
      throw unavailable();
    });
    const runId = await bench.run();
    await bench.clock.advance(60_000);
    expect((await bench.read(runId)).status).toBe("completed");
    expect(bench.bank.calls).toHaveLength(1);
  });
});
