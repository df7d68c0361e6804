import { storageUnavailable } from "@procedo-testing/faults";
import type { Invocation } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { createPrivateHarness, leaseOf } from "./private-harness.ts";

/** Runs that wait for calls that one client has acknowledged. */
async function begun(count: number) {
  const harness = await createPrivateHarness();
  const client = await harness.connect();
  const calls: { readonly runId: string; readonly invocation: Invocation }[] = [];
  for (let n = 0; n < count; n++) calls.push({ runId: await harness.call(), invocation: await client.take() });
  const results = calls.map(({ invocation }, n) => ({ ...leaseOf(invocation), status: "ok", output: n }) as const);
  const give = () => harness.engine.privateConnections.results(client.client, results);
  const taken = results.map(({ invocationId }) => ({ invocationId, success: true }));
  const said = async () =>
    await Promise.all(calls.map(async ({ runId }) => (await harness.read(runId)).output?.["said"]));
  return { harness, client, results, give, taken, said };
}

describe("results that are sent together", () => {
  test("are stored at the same time, and their connection is read once", async () => {
    const { harness, give, taken, said } = await begun(5);
    const { way } = harness.engine;
    const all = Promise.withResolvers<void>();
    let atOnce = 0;
    way.on("invocations.settle", async (work) => {
      if ((atOnce += 1) === 5) all.resolve();
      await all.promise;
      return await work();
    });
    await harness.clock.advance(20_000);
    const reads = way.count("records.find");
    expect(await give()).toEqual(taken);
    expect(way.count("records.find") - reads).toBe(1);
    await harness.clock.settle();
    expect(await said()).toEqual([0, 1, 2, 3, 4]);
  });

  test("are refused individually", async () => {
    const { harness, client, results, taken } = await begun(3);
    const given = results.map((one, n) => (n === 1 ? { ...one, leaseToken: "another" } : one));
    const settled = await harness.engine.privateConnections.results(client.client, given);
    const stale = { ...taken[1], success: false, error: expect.any(String), code: "stale_lease" };
    expect(settled).toEqual([taken[0], stale, taken[2]]);
  });

  test.each(["was stored", "was not stored"])(
    "get no answer if one of them is uncertain (it %s), and can be sent again",
    async (when) => {
      const { harness, give, taken, said } = await begun(3);
      let settles = 0;
      harness.engine.way.on("invocations.settle", async (work) => {
        if ((settles += 1) !== 2) return await work();
        if (when === "was stored") await work();
        throw storageUnavailable();
      });
      await expect(give()).rejects.toMatchObject({ code: "storage_unavailable" });
      expect(settles).toBe(3);
      expect(await give()).toEqual(taken);
      await harness.clock.advance(60_000);
      expect(await said()).toEqual([0, 1, 2]);
    },
  );

  test("are refused as a whole with an invalid token", async () => {
    const { harness, client, results } = await begun(1);
    const nobody = { ...client.client, tokenDigest: "x" };
    const giving = harness.engine.privateConnections.results(nobody, results);
    await expect(giving).rejects.toMatchObject({ code: "unauthorized" });
  });
});
