import type { NewResult } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { firstBrokenRow } from "../src/journal/chain.ts";
import { deriveKey } from "../src/secrets/derive-key.ts";
import { alice, testKey } from "./bench.ts";
import { unavailable } from "./interruptible-storage.ts";
import { createPrivateBench, leaseOf, type PrivateBench } from "./private-bench.ts";

const environment = "sandbox";

/** A run that waits for a call which a client has begun. */
async function begun() {
  const bench = await createPrivateBench();
  const client = await bench.connect();
  const runId = await bench.call();
  const invocation = await client.take();
  expect(await client.beat(invocation)).toEqual([]);
  return { bench, client, runId, invocation };
}

/** Its outcome stands in the journal once, with one of these outputs, and the chain verifies. */
async function expectAnswered(bench: PrivateBench, runId: string, ...outputs: readonly unknown[]): Promise<void> {
  const run = await bench.read(runId);
  expect(run).toMatchObject({ status: "completed", output: { said: expect.toBeOneOf([...outputs]) } });
  const rows = await bench.engine.runs.journal({ environment, runId });
  expect(firstBrokenRow(deriveKey(testKey, "journal"), runId, rows)).toBeUndefined();
  expect(rows.filter(({ body }) => body.includes('"outcome"'))).toHaveLength(1);
}

describe("a result for a run that came to rest in this process", () => {
  test("is the same with a storage that leaves the row out of account", async () => {
    const { bench, client, runId, invocation } = await begun();
    bench.engine.way.on("invocations.settle", async (_work, request) => {
      const { next: _next, ...result } = request as NewResult;
      return await bench.storage.invocations.settle(result);
    });
    await client.answer(invocation, 1);
    await expectAnswered(bench, runId, 1);
  });

  test("is the same when it comes in at another node, which goes on with the run", async () => {
    const { bench, runId, invocation, client } = await begun();
    const other = await bench.addEngine();
    await other.privateConnections.result(client.client, { ...leaseOf(invocation), status: "ok", output: 1 });
    await bench.clock.settle();
    await expectAnswered(bench, runId, 1);
    expect([bench.engine, other].map(({ way }) => way.count("runs.commit"))).toEqual([1, 1]);
  });

  test("is stored alone where no worker runs", async () => {
    const { bench, runId, invocation, client } = await begun();
    const idle = await bench.addEngine({ started: false });
    await idle.privateConnections.result(client.client, { ...leaseOf(invocation), status: "ok", output: 1 });
    await bench.clock.advance(10_000);
    await expectAnswered(bench, runId, 1);
  });

  test("leaves a cancel its place: what was accepted before is not overlooked", async () => {
    const { bench, runId, invocation, client } = await begun();
    const cancelled = await bench.addEngine({ started: false });
    bench.engine.way.on("runs.claim", async () => ({ runs: [], nextWakeAtMs: undefined }));
    await cancelled.runs.cancel({ environment, runId, by: alice });
    await client.answer(invocation, 1);
    expect(await bench.read(runId)).toMatchObject({ status: "failed", error: expect.stringContaining("ancelled") });
  });

  test("is refused under another token, and the right one is taken all the same", async () => {
    const { bench, runId, invocation, client } = await begun();
    await expect(client.answer({ ...invocation, leaseToken: "another" }, 0)).rejects.toMatchObject({
      code: "stale_lease",
    });
    await client.answer(invocation, 1);
    await expectAnswered(bench, runId, 1);
  });

  test("of two at the same time counts once", async () => {
    const { bench, runId, invocation, client } = await begun();
    await Promise.all([client.answer(invocation, 1), client.answer(invocation, 2)]);
    await client.answer(invocation, 3);
    await expectAnswered(bench, runId, 1, 2);
  });

  test.each(["was stored", "was not stored"])("can be repeated when its answer is lost (it %s)", async (when) => {
    const { bench, runId, invocation, client } = await begun();
    let lose = true;
    bench.engine.way.on("invocations.settle", async (work) => {
      if (!lose) return await work();
      lose = false;
      if (when === "was stored") await work();
      throw unavailable();
    });
    await expect(client.answer(invocation, 1)).rejects.toMatchObject({ code: "storage_unavailable" });
    await client.answer(invocation, 1);
    await bench.clock.advance(60_000);
    await expectAnswered(bench, runId, 1);
  });

  test("that was not stored does not come before another that was stored after it", async () => {
    const { bench, runId, invocation, client } = await begun();
    const { way } = bench.engine;
    let lose = true;
    way.on("invocations.settle", async (work) => {
      if (!lose) return await work();
      lose = false;
      throw unavailable();
    });
    // The worker looks what became of the first when the second is stored, and before its row is.
    const second = Promise.withResolvers<void>();
    way.on("workers.listRuns", (work) => second.promise.then(work));
    const looked = Promise.withResolvers<void>();
    way.on("inbox.read", (work) => looked.promise.then(work));
    await expect(client.answer(invocation, 1)).rejects.toMatchObject({ code: "storage_unavailable" });
    await client.answer(invocation, 2);
    second.resolve();
    await bench.clock.settle();
    looked.resolve();
    await bench.clock.advance(60_000);
    await expectAnswered(bench, runId, 2);
  });

  test("comes too late for a run whose time is over, and a result that fails ends it as ever", async () => {
    const { bench, runId, invocation, client } = await begun();
    await client.fail(invocation, "No.");
    expect(await bench.read(runId)).toMatchObject({ status: "failed", error: expect.stringContaining("No.") });
    await client.answer(invocation, 1);
    expect(await bench.read(runId)).toMatchObject({ status: "failed" });
  });
});
