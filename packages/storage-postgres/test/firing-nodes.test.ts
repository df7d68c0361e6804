import type { ClaimedFiring } from "@procedo/storage";
import { expect, it } from "vitest";
import { row, scope } from "./run-rows.ts";
import { startMs, together, useThreeNodes } from "./three-nodes.ts";
import { batch, claimFirings, incoming, manual, putTrigger, startingRow } from "./trigger-rows.ts";

// Only waits in a circle would take longer than a call may take.
const nodes = useThreeNodes({ circlesHang: true });

const statusesOf = async (triggerId: string): Promise<readonly string[]> => {
  const { items } = await nodes().node(1).triggers.list({ scope, triggerId, limit: 1_000 });
  return items.map(({ status, reason }) => (reason === undefined ? status : `${status}: ${reason}`));
};

it("one of fifty equal events at once on three nodes is taken, and the others count as its duplicates", async () => {
  const { node } = nodes();
  await putTrigger(node(0), "trg-1");
  await putTrigger(node(0), "trg-2");
  const results = await together(50, (number) => node(number).triggers.take(batch([incoming("evt-1")])));
  const statuses = results.flatMap((result) => (result === "backlog" ? [] : result.map(({ status }) => status)));
  expect(statuses.filter((status) => status === "taken")).toHaveLength(1);
  expect(statuses.filter((status) => status === "known")).toHaveLength(49);
  for (const triggerId of ["trg-1", "trg-2"]) {
    const { items } = await node(2).triggers.list({ scope, triggerId, limit: 9 });
    expect(items).toMatchObject([{ status: "pending", duplicates: 49 }]);
  }
});

it("batches of the same events in both orders wait for no circle, and store each event once", async () => {
  const { node } = nodes();
  await putTrigger(node(0), "trg-1");
  const events = Array.from({ length: 40 }, (_, number) => incoming(`evt-${number}`));
  const results = await together(30, (number) =>
    node(number).triggers.take(batch(number % 2 === 0 ? events : events.toReversed())),
  );
  const taken = results
    .flatMap((result) => (result === "backlog" ? [] : result))
    .filter(({ status }) => status === "taken");
  expect(taken).toHaveLength(40);
  const { items } = await node(1).triggers.list({ scope, triggerId: "trg-1", limit: 100 });
  expect(items.map(({ duplicates }) => duplicates)).toEqual(items.map(() => 29));
  expect(items).toHaveLength(40);
});

it("an event is taken again by one node once its key is no longer known, and the first keeps its duplicates", async () => {
  const { node, advance } = nodes();
  await putTrigger(node(0), "trg-1");
  const event = incoming("evt-1", { dedupeForMs: 1_000 });
  await together(3, (number) => node(number).triggers.take(batch([event])));
  advance(1_000);
  const again = await together(12, (number) => node(number).triggers.take(batch([event])));
  expect(again.flat().filter((result) => result !== "backlog" && result.status === "taken")).toHaveLength(1);
  const { items } = await node(1).triggers.list({ scope, triggerId: "trg-1", limit: 9 });
  expect(items.map(({ duplicates }) => duplicates)).toEqual([11, 2]);
});

it("each firing is claimed by one of three nodes, however many claim at the same time", async () => {
  const { node } = nodes();
  for (const id of ["trg-1", "trg-2", "trg-3"]) await putTrigger(node(0), id);
  await node(0).triggers.take(batch(Array.from({ length: 30 }, (_, number) => incoming(`evt-${number}`))));
  const claimed: ClaimedFiring[] = [];
  // A claim leaves gates that another claim holds to that one.
  while (claimed.length < 90) {
    const found = (await together(9, (number) => claimFirings(node(number), 7))).flat();
    expect(found.length).toBeGreaterThan(0);
    claimed.push(...found);
  }
  expect(new Set(claimed.map(({ triggerId, firingId }) => `${triggerId} ${firingId}`)).size).toBe(90);
  expect((await together(9, (number) => claimFirings(node(number), 7))).flat()).toEqual([]);
});

it.each(["skip", "queue", "queue_one"] as const)(
  "of a trigger whose firings do not overlap (%s), three nodes start one run at a time",
  async (overlap) => {
    const { node } = nodes();
    await putTrigger(node(0), "trg-1", { overlap });
    await node(0).triggers.take(batch(Array.from({ length: 6 }, (_, number) => incoming(`evt-${number}`))));
    let runs = 0;
    for (let turn = 0; turn < 3; turn++) {
      const claimed = (await together(9, (number) => claimFirings(node(number)))).flat();
      expect(claimed.length).toBeLessThanOrEqual(1);
      for (const firing of claimed) {
        expect(await node(turn).runs.commit(startingRow(`run-${++runs}`, firing))).toEqual({ status: "committed" });
      }
      expect((await together(9, (number) => claimFirings(node(number)))).flat()).toEqual([]);
      if (claimed.length === 0) continue;
      const then = { kind: "ended", status: "completed", endedAtMs: startMs } as const;
      await node(turn).runs.commit(row(`run-${runs}`, 2, { then }));
    }
    expect(runs).toBe(overlap === "queue" ? 3 : 1);
  },
);

it("of the commits that start a run for one claim, and its settlement, one counts", async () => {
  const { node } = nodes();
  await putTrigger(node(0), "trg-1");
  await node(0).triggers.take(batch(Array.from({ length: 20 }, (_, number) => incoming(`evt-${number}`))));
  const claimed = await claimFirings(node(0), 20);
  expect(claimed).toHaveLength(20);
  const ends = await Promise.all(
    claimed.map(async (firing, place) => {
      const settle = async (): Promise<boolean> => {
        const next = { status: "skipped", reason: "filtered" } as const;
        return (await node(place).triggers.settle([{ ...firing, next }]))[0] === "settled";
      };
      const start = async (number: number): Promise<boolean> => {
        const { status } = await node(number).runs.commit(startingRow(`run-${place}-${number}`, firing));
        return status === "committed";
      };
      return (await Promise.all([start(0), start(1), settle(), start(2)])).filter(Boolean).length;
    }),
  );
  expect(ends).toEqual(claimed.map(() => 1));
  expect(new Set(await statusesOf("trg-1"))).not.toContain("pending");
});

it("a run is started under the current epoch only, while another node claims the firing again", async () => {
  const { node, advance } = nodes();
  await putTrigger(node(0), "trg-1");
  await node(0).triggers.add({ scope, triggerId: "trg-1", firings: [manual("one")] });
  const [first] = await claimFirings(node(0));
  advance(60_000);
  const [second] = await claimFirings(node(1));
  if (first === undefined || second === undefined) throw new Error("Both are due.");
  const results = await together(6, (number) =>
    node(number).runs.commit(startingRow(`run-${number}`, number % 2 === 0 ? first : second)),
  );
  expect(results.filter(({ status }) => status === "committed")).toHaveLength(1);
  expect(results.filter(({ status }) => status === "fenced")).toHaveLength(5);
});

it("a due time of a schedule is accounted for by one of three nodes", async () => {
  const { node } = nodes();
  const triggerIds = Array.from({ length: 12 }, (_, number) => `trg-${number}`);
  for (const id of triggerIds) {
    await putTrigger(node(0), id, { schedule: { accountedAtMs: startMs - 1, dueAtMs: startMs } });
  }
  const results = await together(18, async (number) => {
    const { schedules } = await node(number).triggers.due({ workspace: scope.workspace, limit: 12 });
    const items = schedules.map((schedule) => ({
      ...schedule,
      firings: [{ scheduledAtMs: startMs }],
      next: { accountedAtMs: startMs, dueAtMs: startMs + 60_000 },
    }));
    return node(number).triggers.advance(number % 2 === 0 ? items : items.toReversed());
  });
  expect(results.flat().filter((result) => result === "advanced")).toHaveLength(12);
  for (const id of triggerIds) expect(await statusesOf(id)).toEqual(["pending"]);
});

it("a trigger that is removed while its events arrive leaves no firing behind", async () => {
  const { node } = nodes();
  await putTrigger(node(0), "trg-1");
  await Promise.all([
    together(20, (number) => node(number).triggers.take(batch([incoming(`evt-${number}`)]))),
    together(5, (number) => claimFirings(node(number))),
    node(1).records.remove({ workspace: scope.workspace, kind: "trigger", id: "trg-1" }),
  ]);
  expect(await claimFirings(node(2))).toEqual([]);
  expect(new Set(await statusesOf("trg-1"))).not.toContain("pending");
});

it("a trigger is changed while it is claimed, advanced and fired, without a wait in a circle", async () => {
  const { node } = nodes();
  await putTrigger(node(0), "trg-1", { schedule: { accountedAtMs: startMs - 1, dueAtMs: startMs } });
  const change = async (): Promise<void> => {
    for (let revision = 1; revision <= 10; revision++) {
      const overlap = revision % 2 === 0 ? "allow" : "queue_one";
      await putTrigger(node(0), "trg-1", { overlap, schedule: "kept" }, { ifRevision: revision });
    }
  };
  const advance = async (number: number): Promise<void> => {
    const { schedules } = await node(number).triggers.due({ workspace: scope.workspace, limit: 1 });
    const next = { accountedAtMs: startMs, dueAtMs: undefined };
    await node(number).triggers.advance(
      schedules.map((due) => ({ ...due, firings: [{ scheduledAtMs: startMs }], next })),
    );
  };
  const start = async (number: number): Promise<void> => {
    for (const firing of await claimFirings(node(number), 3)) {
      await node(number).runs.commit(startingRow(`run-${firing.firingId}`, firing));
    }
  };
  await Promise.all([
    change(),
    together(12, advance),
    together(12, start),
    together(12, (number) => node(number).triggers.add({ scope, triggerId: "trg-1", firings: [manual(`${number}`)] })),
  ]);
  // Each advance may have met a revision that had changed since it was read.
  await advance(0);
  const statuses = await statusesOf("trg-1");
  expect(statuses).toHaveLength(13);
});
