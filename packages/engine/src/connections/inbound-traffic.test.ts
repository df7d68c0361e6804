import { createMemoryStorage } from "@procedo/storage";
import { expect, test } from "vitest";
import { connectionRecord } from "./connection-record.ts";
import { createInboundTraffic } from "./inbound-traffic.ts";

const hourMs = 3_600_000;

async function trafficAt(startMs: number) {
  const clock = { nowMs: startMs, now: () => clock.nowMs, after: () => () => {} };
  const storage = createMemoryStorage({ now: clock.now });
  const body = { name: "ledger", integration: "ledger", settings: {}, secrets: {}, createdBy: "ana", createdAtMs: 0 };
  await storage.records.put({ record: connectionRecord("default", "live", "con_1", body), ifRevision: 0 });
  const traffic = () =>
    createInboundTraffic({ records: storage.records, workspace: "default", kind: "connection", clock });
  return { clock, traffic };
}

test("the last verified request of a connection outlives the process that received it", async () => {
  const { clock, traffic } = await trafficAt(5_000);
  const first = traffic();
  first.received("con_1");
  expect((await first.of(["con_1"])).get("con_1")).toEqual({ lastReceivedAtMs: 5_000, refusedLast24h: 0 });
  await first.stop();
  clock.nowMs = 9_000;
  expect((await traffic().of(["con_1"])).get("con_1")).toEqual({ lastReceivedAtMs: 5_000, refusedLast24h: 0 });
});

test("refused requests are counted per connection, and forgotten after 24 hours", async () => {
  const { clock, traffic } = await trafficAt(100 * hourMs);
  const counted = traffic();
  const refused = async (id: string) => (await counted.of([id])).get(id)?.refusedLast24h;
  for (let times = 0; times < 3; times++) counted.refused("con_1");
  clock.nowMs += 12 * hourMs;
  counted.refused("con_1");
  counted.refused("con_2");
  expect([await refused("con_1"), await refused("con_2"), await refused("con_3")]).toEqual([4, 1, 0]);
  clock.nowMs += 12 * hourMs;
  expect(await refused("con_1")).toBe(1);
  counted.refused("con_1");
  clock.nowMs += 12 * hourMs;
  expect(await refused("con_1")).toBe(1);
});

test("no record needs no read", async () => {
  const { traffic } = await trafficAt(0);
  expect(await traffic().of([])).toEqual(new Map());
});
