import { describe, expect, test } from "vitest";
import type { GivenTriggerSource } from "@procedo/contract";
import type { TriggerView } from "@procedo/engine";
import { triggerEventKey, type TriggerState } from "@procedo/storage";
import { triggerBody, triggerRecord, type TriggerBody } from "../src/triggers/trigger-record.ts";
import { alice } from "./harness.ts";
import { createTriggerHarness, hourly, hourMs, type TriggerHarness } from "./trigger-harness.ts";

const environment = "sandbox";
const scope = { workspace: "default", environment } as const;
const hook: GivenTriggerSource = { kind: "webhook", authentication: { scheme: "token", header: "X-Token" } };
const nothing = { firingsEnded: 0, timesSkipped: 0 };
/** Of one transaction. */
const limit = 2_000;

/** An engine that was not started, on storage that was restored. */
const createCopy = () => createTriggerHarness({ started: false });

/** Creates an hourly schedule that catches up all times that it may. */
function createSchedule({ create }: TriggerHarness, name = "schedule"): Promise<TriggerView> {
  return create({ ...hourly, catchUp: "all" }, { name, overlap: "queue" });
}

async function start({ addEngine, clock }: TriggerHarness) {
  const engine = await addEngine({ started: true });
  await clock.advance(6_000);
  return engine;
}

/** Stores events for a trigger, as its inbound address does. */
async function send({ storage }: TriggerHarness, triggerId: string, count: number): Promise<void> {
  const events = Array.from({ length: count }, (_, number) => ({
    ...{ id: `e${number}`, type: "webhook", digest: "d", dedupeKey: `e${number}`, dedupeForMs: hourMs },
    ...{ body: "{}", headers: undefined, occurredAtMs: undefined },
    keys: [triggerEventKey(scope, triggerId, undefined)],
  }));
  await storage.triggers.take({ scope, source: triggerId, maxBacklog: 10_000, events });
}

/** Writes the record of a trigger without the engine. */
async function rewrite({ storage }: TriggerHarness, triggerId: string, changes: (body: TriggerBody) => TriggerBody) {
  const row = await storage.records.get({ workspace: "default", kind: "trigger", id: triggerId });
  if (row === undefined) throw new Error(`There is no trigger "${triggerId}".`);
  const record = triggerRecord(scope, triggerId, changes(triggerBody(row)), "kept");
  await storage.records.put({ record, ifRevision: row.revision });
}

async function scheduleOf({ storage }: TriggerHarness, triggerId: string): Promise<TriggerState["schedule"]> {
  return (await storage.triggers.states({ scope, triggerIds: [triggerId] }))[0]?.schedule;
}

describe("firings of a restored copy that were pending or waiting", () => {
  test("start no run and are on record as restored, and a person can fire each again", async () => {
    const copy = await createCopy();
    const { triggerId } = await copy.create(hook);
    const held = await copy.create(hook, { name: "held" });
    await copy.engine.triggers.pause({ environment, triggerId: held.triggerId, holdsEvents: true, by: alice });
    for (const id of [triggerId, held.triggerId]) await send(copy, id, 2);
    expect(await copy.engine.markRestored({ by: alice })).toMatchObject({ ...nothing, firingsEnded: 4 });
    expect(await copy.engine.markRestored({ by: alice })).toMatchObject(nothing);

    const engine = await start(copy);
    await engine.triggers.resume({ environment, triggerId: held.triggerId, by: alice });
    await copy.wait(hourMs);
    expect(await copy.runs()).toEqual([]);
    const skipped = { status: "skipped", reason: "restored", count: 1 };
    expect(await copy.firings(held.triggerId)).toMatchObject([skipped, skipped]);
    const [first] = await copy.firings(triggerId);
    const { firingId = "" } = first ?? {};
    await engine.triggers.refire({ environment, triggerId, firingId, by: alice });
    await copy.wait(hourMs);
    expect(await copy.runs()).toHaveLength(1);
    expect(await copy.firings(triggerId)).toMatchObject([skipped, skipped, { status: "started", refireOf: firingId }]);
  });

  test("are ended by a second call when the first one failed half-way, and only the rest is counted", async () => {
    const copy = await createCopy();
    const { triggerId } = await copy.create(hook);
    await send(copy, triggerId, limit + 3);
    const { way } = copy.engine;
    way.on("triggers.endPending", async (end) => {
      if (way.count("triggers.endPending") === 2) throw new Error("The database is gone.");
      return await end();
    });
    await expect(copy.engine.markRestored({ by: alice })).rejects.toThrow("The database is gone.");
    expect(await copy.trigger(triggerId)).toMatchObject({ health: { waiting: 3 } });
    expect(await copy.engine.markRestored({ by: alice })).toMatchObject({ firingsEnded: 3 });
    await start(copy);
    expect(await copy.runs()).toEqual([]);
  });
});

describe("times of a schedule that passed since the copy", () => {
  test("start no run and are one firing with their count, and the next time fires", async () => {
    const copy = await createCopy();
    const { triggerId } = await createSchedule(copy);
    copy.clock.leap(5 * hourMs);
    expect(await copy.engine.markRestored({ by: alice })).toMatchObject({ ...nothing, timesSkipped: 5 });
    expect(await copy.engine.markRestored({ by: alice })).toMatchObject(nothing);
    await start(copy);
    expect(await copy.runs()).toEqual([]);
    const skipped = { status: "skipped", reason: "restored", count: 5 };
    expect(await copy.firings(triggerId)).toMatchObject([skipped]);
    await copy.wait(hourMs);
    expect(await copy.firings(triggerId)).toMatchObject([skipped, { status: "started" }]);
    expect(await copy.runs()).toHaveLength(1);
  });

  test("are skipped for a firing that was due and not yet claimed, too", async () => {
    const copy = await createCopy();
    const { triggerId } = await createSchedule(copy);
    copy.clock.leap(2 * hourMs);
    const started = await copy.addEngine({ started: true });
    started.way.on("triggers.claim", async () => ({ firings: [], skipped: [], nextDueAtMs: undefined }));
    await copy.clock.advance(6_000);
    await started.stop({ drainMs: 0 });
    copy.clock.leap(hourMs);
    expect(await copy.engine.markRestored({ by: alice })).toMatchObject({ firingsEnded: 2, timesSkipped: 1 });
    await start(copy);
    expect(await copy.runs()).toEqual([]);
    const firings = await copy.firings(triggerId);
    expect(firings.map(({ reason, count }) => ({ reason, count }))).toEqual([
      { reason: "restored", count: 1 },
      { reason: "restored", count: 1 },
      { reason: "restored", count: 1 },
    ]);
  });

  test("are backfilled when a person asks for them", async () => {
    const copy = await createCopy();
    const { triggerId } = await createSchedule(copy);
    const fromMs = copy.clock.now() + 1;
    copy.clock.leap(3 * hourMs);
    await copy.engine.markRestored({ by: alice });
    const engine = await start(copy);
    const period = { environment, triggerId, by: alice, fromMs, toMs: fromMs + 4 * hourMs } as const;
    expect(await engine.triggers.backfill(period)).toEqual({ added: 3, known: 0 });
    await copy.wait(hourMs / 2);
    expect(await copy.runs()).toHaveLength(3);
  });

  test("of a pause are counted as paused, also when it ends after the restore", async () => {
    const copy = await createCopy();
    const { triggerId } = await createSchedule(copy);
    await copy.engine.triggers.pause({ environment, triggerId, by: alice });
    copy.clock.leap(2 * hourMs);
    expect(await copy.engine.markRestored({ by: alice })).toMatchObject(nothing);
    const engine = await start(copy);
    await copy.wait(hourMs);
    await engine.triggers.resume({ environment, triggerId, by: alice });
    await copy.clock.advance(6_000);
    expect(await copy.runs()).toEqual([]);
    expect(await copy.firings(triggerId)).toMatchObject([{ reason: "paused", count: 3 }]);
  });

  test("before and after the end of a pause are told apart", async () => {
    const copy = await createCopy();
    const { triggerId } = await createSchedule(copy);
    await copy.engine.triggers.pause({ environment, triggerId, by: alice });
    copy.clock.leap(2 * hourMs);
    await copy.engine.triggers.resume({ environment, triggerId, by: alice });
    copy.clock.leap(3 * hourMs);
    expect(await copy.engine.markRestored({ by: alice })).toMatchObject({ timesSkipped: 3 });
    await start(copy);
    expect(await copy.runs()).toEqual([]);
    expect(await copy.firings(triggerId)).toMatchObject([
      { reason: "paused", count: 2 },
      { reason: "restored", count: 3 },
    ]);
  });

  test("are skipped by a node when the command failed after it had marked the trigger", async () => {
    const copy = await createCopy();
    const { triggerId } = await createSchedule(copy);
    copy.clock.leap(5 * hourMs);
    copy.engine.way.on("triggers.advance", async () => {
      throw new Error("The database is gone.");
    });
    await expect(copy.engine.markRestored({ by: alice })).rejects.toThrow("The database is gone.");
    await start(copy);
    expect(await copy.runs()).toEqual([]);
    expect(await copy.firings(triggerId)).toMatchObject([{ reason: "restored", count: 5 }]);
  });

  test("are skipped although this program cannot read the schedule, by a node that can", async () => {
    const copy = await createCopy();
    const { triggerId } = await createSchedule(copy);
    const zoned = (timeZone: string) =>
      rewrite(copy, triggerId, (body) => ({ ...body, source: { ...body.source, timeZone } as TriggerBody["source"] }));
    await zoned("Mars/Olympus");
    copy.clock.leap(5 * hourMs);
    expect(await copy.engine.markRestored({ by: alice })).toMatchObject(nothing);
    await zoned("UTC");
    await start(copy);
    expect(await copy.runs()).toEqual([]);
    expect(await copy.firings(triggerId)).toMatchObject([{ reason: "restored", count: 5 }]);
  });

  test("start no run on a server whose clock is behind that of the restore", async () => {
    const copy = await createCopy();
    const { triggerId } = await createSchedule(copy);
    copy.clock.leap(5 * hourMs);
    const restoredAtMs = copy.clock.now();
    await rewrite(copy, triggerId, (body) => ({ ...body, restoredAtMs }));
    copy.clock.jump(-2 * hourMs);
    await start(copy);
    expect(await copy.firings(triggerId)).toMatchObject([{ reason: "restored", count: 3 }]);
    await copy.wait(hourMs);
    await copy.wait(hourMs);
    expect(await copy.runs()).toEqual([]);
    await copy.wait(hourMs);
    expect(await copy.runs()).toHaveLength(1);
    expect((await scheduleOf(copy, triggerId))?.accountedAtMs).toBeGreaterThan(restoredAtMs);
  });

  test("go on on a server whose clock was years ahead at the restore, without the times of the copy", async () => {
    const copy = await createCopy();
    const { triggerId } = await createSchedule(copy);
    copy.clock.leap(5.5 * hourMs);
    const restoredAtMs = copy.clock.now() + 400 * 24 * hourMs;
    await rewrite(copy, triggerId, (body) => ({ ...body, restoredAtMs }));
    await start(copy);
    expect(await copy.runs()).toEqual([]);
    await copy.wait(hourMs / 2);
    expect(await copy.runs()).toHaveLength(1);
    const reasons = (await copy.firings(triggerId)).map(({ reason }) => reason);
    expect(new Set(reasons)).toEqual(new Set([undefined, "restored"]));
  });
});

test("the audit chain records the end of the firings of both environments, and each schedule", async () => {
  const copy = await createCopy();
  const { triggerId } = await copy.create(hourly);
  await copy.create(hook, { name: "hook" });
  await copy.engine.markRestored({ by: alice });
  const details = { reason: "The database was restored from a copy." };
  const changes = await copy.engine.audit.changes();
  const ofTriggers = changes.filter(({ action }) => /^trigger\.(pending_ended|restored)$/.test(action));
  expect(ofTriggers.map(({ by, action, subject, details: told }) => ({ by, action, subject, told }))).toEqual([
    { by: "alice", action: "trigger.pending_ended", subject: "sandbox", told: details },
    { by: "alice", action: "trigger.pending_ended", subject: "live", told: details },
    { by: "alice", action: "trigger.restored", subject: `sandbox/${triggerId}`, told: details },
  ]);
});
