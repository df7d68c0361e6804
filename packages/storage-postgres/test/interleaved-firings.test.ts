import { firingIdOf, type ClaimedFiring, type Storage } from "@procedo/storage";
import pg from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { useInterleaving } from "./interleaving.ts";
import { openRecordedStorage } from "./recorded-statements.ts";
import { commitAll, scope } from "./run-rows.ts";
import { batch, incoming, manual, putTrigger, startingRow } from "./trigger-rows.ts";

const { workspace } = scope;
const nowMs = 1_790_000_000_000;

const claim = (storage: Storage) =>
  storage.triggers.claim({ workspace, limits: { sandbox: 9, live: 9 }, leaseMs: 60_000 });

describe("a claim beside a transaction of another node", () => {
  const harness = useInterleaving({ now: () => nowMs });

  it.each([
    ["gate", "trigger_gates"],
    ["firing", "firing_queue"],
  ])("that holds a %s leaves the firing to it, and is to be repeated now", async (_what, table) => {
    const { storage, other } = harness();
    await putTrigger(storage, "trg-1");
    await storage.triggers.take(batch([incoming("evt-1")]));
    await other.query(`BEGIN; SELECT FROM ${table} FOR UPDATE`);
    expect(await claim(storage)).toEqual({ firings: [], skipped: [], nextDueAtMs: nowMs });
    await other.query("COMMIT");
    expect(await claim(storage)).toMatchObject({ firings: [{ triggerId: "trg-1" }], nextDueAtMs: undefined });
  });
});

describe("the newest firing does not pass while the run of one before may be starting", () => {
  let passedMs = 0;
  const harness = useInterleaving({ now: () => nowMs + passedMs });

  /** A firing whose lease has ended, and a newer one. */
  async function lapsedAndNewer(): Promise<void> {
    const { storage } = harness();
    passedMs = 0;
    await putTrigger(storage, "trg-1", { overlap: "queue_one" });
    await storage.triggers.take(batch([incoming("evt-1")]));
    expect((await claim(storage)).firings).toHaveLength(1);
    await storage.triggers.take(batch([incoming("evt-2")]));
    passedMs = 60_001;
  }

  const oldest = "(SELECT min(firing) FROM firing_queue)";

  it("which another transaction holds", async () => {
    const { storage, other } = harness();
    await lapsedAndNewer();
    await other.query(`BEGIN; SELECT FROM firing_queue WHERE firing = ${oldest} FOR UPDATE`);
    expect(await claim(storage)).toEqual({ firings: [], skipped: [], nextDueAtMs: nowMs + passedMs });
    await other.query("ROLLBACK");
    expect(await claim(storage)).toMatchObject({
      firings: [{ event: { id: "evt-2" } }],
      skipped: [{ reason: "superseded", count: 1 }],
    });
  });

  it("which another transaction took from the queue after the claim had read it", async () => {
    const { storage, interleaved } = harness();
    await lapsedAndNewer();
    // The claim waits for the table before it ends firings.
    const change = `LOCK TABLE firings IN SHARE MODE; DELETE FROM firing_queue WHERE firing = ${oldest}`;
    const claimed = await interleaved(change, () => claim(storage));
    expect(claimed).toEqual({ firings: [], skipped: [], nextDueAtMs: nowMs + passedMs });
  });
});

async function start({ runs }: Storage, firings: readonly ClaimedFiring[]): Promise<unknown> {
  return commitAll(
    runs,
    firings.map((firing, number) => startingRow(`run-${number}`, firing)),
  );
}

async function settle({ triggers }: Storage, firings: readonly ClaimedFiring[]): Promise<unknown> {
  return triggers.settle(firings.map((firing) => ({ ...firing, next: { status: "skipped", reason: "filtered" } })));
}

it.each([
  ["starts of their runs", start, "commit-create-trigger-firing"],
  ["settlements", settle, "firings-settle"],
] as const)("the removal of a trigger locks its firings in the order of %s", async (_what, call, statement) => {
  const { storage, asked, url } = await openRecordedStorage();
  const [other, watcher] = [new pg.Client(url), new pg.Client(url)];
  await Promise.all([other.connect(), watcher.connect()]);
  onTestFinished(async () => void (await Promise.all([other.end(), watcher.end()])));
  const waiting = async (count: number): Promise<void> => {
    const those = "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    while ((await watcher.query(those)).rowCount !== count);
  };

  await putTrigger(storage, "trg-1");
  const idOf = (key: string): string => firingIdOf("trg-1", key);
  const [low = "", middle = "", high = ""] = ["a", "b", "c"].toSorted((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
  // In the order of their ids, the one that is held is the second. In the order of their numbers, it is the last.
  await storage.triggers.add({ scope, triggerId: "trg-1", firings: [high, low, middle].map(manual) });
  const { firings } = await claim(storage);
  await other.query("BEGIN");
  const held = "(SELECT firing FROM procedo.firings WHERE firing_id = $1)";
  await other.query(`SELECT FROM procedo.firing_queue WHERE firing = ${held} FOR UPDATE`, [idOf(middle)]);
  asked();
  const called = call(storage, firings.toReversed());
  await waiting(1);
  const removed = storage.records.remove({ workspace, kind: "trigger", id: "trg-1" });
  await waiting(2);
  await other.query("COMMIT");
  await Promise.all([called, removed]);
  // A statement that Postgres rolled back to end a wait in a circle would have been repeated.
  const names = asked().filter((name) => name === statement || name === "firings-end-deleted");
  expect(names.toSorted()).toEqual([statement, "firings-end-deleted"].toSorted());
  const { items } = await storage.triggers.list({ scope, triggerId: "trg-1", limit: 9 });
  expect(items.map(({ reason }) => reason)).not.toContain("deleted");
});
