import type { SumLimit } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { alice } from "./harness.ts";
import { sandbox } from "./bounded-payment.ts";
import { createPrivateHarness, declared, type PrivateHarness } from "./private-harness.ts";

const daily: SumLimit = { name: "daily", sum: "size(args.name)", atMost: 10, per: "day", timeZone: "UTC" };
const bounded = { sumLimits: [daily], timeoutMs: 30_000 };

/** Each call adds the 4 letters of its name. */
async function taken({ storage }: PrivateHarness): Promise<number | undefined> {
  const [sum] = await storage.budgets.taken(sandbox, ["sum/p/screen/daily/day/2026-01-02"]);
  return sum;
}

describe("the amounts that a dispatched call has reserved", () => {
  test("are reserved at the dispatch, and stay after the answer", async () => {
    const harness = await createPrivateHarness();
    const client = await harness.connect();
    const runId = await harness.call("screen", bounded);
    expect(await taken(harness)).toBe(4);
    await client.answer(await client.take(), { matches: 0 });
    await harness.clock.advance(2_000);
    expect((await harness.read(runId)).status).toBe("completed");
    expect(await taken(harness)).toBe(4);
  });

  test("are released if no client acknowledged the call in time", async () => {
    const harness = await createPrivateHarness();
    await harness.connect();
    const runId = await harness.call("screen", bounded);
    await harness.clock.advance(35_000);
    expect((await harness.read(runId)).status).toBe("failed");
    expect(await taken(harness)).toBe(0);
  });

  test("are released if the run is cancelled before a client acknowledged the call, and kept afterwards", async () => {
    for (const [begun, sum] of [
      [false, 0],
      [true, 4],
    ] as const) {
      const harness = await createPrivateHarness();
      const client = await harness.connect();
      const runId = await harness.call("screen", bounded);
      if (begun) await client.heartbeat(await client.take());
      await harness.engine.runs.cancel({ environment: "sandbox", runId, by: alice });
      await harness.clock.advance(60_000);
      expect((await harness.read(runId)).error).toBe("Cancelled by alice");
      expect(await taken(harness)).toBe(sum);
    }
  });

  test("are reserved after the review that its function requires, not while it is open", async () => {
    const harness = await createPrivateHarness();
    const client = await harness.connect([declared("screen", { requiresReview: true })]);
    const runId = await harness.call("screen", bounded);
    expect((await harness.read(runId)).status).toBe("awaiting_review");
    expect(await taken(harness)).toBe(0);
    const polled = client.poll();
    await harness.decide(runId);
    expect(await polled).toHaveLength(1);
    expect(await taken(harness)).toBe(4);
  });
});
