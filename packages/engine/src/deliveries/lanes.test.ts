import type { ClaimedDelivery } from "@procedo/storage";
import { describe, expect, it } from "vitest";
import { createLanes } from "./lanes.ts";

const boundsOf = (perWebhook: number) => ({
  sandbox: { limit: 192, perWebhook },
  live: { limit: 192, perWebhook },
});
const bounds = boundsOf(64);

function delivery(webhookId: string, data = "{}"): ClaimedDelivery {
  return {
    scope: { workspace: "acme", environment: "sandbox" },
    deliveryId: "evt_1",
    webhookId,
    event: "run_completed",
    createdAtMs: 0,
    data,
    epoch: 1,
    attempt: 1,
    manual: false,
  };
}

/** Lanes in which requests wait to be answered one by one. */
function lanesOf(soon = (callback: () => void): void => callback()) {
  const lanes = createLanes(soon);
  const asked: ((isQuick: boolean) => void)[] = [];
  const givenBack: string[] = [];
  const take = (count: number, webhookId = "wh_1"): void => {
    for (let n = 0; n < count; n++) {
      lanes.add(delivery(webhookId));
      lanes.send(delivery(webhookId), {
        send: () => new Promise((resolve) => void asked.push(resolve)),
        giveBack: () => void givenBack.push(webhookId),
      });
    }
  };
  const answer = async (count: number, isQuick = true, webhookId = "wh_1"): Promise<void> => {
    for (const resolve of asked.splice(0, count)) resolve(isQuick);
    await Promise.resolve();
    for (let n = 0; n < count; n++) lanes.remove(delivery(webhookId));
  };
  /** Its receiver has answered so many quickly, and 64 are under way. */
  const takeQuick = async (answers: number, webhookId = "wh_1"): Promise<void> => {
    take(64, webhookId);
    for (let n = 0; n < answers; n++) {
      take(1, webhookId);
      const mine = asked.splice(-64);
      const others = asked.splice(0);
      asked.push(...mine);
      await answer(1, true, webhookId);
      asked.unshift(...others);
    }
  };
  const boundOf = (more: number, webhookId = "wh_1") => ({ environment: "sandbox", webhookId, perWebhook: more });
  return { lanes, asked, givenBack, take, answer, takeQuick, boundOf };
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

  it("send what was waiting for the answers of one turn together, and nothing that comes later before it", async () => {
    const turns: (() => void)[] = [];
    const { asked, take, answer } = lanesOf((callback) => void turns.push(callback));
    take(100);
    await answer(10);
    await answer(5);
    take(1);
    expect([asked.length, turns.length]).toEqual([49, 1]);
    turns.shift()?.();
    expect([asked.length, turns.length]).toEqual([64, 0]);
    await answer(1);
    turns.shift()?.();
    expect(asked).toHaveLength(64);
  });

  it("send what waited in several for the answers of one turn, and nothing where one was not quick meanwhile", async () => {
    const turns: (() => void)[] = [];
    const { asked, givenBack, take, answer } = lanesOf((callback) => void turns.push(callback));
    take(70, "wh_1");
    take(70, "wh_2");
    take(70, "wh_3");
    await answer(63, true, "wh_1");
    await answer(1, true, "wh_1");
    await answer(1, true, "wh_2");
    await answer(1, false, "wh_2");
    expect([givenBack.length, turns.length]).toEqual([6, 1]);
    asked.splice(0, 62);
    await answer(1, true, "wh_3");
    turns.shift()?.();
    // Of the first six, of the second none, of the third one.
    expect(asked).toHaveLength(63 + 6 + 1);
  });

  it("widen by each quick answer, by 4,032 at most, while most of what anybody may have is in use", async () => {
    const { lanes, take, answer, boundOf } = lanesOf();
    take(64);
    expect(lanes.wider(bounds)).toEqual([]);
    await answer(20);
    expect(lanes.wider(bounds)).toEqual([boundOf(84)]);
    await answer(20);
    // Fewer than half of 64 are under way.
    expect(lanes.wider(bounds)).toEqual([]);
    for (let turn = 0; turn < 110; turn++) {
      take(60);
      await answer(40);
    }
    expect(lanes.wider(bounds)).toEqual([boundOf(4_096)]);
    expect(lanes.wider(boundsOf(8))).toEqual([boundOf(4_040)]);
  });

  it("widen no further while what was settled has not left, so that claims beside a slow settlement stay bounded", async () => {
    const { lanes, take, takeQuick, boundOf } = lanesOf();
    await takeQuick(4_200);
    take(5_000);
    expect(lanes.wider(bounds)).toEqual([boundOf(4_096)]);
  });

  it("never widen without a quick answer, however little a webhook may have", () => {
    const { lanes, take } = lanesOf();
    take(64);
    take(40, "wh_2");
    for (const bound of [64, 32, 8, 1]) expect(lanes.wider(boundsOf(bound))).toEqual([]);
  });

  it("are narrow again after one answer that was not quick, and give back what waits", async () => {
    const { lanes, asked, givenBack, take, answer } = lanesOf();
    take(64);
    await answer(40);
    take(100);
    expect(asked).toHaveLength(64);
    await answer(1, false);
    expect(lanes.wider(bounds)).toEqual([]);
    expect(givenBack).toHaveLength(60);
    expect(asked).toHaveLength(63);
  });

  it("remember what a webhook has earned when nothing of it is left, until they are told to forget it", async () => {
    const { lanes, take, answer, boundOf } = lanesOf();
    take(64);
    await answer(64);
    expect(lanes.underWay).toBe(0);
    take(64);
    lanes.forgetEmpty();
    expect(lanes.wider(bounds)).toEqual([boundOf(128)]);
    await answer(64);
    lanes.forgetEmpty();
    take(64);
    expect(lanes.wider(bounds)).toEqual([]);
  });

  it("share what may wait: those of several quick receivers have 4,032 together", async () => {
    const { lanes, take, takeQuick, boundOf } = lanesOf();
    await takeQuick(4_100, "wh_1");
    await takeQuick(4_100, "wh_2");
    expect(lanes.wider(bounds)).toEqual([boundOf(64 + 2_016, "wh_1"), boundOf(64 + 2_016, "wh_2")]);
    take(2_016, "wh_1");
    expect(lanes.wider(bounds)).toEqual([boundOf(64 + 2_016 + 1_008, "wh_1"), boundOf(64 + 1_008, "wh_2")]);
    take(1_008, "wh_1");
    take(1_008, "wh_2");
    expect(lanes.wider(bounds)).toEqual([boundOf(64 + 3_024, "wh_1"), boundOf(64 + 1_008, "wh_2")]);
  });

  it("widen for no quick receiver while these have large events under way, whatever slow ones have", async () => {
    const { lanes, takeQuick, boundOf } = lanesOf();
    await takeQuick(10);
    for (let n = 0; n < 64; n++) lanes.add(delivery("wh_slow", "x".repeat(1024 * 1024)));
    expect(lanes.wider(bounds)).toEqual([boundOf(74)]);
    const large = delivery("wh_1", "x".repeat(1024 * 1024));
    for (let n = 0; n < 16; n++) lanes.add(large);
    expect(lanes.wider(bounds)).toEqual([]);
    for (let n = 0; n < 16; n++) lanes.remove(large);
    expect(lanes.wider(bounds)).toEqual([boundOf(74)]);
  });

  it("widen for no more than large events leave room for", async () => {
    const { lanes, takeQuick, boundOf } = lanesOf();
    await takeQuick(200);
    const large = delivery("wh_1", "x".repeat(256 * 1024));
    for (let n = 0; n < 32; n++) lanes.add(large);
    // 96 have 8 of 16 Mi, and so there is room for as many.
    expect(lanes.wider(bounds)).toEqual([boundOf(64 + 32 + 95)]);
    // Of two, each by what its own weigh.
    await takeQuick(200, "wh_2");
    expect(lanes.wider(bounds)).toEqual([boundOf(64 + 32 + 47, "wh_1"), boundOf(64 + 200, "wh_2")]);
  });

  it("are supplied while half of what may wait does, or a quick receiver's part of that", async () => {
    const { lanes, take, takeQuick, answer } = lanesOf();
    expect(lanes.isSupplied(delivery("wh_1"))).toBe(false);
    await takeQuick(10, "wh_1");
    expect(lanes.isSupplied(delivery("wh_1"))).toBe(false);
    take(2_016, "wh_1");
    expect(lanes.isSupplied(delivery("wh_1"))).toBe(true);
    await answer(1);
    expect(lanes.isSupplied(delivery("wh_1"))).toBe(false);
    take(64 + 1_008, "wh_2");
    expect([lanes.isSupplied(delivery("wh_1")), lanes.isSupplied(delivery("wh_2"))]).toEqual([true, true]);
    lanes.giveBackWaiting();
    expect([lanes.isSupplied(delivery("wh_1")), lanes.isSupplied(delivery("wh_2"))]).toEqual([false, false]);
  });

  it("count what goes out, and not what waits behind it", async () => {
    const { lanes, take } = lanesOf();
    take(200, "wh_1");
    take(10, "wh_2");
    expect(lanes.goingOut([])).toEqual({ sandbox: 74, live: 0 });
    expect(lanes.goingOut([delivery("wh_2"), delivery("wh_1")])).toEqual({ sandbox: 73, live: 0 });
    expect(lanes.underWay).toBe(210);
  });

  it("give back all that waits when they are asked to", () => {
    const { lanes, asked, givenBack, take } = lanesOf();
    take(70, "wh_1");
    take(66, "wh_2");
    lanes.giveBackWaiting();
    expect(givenBack).toEqual([...Array.from({ length: 6 }, () => "wh_1"), "wh_2", "wh_2"]);
    expect(asked).toHaveLength(128);
  });
});
