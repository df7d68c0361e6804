import type { ClaimedDelivery } from "@procedo/storage";
import { describe, expect, it } from "vitest";
import { createLanes } from "./lanes.ts";

const room = 512;
const perWebhook = 64;

function delivery(webhookId: string): ClaimedDelivery {
  return {
    scope: { workspace: "acme", environment: "sandbox" },
    deliveryId: "evt_1",
    webhookId,
    event: "run_completed",
    createdAtMs: 0,
    data: "{}",
    epoch: 1,
    attempt: 1,
    manual: false,
  };
}

/** Lanes in which requests wait to be answered one by one. */
function lanesOf() {
  const lanes = createLanes();
  const asked: ((isQuick: boolean) => void)[] = [];
  const take = (count: number, webhookId = "wh_1"): void => {
    for (let n = 0; n < count; n++) {
      lanes.add(delivery(webhookId));
      lanes.send(delivery(webhookId), () => new Promise((resolve) => void asked.push(resolve)));
    }
  };
  const answer = async (count: number, isQuick = true, webhookId = "wh_1"): Promise<void> => {
    for (const resolve of asked.splice(0, count)) resolve(isQuick);
    await Promise.resolve();
    for (let n = 0; n < count; n++) lanes.remove(delivery(webhookId));
  };
  return { lanes, asked, take, answer };
}

describe("lanes", () => {
  it("send 64 of a webhook at once, the next as soon as one has ended, and others beside them", async () => {
    const { lanes, asked, take, answer } = lanesOf();
    take(100);
    expect(asked).toHaveLength(64);
    take(1, "wh_2");
    expect(asked).toHaveLength(65);
    await answer(10);
    expect(asked).toHaveLength(65);
    expect(lanes.underWay).toBe(91);
  });

  it("widen with each quick answer, up to 256, while most of it is in use", async () => {
    const { lanes, take, answer } = lanesOf();
    expect(lanes.wider(room, perWebhook)).toEqual([]);
    take(64);
    expect(lanes.wider(room, perWebhook)).toEqual([]);
    await answer(20);
    expect(lanes.wider(room, perWebhook)).toEqual([{ environment: "sandbox", webhookId: "wh_1", perWebhook: 84 }]);
    await answer(20);
    // Fewer than half of 64 are under way.
    expect(lanes.wider(room, perWebhook)).toEqual([]);
    for (let turn = 0; turn < 10; turn++) {
      take(60);
      await answer(40);
    }
    expect(lanes.wider(room, perWebhook)).toEqual([{ environment: "sandbox", webhookId: "wh_1", perWebhook: 256 }]);
  });

  it("are narrow again after one answer that was not quick, and when nothing is left", async () => {
    const { lanes, take, answer } = lanesOf();
    take(64);
    await answer(20);
    await answer(1, false);
    expect(lanes.wider(room, perWebhook)).toEqual([]);
    take(40);
    await answer(20);
    expect(lanes.wider(room, perWebhook)).toHaveLength(1);
    await answer(lanes.underWay);
    expect(lanes.underWay).toBe(0);
    take(64);
    expect(lanes.wider(room, perWebhook)).toEqual([]);
  });

  it("leave others half of what these do not have themselves", async () => {
    const { lanes, asked, take, answer } = lanesOf();
    take(64);
    for (let turn = 0; turn < 5; turn++) {
      await answer(40);
      take(40);
    }
    const quick = asked.length;
    for (let webhook = 2; webhook < 8; webhook++) take(50, `wh_${webhook}`);
    expect(asked).toHaveLength(quick + 300);
    expect(lanes.wider(room, perWebhook)).toEqual([{ environment: "sandbox", webhookId: "wh_1", perWebhook: 106 }]);
    expect(lanes.wider(room, 106)).toEqual([]);
  });
});
