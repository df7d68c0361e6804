import { storageUnavailable } from "@procedo-testing/faults";
import { describe, expect, test } from "vitest";
import { procedure, review } from "./documents.ts";
import { alice } from "./harness.ts";
import { createTriggerHarness, dayMs, hourly, hourMs, paymentInput, type TriggerHarness } from "./trigger-harness.ts";

/** The nominal times of the runs that a trigger started, in their order. */
async function startedTimes({ firings }: TriggerHarness, triggerId: string): Promise<readonly string[]> {
  return (await firings(triggerId))
    .filter(({ status }) => status === "started")
    .map(({ scheduledAtMs = 0 }) => new Date(scheduledAtMs).toISOString().slice(0, 16))
    .sort();
}

describe("case 38: a clock that jumps doubles no run, and silences no schedule", () => {
  test.each([
    ["back by an hour", [-hourMs], ["2026-01-02T13:00", "2026-01-02T14:00"]],
    ["ahead by an hour and back", [hourMs, -hourMs], ["2026-01-02T13:00", "2026-01-02T14:00", "2026-01-02T15:00"]],
    [
      "ahead by 400 days and back",
      [400 * dayMs, -400 * dayMs],
      ["2026-01-02T13:00", "2026-01-02T14:00", "2026-01-02T15:00", "2027-02-06T13:00"],
    ],
    [
      "back, ahead and back again",
      [-hourMs, hourMs + 400 * dayMs, -400 * dayMs],
      ["2026-01-02T13:00", "2026-01-02T14:00", "2026-01-02T15:00", "2027-02-06T13:00"],
    ],
  ])("%s", async (_name, jumps, times) => {
    const harness = await createTriggerHarness();
    const { triggerId } = await harness.create(hourly);
    await harness.wait(hourMs);
    for (const jumpMs of jumps) {
      harness.clock.jump(jumpMs);
      await harness.clock.advance(6_000);
    }
    await harness.wait(hourMs);
    await harness.wait(hourMs);
    expect(await startedTimes(harness, triggerId)).toEqual(times);
    expect(await harness.runs()).toHaveLength(times.length);
  });

  test("ahead, and back while the service is down", async () => {
    const harness = await createTriggerHarness();
    const { triggerId } = await harness.create(hourly);
    harness.clock.jump(400 * dayMs);
    await harness.clock.advance(6_000);
    const stopped = harness.engine.stop({ drainMs: 0 });
    await harness.clock.advance(3_000);
    await stopped;
    harness.clock.jump(-400 * dayMs);
    await harness.addEngine();
    await harness.clock.advance(3_000);
    await harness.wait(hourMs);
    expect(await startedTimes(harness, triggerId)).toEqual(["2026-01-02T13:00", "2027-02-06T12:00"]);
  });

  test("ahead beyond the end of the schedule and back", async () => {
    const harness = await createTriggerHarness();
    const { triggerId } = await harness.create({ ...hourly, endsAt: "2026-03-01T00:00:00Z", catchUp: "none" } as const);
    harness.clock.jump(400 * dayMs);
    await harness.clock.advance(6_000);
    harness.clock.jump(-400 * dayMs);
    await harness.clock.advance(6_000);
    await harness.wait(hourMs);
    expect(await startedTimes(harness, triggerId)).toEqual(["2026-01-02T13:00"]);
  });
});

describe.each([
  ["behind", 3 * hourMs + 600_000, ["16:00", "17:00", "18:00"]],
  ["ahead of", -3 * hourMs - 600_000, ["09:00", "10:00", "11:00"]],
] as const)("a node whose clock is hours %s storage's", (_name, storageAheadMs, [first, second, third]) => {
  const address = { environment: "sandbox", by: alice } as const;
  const timesOf = async (harness: TriggerHarness, triggerId: string) =>
    (await startedTimes(harness, triggerId)).map((time) => time.slice(11));

  test("creates a schedule that fires the times from now on", async () => {
    const harness = await createTriggerHarness({ storageAheadMs });
    const { triggerId } = await harness.create({ ...hourly, catchUp: "all" } as const, { overlap: "queue" });
    await harness.clock.advance(6_000);
    expect(await harness.firings(triggerId)).toEqual([]);
    for (let hour = 0; hour < 2; hour++) await harness.wait(hourMs);
    expect(await timesOf(harness, triggerId)).toEqual([first, second]);
  });

  test("resumes a schedule, which counts the times of the pause and fires those after it", async () => {
    const harness = await createTriggerHarness({ storageAheadMs });
    const { triggerId } = await harness.create(hourly);
    await harness.engine.triggers.pause({ ...address, triggerId });
    await harness.wait(2 * hourMs);
    await harness.engine.triggers.resume({ ...address, triggerId });
    await harness.wait(hourMs);
    expect(await harness.firings(triggerId)).toMatchObject([{ reason: "paused", count: 2 }, { status: "started" }]);
    expect(await timesOf(harness, triggerId)).toEqual([third]);
  });

  test("counts the failures after a change of the trigger", async () => {
    const harness = await createTriggerHarness({ storageAheadMs });
    const { triggerId } = await harness.create(hourly, { pauseAfterFailures: 2 });
    const publish = (version: string, document: Parameters<typeof harness.publish>[0]) =>
      harness.publish(document, { version, defaultIn: ["sandbox"] });
    const unfit = procedure([], { input: paymentInput });
    await publish("v2", unfit);
    await harness.wait(hourMs);
    await publish("v3", procedure([]));
    await harness.engine.triggers.update({ ...address, triggerId, name: "mended" });
    await publish("v4", unfit);
    await harness.wait(hourMs);
    expect((await harness.trigger(triggerId)).paused).toBeUndefined();
    await harness.wait(hourMs);
    expect((await harness.trigger(triggerId)).paused).toMatchObject({ by: "procedo" });
  });

  test("starts a firing again a second after storage was not available", async () => {
    const harness = await createTriggerHarness({ storageAheadMs });
    const { triggerId } = await harness.create(hourly, { pauseAfterFailures: 9 });
    let failures = 0;
    harness.engine.way.on("triggers.states", async (states) => {
      if (++failures > 1) return await states();
      throw storageUnavailable();
    });
    await harness.wait(hourMs);
    expect(failures).toBeGreaterThan(1);
    expect(await timesOf(harness, triggerId)).toEqual([first]);
  });

  test("backfills the times up to now", async () => {
    const harness = await createTriggerHarness({ storageAheadMs });
    const { triggerId } = await harness.create(hourly, { overlap: "queue" });
    const nowMs = harness.clock.now() + storageAheadMs;
    const period = { fromMs: nowMs - 2 * hourMs, toMs: nowMs + 2 * hourMs };
    expect(await harness.engine.triggers.backfill({ ...address, triggerId, ...period })).toEqual({
      added: 2,
      known: 0,
    });
  });
});

test.each([
  ["behind", 40 * dayMs],
  ["ahead of", -40 * dayMs],
])(
  "a node whose clock is 40 days %s storage's removes the content of an event after 30 days",
  async (_name, aheadMs) => {
    const harness = await createTriggerHarness({ storageAheadMs: aheadMs });
    const { triggerId } = await harness.create(hourly);
    const address = { environment: "sandbox", triggerId } as const;
    const { firingId } = await harness.engine.triggers.fire({ ...address, by: alice, data: {} });
    const content = async () => (await harness.engine.triggers.firing({ ...address, firingId })).content;
    await harness.wait(29 * dayMs);
    expect(await content()).toMatchObject({ event: {} });
    await harness.wait(2 * dayMs);
    expect(await content()).toBeUndefined();
  },
);

test.each([
  ["skip", { started: 1, overlap: 71 }],
  ["queue_one", { started: 1, superseded: 70, waiting: 1 }],
  ["queue", { started: 1, waiting: 71 }],
  ["allow", { started: 72 }],
] as const)("case 39: a review of three days beside an hourly schedule, overlap %s", async (overlap, expected) => {
  const harness = await createTriggerHarness();
  await harness.publish(procedure([review("approve")]), { version: "v2", defaultIn: ["sandbox"] });
  const { triggerId } = await harness.create(hourly, { overlap });
  for (let hour = 0; hour < 72; hour++) await harness.wait(hourMs - 6_000);
  const counts: { [end: string]: number } = {};
  for (const { status, reason } of await harness.firings(triggerId)) {
    const end = reason ?? status;
    counts[end] = (counts[end] ?? 0) + 1;
  }
  expect(counts).toEqual(expected);
});
