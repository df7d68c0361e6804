import { expect, test } from "vitest";
import { claimLimits } from "./claim-limits.ts";

const places = 384;

test("an idle process claims up to half of an environment's places, and 64 deliveries of a webhook", () => {
  const limits = { total: places / 2, perWebhook: 64 };
  expect(claimLimits({ sandbox: 0, live: 0 })).toEqual({ sandbox: limits, live: limits });
});

test("one environment leaves a quarter of the places to the other", () => {
  const { sandbox, live } = claimLimits({ sandbox: places, live: 0 });
  expect(sandbox.total).toBe(0);
  expect(live.total).toBe(64);
  expect(claimLimits({ sandbox: places, live: 128 })).toMatchObject({ sandbox: { total: 0 }, live: { total: 0 } });
});

test("deliveries beyond the limits leave no free places, and no negative number", () => {
  expect(claimLimits({ sandbox: 600, live: 0 })).toMatchObject({ sandbox: { total: 0 }, live: { total: 0 } });
});

test("however many receivers hang, a place is free for another webhook", () => {
  let held = 0;
  for (let webhooks = 0; webhooks < 20; webhooks++) {
    const { total, perWebhook } = claimLimits({ sandbox: 0, live: held }).live;
    expect(Math.min(total, perWebhook)).toBeGreaterThan(0);
    held += Math.min(total, perWebhook);
  }
  expect(held).toBeLessThan(places);
});
