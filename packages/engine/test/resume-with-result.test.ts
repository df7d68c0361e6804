import { storageUnavailable } from "@procedo-testing/faults";
import type { NewResult } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { firstBrokenRow } from "../src/journal/chain.ts";
import { deriveKey } from "../src/secrets/derive-key.ts";
import { alice, testKey } from "./harness.ts";
import { createPrivateHarness, leaseOf, type PrivateHarness } from "./private-harness.ts";

const environment = "sandbox";

/** A run that waits for a call that a client has acknowledged. */
async function begun() {
  const harness = await createPrivateHarness();
  const client = await harness.connect();
  const runId = await harness.call();
  const invocation = await client.take();
  expect(await client.heartbeat(invocation)).toEqual([]);
  return { harness, client, runId, invocation };
}

/** Its outcome is in the journal once, with one of these outputs, and the chain verifies. */
async function expectAnswered(harness: PrivateHarness, runId: string, ...outputs: readonly unknown[]): Promise<void> {
  const run = await harness.read(runId);
  expect(run).toMatchObject({ status: "completed", output: { said: expect.toBeOneOf([...outputs]) } });
  const rows = await harness.engine.runs.journal({ environment, runId });
  expect(firstBrokenRow(deriveKey(testKey, "journal"), runId, rows)).toBeUndefined();
  expect(rows.filter(({ body }) => body.includes('"outcome"'))).toHaveLength(1);
}

describe("a result for a run that was parked in this process", () => {
  test("has the same result with a storage that does not store the row with it", async () => {
    const { harness, client, runId, invocation } = await begun();
    harness.engine.way.on("invocations.settle", async (_work, request) => {
      const { next: _next, ...result } = request as NewResult;
      return await harness.storage.invocations.settle(result);
    });
    await client.answer(invocation, 1);
    await expectAnswered(harness, runId, 1);
  });

  test("has the same result if it arrives at another node, which resumes the run", async () => {
    const { harness, runId, invocation, client } = await begun();
    const other = await harness.addEngine();
    await other.privateConnections.result(client.client, { ...leaseOf(invocation), status: "ok", output: 1 });
    await harness.clock.settle();
    await expectAnswered(harness, runId, 1);
    expect([harness.engine, other].map(({ way }) => way.count("runs.commit"))).toEqual([1, 1]);
  });

  test("is stored alone if no worker runs", async () => {
    const { harness, runId, invocation, client } = await begun();
    const idle = await harness.addEngine({ started: false });
    await idle.privateConnections.result(client.client, { ...leaseOf(invocation), status: "ok", output: 1 });
    await harness.clock.advance(10_000);
    await expectAnswered(harness, runId, 1);
  });

  test("does not overtake a cancellation that was accepted before", async () => {
    const { harness, runId, invocation, client } = await begun();
    const cancelled = await harness.addEngine({ started: false });
    harness.engine.way.on("runs.claim", async () => ({ runs: [], nextWakeAtMs: undefined }));
    await cancelled.runs.cancel({ environment, runId, by: alice });
    await client.answer(invocation, 1);
    expect(await harness.read(runId)).toMatchObject({ status: "failed", error: expect.stringContaining("ancelled") });
  });

  test("is refused under another token, and the right one is still accepted", async () => {
    const { harness, runId, invocation, client } = await begun();
    await expect(client.answer({ ...invocation, leaseToken: "another" }, 0)).rejects.toMatchObject({
      code: "stale_lease",
    });
    await client.answer(invocation, 1);
    await expectAnswered(harness, runId, 1);
  });

  test("that arrives twice at once counts once", async () => {
    const { harness, runId, invocation, client } = await begun();
    await Promise.all([client.answer(invocation, 1), client.answer(invocation, 2)]);
    await client.answer(invocation, 3);
    await expectAnswered(harness, runId, 1, 2);
  });

  test.each(["was stored", "was not stored"])("can be repeated after a lost answer (it %s)", async (when) => {
    const { harness, runId, invocation, client } = await begun();
    let lose = true;
    harness.engine.way.on("invocations.settle", async (work) => {
      if (!lose) return await work();
      lose = false;
      if (when === "was stored") await work();
      throw storageUnavailable();
    });
    await expect(client.answer(invocation, 1)).rejects.toMatchObject({ code: "storage_unavailable" });
    await client.answer(invocation, 1);
    await harness.clock.advance(60_000);
    await expectAnswered(harness, runId, 1);
  });

  test("that was not stored does not precede a later one that was stored", async () => {
    const { harness, runId, invocation, client } = await begun();
    const { way } = harness.engine;
    let lose = true;
    way.on("invocations.settle", async (work) => {
      if (!lose) return await work();
      lose = false;
      throw storageUnavailable();
    });
    // The worker looks for the first result after the second was stored, and before its row is.
    const second = Promise.withResolvers<void>();
    way.on("workers.listRuns", (work) => second.promise.then(work));
    const looked = Promise.withResolvers<void>();
    way.on("inbox.read", (work) => looked.promise.then(work));
    await expect(client.answer(invocation, 1)).rejects.toMatchObject({ code: "storage_unavailable" });
    await client.answer(invocation, 2);
    second.resolve();
    await harness.clock.settle();
    looked.resolve();
    await harness.clock.advance(60_000);
    await expectAnswered(harness, runId, 2);
  });

  test("arrives too late for an expired run, and a failed result ends the run as usual", async () => {
    const { harness, runId, invocation, client } = await begun();
    await client.fail(invocation, "No.");
    expect(await harness.read(runId)).toMatchObject({ status: "failed", error: expect.stringContaining("No.") });
    await client.answer(invocation, 1);
    expect(await harness.read(runId)).toMatchObject({ status: "failed" });
  });
});
