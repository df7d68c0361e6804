import type { GivenTriggerSource } from "@procedo/contract";
import type { FiringView } from "@procedo/engine";
import type { ScheduleAdvance } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import { alice } from "./harness.ts";
import { call, procedure, review } from "./documents.ts";
import { createTriggerHarness, daily, dayMs, hourly, hourMs, paymentInput } from "./trigger-harness.ts";

const sandbox = "sandbox";

describe("a schedule", () => {
  test("starts a run at its time, which says what started it", async () => {
    const harness = await createTriggerHarness();
    const { triggerId, next } = await harness.create(hourly);
    expect(next[0]).toMatchObject({ local: "2026-01-02T13:00:00+00:00" });
    await harness.wait(hourMs);
    const [firing] = await harness.firings(triggerId);
    expect(firing).toMatchObject({
      status: "started",
      scheduledAtMs: Date.UTC(2026, 0, 2, 13),
      requestedBy: undefined,
    });
    const [run] = await harness.runs();
    expect(await harness.read(run?.runId ?? "")).toMatchObject({
      status: "completed",
      startedBy: "alice",
      trigger: { kind: "schedule", triggerId, firingId: firing?.firingId, scheduledAt: "2026-01-02T13:00:00.000Z" },
    });
    expect((await harness.engine.runs.list({ environment: sandbox, triggerId, limit: 9 })).items).toHaveLength(1);
  });

  test.each([
    ["none", "skip", 0, [{ status: "skipped", reason: "missed", count: 3 }]],
    ["latest", "skip", 1, [{ status: "skipped", reason: "missed", count: 2 }, { status: "started" }]],
    ["all", "queue", 3, [{ status: "started" }, { status: "started" }, { status: "started" }]],
  ] as const)(
    "case 36: after three days down, catchUp %s with %s starts %i runs",
    async (catchUp, overlap, runs, firings) => {
      const harness = await createTriggerHarness();
      const source = { ...daily, catchUp, catchUpWithin: "PT100H" } as const;
      const { triggerId } = await harness.create(source, { overlap });
      harness.clock.leap(3 * dayMs);
      await harness.clock.advance(30_000);
      expect(await harness.runs()).toHaveLength(runs);
      expect(await harness.firings(triggerId)).toMatchObject(firings);
      // A catch-up set to none stays none in the loop, too.
      await harness.clock.advance(30_000);
      expect(await harness.runs()).toHaveLength(runs);
    },
  );

  test("that is paused starts nothing; its times are one firing after it is resumed", async () => {
    const harness = await createTriggerHarness();
    const { triggerId } = await harness.create(hourly);
    const address = { environment: sandbox, triggerId, by: alice } as const;
    expect(await harness.engine.triggers.pause({ ...address, reason: "holiday" })).toMatchObject({
      paused: { by: "alice", reason: "holiday", events: "skip" },
      next: [],
    });
    await harness.wait(5 * hourMs);
    expect(await harness.firings(triggerId)).toEqual([]);
    expect((await harness.engine.triggers.resume(address)).paused).toBeUndefined();
    await harness.clock.advance(6_000);
    expect(await harness.firings(triggerId)).toMatchObject([{ status: "skipped", reason: "paused", count: 5 }]);
    await harness.wait(hourMs);
    expect((await harness.firings(triggerId)).map(({ status }) => status)).toEqual(["skipped", "started"]);
  });

  const atHalf: GivenTriggerSource = { kind: "schedule", cron: "30 * * * *", timeZone: "UTC" };
  const minutesOf = (firings: readonly FiringView[]) =>
    firings.map(({ status, scheduledAtMs = 0 }) => `${status} ${new Date(scheduledAtMs).getUTCMinutes()}`);

  test("case 40: changed at the second it is due, fires that time once, and later ones by the new expression", async () => {
    const harness = await createTriggerHarness();
    const { triggerId } = await harness.create(hourly);
    harness.clock.leap(hourMs);
    const changed = harness.engine.triggers.update({ environment: sandbox, triggerId, source: atHalf, by: alice });
    await Promise.all([changed, harness.clock.advance(6_000)]);
    expect(minutesOf(await harness.firings(triggerId))).toEqual(["started 0"]);
    await harness.wait(hourMs);
    expect(minutesOf(await harness.firings(triggerId))).toEqual(["started 0", "started 30"]);
    expect(await harness.runs()).toHaveLength(2);
  });

  test("case 40: changed before its first look after downtime, accounts for the times of the old expression", async () => {
    const harness = await createTriggerHarness();
    const { triggerId } = await harness.create(hourly);
    const change = { environment: sandbox, triggerId, source: atHalf, by: alice } as const;
    // The pump of this node reads no schedule before the change.
    harness.engine.way.on("triggers.advance", async (advance, items) =>
      (items as readonly ScheduleAdvance[]).every(({ firings }) => firings.length === 0) || isChanging
        ? await advance()
        : await new Promise(() => {}),
    );
    let isChanging = false;
    await harness.wait(3 * hourMs);
    expect(await harness.firings(triggerId)).toEqual([]);
    isChanging = true;
    await harness.engine.triggers.update(change);
    await harness.addEngine();
    await harness.clock.advance(6_000);
    expect(await harness.firings(triggerId)).toMatchObject([
      { status: "skipped", reason: "missed", count: 2 },
      { status: "started", scheduledAtMs: Date.UTC(2026, 0, 2, 15) },
    ]);
  });

  const atOne = Date.UTC(2026, 0, 2, 13);
  const change = { spread: "PT1H", catchUp: "all", catchUpWithin: "PT1H" } as const;

  test.each(["catchUp", "catchUpWithin", "spread"] as const)(
    "that delays a time by its spread fires it after a change of %s",
    async (field) => {
      const harness = await createTriggerHarness();
      const source = { ...hourly, spread: "PT59M" } as const;
      const { triggerId } = await harness.create(source, { overlap: "queue" });
      await harness.wait(atOne - harness.clock.now() + 1_000);
      expect(await harness.firings(triggerId)).toEqual([]);
      await harness.engine.triggers.update({
        ...{ environment: sandbox, triggerId, by: alice },
        source: { ...source, [field]: change[field] },
      });
      await harness.wait(hourMs - 60_000);
      expect(await harness.firings(triggerId)).toMatchObject([{ status: "started", scheduledAtMs: atOne }]);
    },
  );

  test("whose spread is taken away fires a delayed time now", async () => {
    const harness = await createTriggerHarness();
    const { triggerId } = await harness.create({ ...hourly, spread: "PT59M" } as const);
    await harness.wait(atOne - harness.clock.now() + 1_000);
    await harness.engine.triggers.update({ environment: sandbox, triggerId, by: alice, source: hourly });
    await harness.clock.advance(6_000);
    expect(await harness.firings(triggerId)).toMatchObject([{ status: "started", scheduledAtMs: atOne }]);
  });

  test("whose expression changes while its spread delays a time fires that time now", async () => {
    const harness = await createTriggerHarness();
    const { triggerId } = await harness.create({ ...hourly, spread: "PT59M" } as const);
    await harness.wait(atOne - harness.clock.now() + 1_000);
    await harness.engine.triggers.update({ environment: sandbox, triggerId, by: alice, source: atHalf });
    await harness.clock.advance(6_000);
    expect(minutesOf(await harness.firings(triggerId))).toEqual(["started 0"]);
    await harness.wait(hourMs);
    expect(minutesOf(await harness.firings(triggerId))).toEqual(["started 0", "started 30"]);
  });

  test.each([
    ["expression", atHalf, 3, 3],
    ["catch-up", { ...hourly, catchUp: "none" }, 0, 6],
  ] as const)(
    "whose %s changes during a pause counts the times of the whole pause",
    async (_what, source, at, then) => {
      const harness = await createTriggerHarness();
      const { triggerId } = await harness.create(hourly);
      const address = { environment: sandbox, triggerId, by: alice } as const;
      await harness.engine.triggers.pause(address);
      await harness.wait(3 * hourMs);
      await harness.engine.triggers.update({ ...address, source });
      const counts = async () => (await harness.firings(triggerId)).map(({ reason, count }) => ({ reason, count }));
      expect(await counts()).toEqual(at === 0 ? [] : [{ reason: "paused", count: at }]);
      await harness.wait(3 * hourMs);
      await harness.engine.triggers.resume(address);
      await harness.clock.advance(6_000);
      expect((await counts()).at(-1)).toEqual({ reason: "paused", count: then });
      expect(await harness.runs()).toEqual([]);
    },
  );
});

test.each([
  ["0 0 30 2 *", "UTC", "/source/cron"],
  ["* * * * * *", "UTC", "/source/cron"],
  ["@daily", "UTC", "/source/cron"],
  ["2026-05-01T00:00:00", "UTC", "/source/cron"],
  ["0 * * * *", "+05:30", "/source/timeZone"],
  ["0 * * * *", "Nowhere/Zone", "/source/timeZone"],
  ["0 * * * *", "", "/source/timeZone"],
])("case 40: the schedule %j in %j is refused", async (cron, timeZone, path) => {
  const { create } = await createTriggerHarness();
  await expect(create({ kind: "schedule", cron, timeZone })).rejects.toMatchObject({
    code: "invalid_input",
    details: [{ path, message: expect.stringMatching(/./) as string }],
  });
});

test("case 36: catchUp all contradicts overlap skip", async () => {
  const { create } = await createTriggerHarness();
  await expect(create({ ...daily, catchUp: "all" } as never, { overlap: "skip" })).rejects.toMatchObject({
    code: "invalid_input",
    details: [{ path: "/overlap" }],
  });
});

describe("case 39: while a run waits for a review", () => {
  const withReview = async (overlap: "skip" | "queue_one") => {
    const harness = await createTriggerHarness();
    await harness.publish(procedure([review("approve")]), { version: "v2", defaultIn: [sandbox] });
    const { triggerId } = await harness.create(hourly, { overlap });
    for (let hour = 0; hour < 6; hour++) await harness.wait(hourMs - 6_000);
    const [run] = await harness.runs();
    return { ...harness, triggerId, runId: run?.runId ?? "" };
  };

  test("skip records the times that meet it", async () => {
    const { firings, triggerId, runs } = await withReview("skip");
    expect(await runs()).toHaveLength(1);
    const [first, ...others] = await firings(triggerId);
    expect(first).toMatchObject({ status: "started" });
    expect(others.map(({ reason }) => reason)).toEqual(["overlap", "overlap", "overlap", "overlap", "overlap"]);
  });

  test("queue_one keeps the newest time, which starts within 2 s of the end", async () => {
    const harness = await withReview("queue_one");
    const reasons = (await harness.firings(harness.triggerId)).map(({ status, reason }) => reason ?? status);
    expect(reasons).toEqual(["started", "superseded", "superseded", "superseded", "superseded", "waiting"]);
    await harness.decide(harness.runId);
    await harness.clock.advance(2_000);
    expect(await harness.runs()).toHaveLength(2);
  });
});

describe("a custom event", () => {
  test("starts a run of another procedure with its payload", async () => {
    const harness = await createTriggerHarness();
    const emitting = procedure([call("pay", "once", { emit: { name: "sent", data: { id: "x" } } })], {
      procedureId: "a",
    });
    await harness.publish(emitting);
    await harness.publish(procedure([], { input: paymentInput }), { version: "v2", defaultIn: [sandbox] });
    const { triggerId } = await harness.create(
      { kind: "event", name: "custom.sent", procedureId: "a" },
      { when: 'event.payload.id == "x"', input: { paymentId: "{{ event.runId }}", amount: 1 } },
    );
    const runId = await harness.run({}, { procedureId: "a" });
    await harness.clock.advance(1_000);
    const [firing] = await harness.firings(triggerId);
    expect(firing).toMatchObject({ status: "started", event: { type: "custom.sent" } });
    expect(
      await harness.engine.triggers.firing({ environment: sandbox, triggerId, firingId: firing?.firingId ?? "" }),
    ).toMatchObject({
      input: { paymentId: runId, amount: 1 },
      content: { event: { runId, procedureId: "a", name: "custom.sent", payload: { id: "x" } } },
    });
  });

  test("case 32: a chain of procedures that start each other ends after 8 links, and no run is lost", async () => {
    const harness = await createTriggerHarness();
    for (const [own, other] of [
      ["a", "b"],
      ["b", "a"],
    ] as const) {
      await harness.publish(procedure([call("pay", "once", { emit: { name: own, data: {} } })], { procedureId: own }));
      await harness.create({ kind: "event", name: `custom.${other}` }, { name: own, procedureId: own });
    }
    await harness.run({}, { procedureId: "a" });
    await harness.clock.advance(20_000);
    const runs = await harness.runs();
    expect(runs.map(({ procedureId }) => procedureId)).toEqual(["a", "b", "a", "b", "a", "b", "a", "b", "a"]);
    expect(runs.every(({ status }) => status === "completed")).toBe(true);
    const { items } = await harness.engine.triggers.list({ environment: sandbox, limit: 9 });
    const all = (await Promise.all(items.map(({ triggerId }) => harness.firings(triggerId)))).flat();
    expect(all.filter(({ status }) => status === "failed")).toMatchObject([{ reason: "chain_too_deep" }]);
    expect(all).toHaveLength(9);
    await harness.clock.advance(20_000);
    expect(await harness.runs()).toHaveLength(9);
  });
});
