import { expect, test } from "vitest";
import { storageUnavailable } from "@procedo-testing/faults";
import type { RunCommit } from "@procedo/storage";
import { alice } from "./harness.ts";
import { createTriggerHarness, hourly, hourMs, type TriggerHarness } from "./trigger-harness.ts";

const secret = "whsec_of_the_shop";

/** An hourly trigger whose starts fail until they are mended. */
async function failing(breakStarts: (harness: TriggerHarness, isBroken: () => boolean, tried: () => void) => void) {
  const harness = await createTriggerHarness();
  let isBroken = true;
  let tries = 0;
  const { triggerId } = await harness.create(hourly, { overlap: "queue", pauseAfterFailures: 100 });
  breakStarts(
    harness,
    () => isBroken,
    () => void (tries += 1),
  );
  await harness.wait(hourMs);
  return {
    ...harness,
    triggerId,
    /** The trigger, whose view reads the failures as well. */
    shown: async () => {
      const before = isBroken;
      isBroken = false;
      return await harness.trigger(triggerId).finally(() => (isBroken = before));
    },
    tries: () => tries,
    mend: () => void (isBroken = false),
  };
}

/** Storage refuses the row of each run that a firing starts. */
function refuseRows(harness: TriggerHarness, isBroken: () => boolean, tried: () => void): void {
  harness.engine.way.on("runs.commit", async (commit, request) => {
    if (!isBroken() || (request as RunCommit).create?.firing === undefined) return await commit();
    tried();
    return { status: "refused", error: new Error(`The value ${secret} is refused.`) };
  });
}

/** The read of earlier failures, before the start, fails. */
function failToReadFailures(error: () => Error) {
  return (harness: TriggerHarness, isBroken: () => boolean, tried: () => void): void => {
    harness.engine.way.on("triggers.states", async (states) => {
      if (!isBroken()) return await states();
      tried();
      throw error();
    });
  };
}

test.each([
  ["whose row is refused", refuseRows],
  ["before which a defect shows", failToReadFailures(() => new TypeError(`${secret} is not a function`))],
] as const)(
  "a start %s is tried for a day, fails, and holds back the trigger no longer",
  async (_what, breakStarts) => {
    const harness = await failing(breakStarts);
    const { triggerId, clock } = harness;
    await clock.advance(hourMs);
    expect(harness.tries()).toBeGreaterThan(5);
    expect(harness.tries()).toBeLessThan(20);
    for (let hour = 0; hour < 22; hour++) await harness.wait(hourMs);
    const [before, ...waiting] = await harness.firings(triggerId);
    expect(before).toMatchObject({ status: "pending" });
    expect(waiting.length).toBeGreaterThan(20);
    for (let hour = 0; hour < 2; hour++) await harness.wait(hourMs);

    const [first] = await harness.firings(triggerId);
    expect(first).toMatchObject({ status: "failed", reason: "start_failed", error: { details: [] } });
    expect(JSON.stringify(first)).not.toContain(secret);
    expect((await harness.shown()).health).toMatchObject({ status: "failing", consecutiveFailures: 1 });
    expect(await harness.runs()).toEqual([]);

    harness.mend();
    for (let hour = 0; hour < 2; hour++) await harness.wait(hourMs);
    const [, second] = await harness.firings(triggerId);
    expect(second).toMatchObject({ status: "started" });
    const address = { environment: "sandbox", triggerId, by: alice } as const;
    const { firingId } = await harness.engine.triggers.refire({ ...address, firingId: first?.firingId ?? "" });
    await clock.advance(1_000);
    const again = (await harness.firings(triggerId)).find((firing) => firing.firingId === firingId);
    expect(again).toMatchObject({ status: "started", refireOf: first?.firingId });
  },
);

test("a firing waits for storage for longer than a day, and starts its run once", async () => {
  const harness = await failing(failToReadFailures(storageUnavailable));
  for (let hour = 0; hour < 30; hour++) await harness.wait(hourMs);
  expect(harness.tries()).toBeGreaterThan(30);
  const [before] = await harness.firings(harness.triggerId);
  expect(before).toMatchObject({ status: "pending" });
  harness.mend();
  await harness.wait(hourMs);
  const [after] = await harness.firings(harness.triggerId);
  expect(after).toMatchObject({ firingId: before?.firingId, status: "started" });
  const runs = await harness.runs();
  expect(runs.filter(({ trigger }) => trigger?.includes(before?.firingId ?? "none") === true)).toHaveLength(1);
});
