import { describe, expect, test } from "vitest";
import type { ScheduleSource } from "@procedo/contract";
import { triggerBody, triggerRecord } from "../src/triggers/trigger-record.ts";
import { alice } from "./harness.ts";
import { createTriggerHarness, hourly, hourMs, type TriggerHarness } from "./trigger-harness.ts";

const scope = { workspace: "default", environment: "sandbox" } as const;

/** Changes a stored schedule as a node of another release may: this one could not read it. */
async function storeSchedule(
  { storage }: TriggerHarness,
  triggerId: string,
  changes: Partial<ScheduleSource>,
): Promise<void> {
  const row = await storage.records.get({ workspace: "default", kind: "trigger", id: triggerId });
  if (row === undefined) throw new Error(`There is no trigger "${triggerId}".`);
  const body = triggerBody(row);
  const source = { ...body.source, ...changes } as ScheduleSource;
  const record = triggerRecord(scope, triggerId, { ...body, source }, "kept");
  await storage.records.put({ record, ifRevision: row.revision });
}

describe.each([
  ["time zone", { timeZone: "Mars/Olympus" }],
  ["expression", { cron: "0 * * * ?" }],
])("a schedule whose %s this node does not know", (_name, changes) => {
  test("stops no other trigger, and is logged once", async () => {
    const harness = await createTriggerHarness();
    const unreadable = await harness.create(hourly);
    const readable = await harness.create(hourly, { name: "u" });
    await storeSchedule(harness, unreadable.triggerId, changes);
    // It meets the schedule in its first review, too.
    const other = await harness.addEngine();
    await harness.wait(hourMs);
    await harness.wait(hourMs);
    expect(await harness.firings(readable.triggerId)).toMatchObject([{ status: "started" }, { status: "started" }]);
    expect(await harness.firings(unreadable.triggerId)).toEqual([]);
    const message =
      "error: This node cannot read the schedule of a trigger; other nodes may. Change it, or update the node.";
    for (const { logged } of [harness.engine, other]) {
      expect(logged.filter((line) => line === message)).toHaveLength(1);
      expect(logged.filter((line) => line.includes("Storage did not answer"))).toEqual([]);
    }
  });

  test("is shown as a problem, and fires again once it is changed", async () => {
    const harness = await createTriggerHarness();
    const { triggerId } = await harness.create(hourly);
    await storeSchedule(harness, triggerId, changes);
    const { items } = await harness.engine.triggers.list({ environment: "sandbox", limit: 9 });
    expect(items).toMatchObject([
      { triggerId, health: { status: "needs_attention" }, next: [], problems: [{ path: "/source" }] },
    ]);
    await harness.engine.triggers.update({ environment: "sandbox", triggerId, source: hourly, by: alice });
    await harness.wait(hourMs);
    expect(await harness.runs()).toHaveLength(1);
  });
});

test("as many schedules as a node accounts for together cannot keep it from another one", async () => {
  const harness = await createTriggerHarness();
  for (let number = 0; number < 100; number++) {
    const { triggerId } = await harness.create(hourly, { name: `t${number}` });
    await storeSchedule(harness, triggerId, { timeZone: "Mars/Olympus" });
  }
  const { triggerId } = await harness.create({ kind: "schedule", cron: "1 13 * * *", timeZone: "UTC" }, { name: "u" });
  await harness.wait(hourMs + 60_000);
  expect(await harness.firings(triggerId)).toMatchObject([{ status: "started" }]);
});

test("firings start while schedules cannot be read from storage", async () => {
  const harness = await createTriggerHarness();
  const { triggerId } = await harness.create(hourly);
  harness.engine.way.on("triggers.due", () => Promise.reject(new Error("due")));
  await harness.engine.triggers.fire({ environment: "sandbox", triggerId, by: alice });
  await harness.clock.advance(3_000);
  expect(await harness.firings(triggerId)).toMatchObject([{ status: "started" }]);
});
