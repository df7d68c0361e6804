import { describe, expect, test } from "vitest";
import { procedure, review } from "./documents.ts";
import { createTriggerHarness, dayMs, hourly, hourMs, type TriggerHarness } from "./trigger-harness.ts";

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
