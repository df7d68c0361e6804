import { manualClock } from "@procedo-testing/faults";
import { describe, expect, test } from "vitest";
import { namedThings } from "./collector.ts";
import {
  collectMs,
  createLiveHub,
  keptEvents,
  keptWithoutReadersMs,
  repeatedEvents,
  resyncMs,
  type LiveEvent,
} from "./live-changes.ts";

function opened(environment: "sandbox" | "live" = "sandbox", after?: string, hub = newHub()) {
  const events: LiveEvent[] = [];
  const reader = hub.hub.follow({ environment, ...(after !== undefined && { after }) }, (event) => events.push(event));
  return { ...hub, events, reader };
}

function newHub() {
  const clock = manualClock();
  return { clock, hub: createLiveHub(clock, "m3k9") };
}

const ids = (events: readonly LiveEvent[]): readonly unknown[] =>
  events.map(({ hint }) => (hint === "resync" ? hint : hint.id));
const again = (base: ReturnType<typeof newHub>, after: string, environment: "sandbox" | "live" = "sandbox") =>
  opened(environment, after, base);

describe("hints", () => {
  test("of one thing within a quarter of a second are one event, and the last one is never lost", async () => {
    const { clock, hub, events } = opened();
    for (let n = 0; n < 5; n++) hub.hint({ kind: "run", id: "run_1" }, "sandbox");
    hub.hint({ kind: "review", id: "run_1" }, "sandbox");
    await clock.advance(collectMs - 1);
    hub.hint({ kind: "run", id: "run_1" }, "sandbox");
    expect(events).toEqual([]);
    await clock.advance(1);
    expect(events.map(({ hint }) => hint)).toEqual([
      { kind: "run", id: "run_1" },
      { kind: "review", id: "run_1" },
    ]);
    hub.hint({ kind: "run", id: "run_1" }, "sandbox");
    await clock.advance(collectMs);
    expect(events).toHaveLength(3);
  });

  test("of more things than a page shows are one event of their kind", async () => {
    const { clock, hub, events } = opened();
    for (let n = 0; n < 10_000; n++) hub.hint({ kind: "run", id: `run_${n}` }, "sandbox");
    await clock.advance(collectMs);
    expect(events.map(({ hint }) => hint)).toEqual([{ kind: "run" }]);
  });

  test("10,000 hints of both environments reach the readers of their environment only", async () => {
    const base = newHub();
    const sandbox = opened("sandbox", undefined, base);
    const live = opened("live", undefined, base);
    for (let n = 0; n < 10_000; n++) {
      base.hub.hint({ kind: "run", id: `run_${n}` }, n % 2 === 0 ? "sandbox" : "live");
      if (n % (2 * namedThings) === 2 * namedThings - 1) await base.clock.advance(collectMs);
    }
    base.hub.hint({ kind: "procedure" }, undefined);
    await base.clock.advance(collectMs);
    const numbers = (events: readonly LiveEvent[]) =>
      ids(events.slice(0, -1)).map((id) => Number(String(id).slice("run_".length)) % 2);
    expect(numbers(sandbox.events)).toEqual(Array.from({ length: 5_000 }, () => 0));
    expect(numbers(live.events)).toEqual(Array.from({ length: 5_000 }, () => 1));
    for (const { events } of [sandbox, live]) expect(events.at(-1)?.hint).toEqual({ kind: "procedure" });
  });
});

describe("resync", () => {
  test("follows a change of unknown extent, for both environments, at most once in two seconds", async () => {
    const { clock, hub, events } = opened("live");
    for (let n = 0; n < 10; n++) hub.resync(undefined);
    await clock.advance(0);
    expect(ids(events)).toEqual(["resync"]);
    hub.resync(undefined);
    await clock.advance(resyncMs - 1);
    expect(events).toHaveLength(1);
    await clock.advance(1);
    expect(ids(events)).toEqual(["resync", "resync"]);
  });

  test("of one environment is not one of the other, and delays none of it", async () => {
    const base = newHub();
    const [sandbox, live] = [opened("sandbox", undefined, base), opened("live", undefined, base)];
    base.hub.resync("sandbox");
    await base.clock.advance(0);
    expect([ids(sandbox.events), ids(live.events)]).toEqual([["resync"], []]);
    base.hub.resync("live");
    await base.clock.advance(0);
    expect(ids(live.events)).toEqual(["resync"]);
  });
});

describe("a reader that was cut off", () => {
  /** Makes one event of each number. */
  async function changed(
    base: ReturnType<typeof newHub>,
    from: number,
    count: number,
    environment: "sandbox" | "live" = "sandbox",
  ) {
    for (let n = from; n < from + count; n += namedThings) {
      const most = Math.min(n + namedThings, from + count);
      for (let each = n; each < most; each++) base.hub.hint({ kind: "run", id: `run_${each}` }, environment);
      await base.clock.advance(collectMs);
    }
  }

  test("goes on after its last event, without one missed or repeated", async () => {
    const base = opened();
    await changed(base, 0, 3);
    base.reader.stop();
    await changed(base, 3, 2);
    const { reader } = again(base, base.events[1]?.eventId ?? "");
    expect(ids(reader.missed)).toEqual(["run_2", "run_3", "run_4"]);
    expect(reader.missed.at(-1)?.eventId).toBe(reader.latest());
    expect(again(base, reader.latest()).reader.missed).toEqual([]);
  });

  test("does not get the events of the other environment that it missed", async () => {
    const base = opened();
    const place = base.reader.latest();
    await changed(base, 0, 3);
    expect(again(base, place, "live").reader.missed).toEqual([]);
  });

  test.each(["m3k9", "m3k9-", "m3k9-1x", "m3k9--1", "other-1", "m3k9-999", "", "m3k9-1e3", "x".repeat(2_000)])(
    "at the place %j, which this process does not know, gets a resync first",
    async (after) => {
      const base = opened();
      await changed(base, 0, 3);
      const { reader } = again(base, after);
      expect(reader.missed).toEqual([{ eventId: reader.latest(), hint: "resync" }]);
    },
  );

  test("for longer than the ring gets a resync; for as long as the ring, every event of its environment", async () => {
    const base = opened();
    await changed(base, 0, 3);
    const [first, second] = base.events.map(({ eventId }) => eventId);
    await changed(base, 3, keptEvents - 1, "live");
    expect(ids(again(base, first ?? "").reader.missed)).toEqual(["resync"]);
    expect(ids(again(base, second ?? "").reader.missed)).toEqual(["run_2"]);
    // The ring is copied now and then.
    await changed(base, 0, 2 * keptEvents, "live");
    await changed(base, 0, 2);
    expect(ids(again(base, `m3k9-${2 * keptEvents + 3}`).reader.missed)).toEqual(["resync"]);
    const { reader } = again(base, `m3k9-${2 * keptEvents + 4}`);
    expect(ids(reader.missed)).toEqual(["run_0", "run_1"]);
    expect(reader.missed.at(-1)?.eventId).toBe(reader.latest());
  });

  test(`gets up to ${repeatedEvents} events one by one, and a resync instead of more`, async () => {
    const base = opened();
    await changed(base, 0, 1);
    const place = base.reader.latest();
    await changed(base, 1, repeatedEvents);
    const { reader } = again(base, place);
    expect(ids(reader.missed)).toEqual(Array.from({ length: repeatedEvents }, (_, n) => `run_${n + 1}`));
    await changed(base, 0, 1);
    expect(again(base, place).reader.missed).toEqual([{ eventId: base.reader.latest(), hint: "resync" }]);
  });

  test("long ago gets a resync if anything changed while there were no readers, else nothing", async () => {
    const base = opened();
    await changed(base, 0, 1);
    const place = base.reader.latest();
    base.reader.stop();
    await base.clock.advance(keptWithoutReadersMs);
    const { reader } = again(base, place);
    expect(reader.missed).toEqual([]);
    reader.stop();
    await base.clock.advance(keptWithoutReadersMs);
    await changed(base, 1, 1);
    expect(ids(again(base, place).reader.missed)).toEqual(["resync"]);
  });
});
