import { expect, it } from "vitest";
import { createStatement } from "../src/commit-statement.ts";
import { openRecordedStorage } from "./recorded-statements.ts";
import { commitAll, firstRow, row, scope } from "./run-rows.ts";
import { batch, claimFirings, incoming, putTrigger, source, startingRow } from "./trigger-rows.ts";
import { triggerEventKey } from "@procedo/storage";

const committed = { status: "committed" };
const { workspace } = scope;

it("events are one statement, of one request and of many at the same time", async () => {
  const { storage, asked } = await openRecordedStorage();
  await putTrigger(storage, "trg-1");
  asked();
  await storage.triggers.take(batch([incoming("evt-1"), incoming("evt-2")]));
  expect(asked()).toEqual(["triggers-take"]);
  const ids = Array.from({ length: 20 }, (_, number) => `evt-of-many-${number}`);
  const results = await Promise.all(ids.map((id) => storage.triggers.take(batch([incoming(id)]))));
  expect(results).toEqual(ids.map(() => [{ status: "taken", firings: 1 }]));
  expect(asked()).toEqual(["triggers-take"]);
});

it("a batch that meets a full backlog stores nothing, and delays no other batch of its statement", async () => {
  const { storage } = await openRecordedStorage();
  await putTrigger(storage, "trg-1");
  await putTrigger(storage, "trg-2", {}, { type: "refunded" });
  await storage.triggers.take(batch([incoming("evt-1"), incoming("evt-2")]));
  const keys = [triggerEventKey(scope, source, "refunded")];
  const results = await Promise.all([
    storage.triggers.take(batch([incoming("evt-3", { keys }), incoming("evt-4")], 2)),
    storage.triggers.take(batch([incoming("evt-5", { keys })], 2)),
    storage.triggers.take(batch([incoming("evt-2")], 2)),
  ]);
  expect(results).toEqual(["backlog", [{ status: "taken", firings: 1 }], [{ status: "known" }]]);
  expect((await storage.triggers.list({ scope, triggerId: "trg-2", limit: 9 })).items).toHaveLength(1);
});

it("a batch that Postgres refuses fails alone, and delays no other batch of its statement", async () => {
  const { storage } = await openRecordedStorage();
  await putTrigger(storage, "trg-1");
  const bad = batch([incoming("evt-good"), incoming("evt-bad", { dedupeForMs: 0.5 })]);
  const given = [batch([incoming("evt-1")]), bad, batch([incoming("evt-2")]), bad, batch([incoming("evt-3")])];
  const results = await Promise.allSettled(given.map((one) => storage.triggers.take(one)));
  const taken = { status: "fulfilled", value: [{ status: "taken", firings: 1 }] };
  const refused = { status: "rejected", reason: { code: "internal" } };
  expect(results).toMatchObject([taken, refused, taken, refused, taken]);
  expect((await storage.triggers.list({ scope, triggerId: "trg-1", limit: 9 })).items).toHaveLength(3);
});

it("runs without a trigger are created by a statement that knows nothing of triggers", async () => {
  const { text, columns } = createStatement("procedo", []);
  expect(text).not.toMatch(/trigger|firing/);
  expect(columns.map(({ name }) => name).join()).not.toMatch(/trigger|firing/);
});

it("a firing is started by the one statement that creates its run", async () => {
  const { storage, asked } = await openRecordedStorage();
  await putTrigger(storage, "trg-1");
  await storage.triggers.take(batch([incoming("evt-1"), incoming("evt-2")]));
  const [first, second] = await claimFirings(storage);
  if (first === undefined || second === undefined) throw new Error("Two firings are due.");
  asked();
  const rows = [startingRow("run-1", first), startingRow("run-2", second), firstRow("run-3")];
  expect(await commitAll(storage.runs, rows)).toEqual([committed, committed, committed]);
  expect(asked()).toEqual(["commit-create-trigger-firing"]);
  const { items } = await storage.runs.list({ scope, triggerId: "trg-1", limit: 9 });
  expect(items.map(({ runId }) => runId).sort()).toEqual(["run-1", "run-2"]);
});

it("a commit whose firing is held by another claim is fenced, without an effect on its key or on other commits", async () => {
  const { storage } = await openRecordedStorage();
  await putTrigger(storage, "trg-1");
  await storage.triggers.take(batch([incoming("evt-1"), incoming("evt-2")]));
  const [first, second] = await claimFirings(storage);
  if (first === undefined || second === undefined) throw new Error("Two firings are due.");
  const late = startingRow("run-1", { ...first, epoch: first.epoch + 1 });
  if (late.create === undefined) throw new Error("The row creates a run.");
  const idempotency = { key: "key-1", digest: "digest", expiresAtMs: 1e15 };
  const keyed = { ...late, create: { ...late.create, idempotency } };
  expect(await commitAll(storage.runs, [keyed, startingRow("run-2", second)])).toEqual([
    { status: "fenced" },
    committed,
  ]);
  expect(await storage.runs.findByKey({ scope, procedureId: "pay", idempotencyKey: "key-1" })).toBeUndefined();
  expect(await storage.runs.commit(startingRow("run-1", first))).toEqual(committed);
});

it("a claim of firings that nothing holds back takes a fixed number of statements", async () => {
  const { storage, asked } = await openRecordedStorage();
  for (const id of ["trg-1", "trg-2", "trg-3"]) await putTrigger(storage, id);
  asked();
  await claimFirings(storage);
  expect(asked()).toEqual(["BEGIN", "firings-lock-gates", "COMMIT"]);
  await storage.triggers.take(batch(["evt-1", "evt-2", "evt-3"].map((id) => incoming(id))));
  asked();
  expect(await claimFirings(storage)).toHaveLength(9);
  const claim = ["firings-lock-gates", "firings-read-queued", "firings-lease", "firings-check-open"];
  expect(asked()).toEqual(["BEGIN", ...claim, "COMMIT"]);
});

it("firings whose runs have ended are found by the claims of their trigger, and leave the index of open ones", async () => {
  const { storage, pool } = await openRecordedStorage();
  await putTrigger(storage, "trg-1");
  for (let number = 1; number <= 40; number++) {
    await storage.triggers.take(batch([incoming(`evt-${number}`)]));
    const [firing] = await claimFirings(storage, 2);
    if (firing === undefined) throw new Error("A firing is due.");
    await storage.runs.commit(startingRow(`run-${number}`, firing));
    // The first runs stay open, more than a claim checks.
    if (number <= 10) continue;
    const then = { kind: "ended", status: "completed", endedAtMs: 1 } as const;
    await storage.runs.commit(row(`run-${number}`, 2, { then }));
  }
  const { rows } = await pool.query<{ open: number }>(
    "SELECT count(*)::integer AS open FROM procedo.firings WHERE is_open",
  );
  expect(rows[0]?.open).toBeGreaterThanOrEqual(10);
  expect(rows[0]?.open).toBeLessThanOrEqual(20);
});

it("a custom event and its firings are stored by the statement of its row, once", async () => {
  const { storage, asked } = await openRecordedStorage();
  await putTrigger(storage, "trg-1");
  await storage.runs.commit(firstRow("run-1"));
  const fires = { keys: [triggerEventKey(scope, source, "paid")], body: "{}", digest: "digest", chainDepth: 2 };
  const event = { eventId: "evt-1", event: "custom.paid", createdAtMs: 5, data: "{}" } as const;
  const changes: string[] = [];
  storage.watch(({ type }) => void changes.push(type));
  asked();
  const emitting = row("run-1", 2, { events: [event, { ...event, eventId: "evt-2", fires }] });
  expect(await storage.runs.commit(emitting)).toEqual(committed);
  expect(asked()).toEqual(["commit-append-events-fires"]);
  expect(await storage.runs.commit(emitting)).toEqual(committed);
  expect(changes.filter((type) => type === "fireable")).toEqual(["fireable"]);
  expect(await claimFirings(storage)).toMatchObject([{ event: { id: "evt-2", type: "custom.paid", chainDepth: 2 } }]);
  expect(await claimFirings(storage)).toEqual([]);
});

it("settlements, schedules and additions are one statement each", async () => {
  const { storage, asked } = await openRecordedStorage();
  const schedule = { accountedAtMs: 1, dueAtMs: 2 };
  await putTrigger(storage, "trg-1", { schedule });
  const { schedules } = await storage.triggers.due({ workspace, limit: 9 });
  asked();
  const items = schedules.map((due) => ({
    ...due,
    firings: [{ scheduledAtMs: 2 }, { scheduledAtMs: 3 }],
    next: schedule,
  }));
  expect(await storage.triggers.advance(items)).toEqual(["advanced"]);
  expect(asked()).toEqual(["schedules-advance"]);
  await storage.triggers.add({ scope, triggerId: "trg-1", firings: [{ dedupeKey: "one" }, { dedupeKey: "two" }] });
  expect(asked()).toEqual(["firings-add"]);
  const claimed = await claimFirings(storage);
  expect(claimed).toHaveLength(4);
  asked();
  const next = { status: "failed", reason: "input_invalid", error: "{}" } as const;
  const settled = await storage.triggers.settle(claimed.map((firing) => ({ ...firing, next })));
  expect(settled).toEqual(claimed.map(() => "settled"));
  expect(asked()).toEqual(["firings-settle"]);
});
