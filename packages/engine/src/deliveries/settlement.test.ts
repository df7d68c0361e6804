import type { ClaimedDelivery } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import type { AttemptEnd } from "./attempt.ts";
import type { Receiver } from "./receivers.ts";
import { settlementOf, whyNotSent } from "./settlement.ts";

const delivery: ClaimedDelivery = {
  scope: { workspace: "w", environment: "live" },
  deliveryId: "dlv_1",
  webhookId: "whk_1",
  event: "run_completed",
  createdAtMs: 1,
  data: "{}",
  epoch: 3,
  attempt: 2,
  manual: false,
};
const facts = { url: "https://receiver.test/", atMs: 1_000, tookMs: 7 };

function failed(changes: Partial<AttemptEnd & { kind: "failed" }> = {}): AttemptEnd {
  const nothing = { responseCode: undefined, retryAfterMs: undefined };
  return { kind: "failed", failure: "timeout", error: "Too slow.", ...nothing, ...changes };
}

describe("what becomes of a delivery", () => {
  test.each<[string, Partial<ClaimedDelivery>, AttemptEnd, object]>([
    ["was accepted", {}, { kind: "accepted", responseCode: 204 }, { status: "delivered" }],
    ["failed", {}, failed(), { status: "pending", dueAtMs: 301_000 }],
    ["failed for the tenth time", { attempt: 10 }, failed(), { status: "failed" }],
    ["failed when a person had asked for it", { manual: true }, failed(), { status: "failed" }],
    ["is wanted no more", {}, failed({ responseCode: 410, failure: "status" }), { status: "failed" }],
    ["was cut off by our own stop", {}, failed({ failure: "aborted" }), { status: "pending", dueAtMs: 1_000 }],
    [
      "was cut off when a person had asked for it",
      { manual: true },
      failed({ failure: "aborted" }),
      { status: "pending" },
    ],
    ["was not sent", {}, { kind: "unsent", error: "Stopped." }, { status: "pending", dueAtMs: 1_000 }],
  ])("that %s", (_what, changes, end, then) => {
    const settlement = settlementOf({ ...delivery, ...changes }, end, facts, 0.5);
    expect(settlement).toMatchObject({ deliveryId: "dlv_1", epoch: 3, then });
    expect(settlement.attempt === undefined).toBe(end.kind === "unsent");
  });
});

describe("why a delivery is not sent", () => {
  const secrets = () => ({ secret: "whsec_x", old: undefined });
  const receiver: Receiver = { url: "https://receiver.test/", isActive: true, activeSinceMs: 0, secrets };
  const off = { ...receiver, isActive: false };

  test("the webhook is gone, or is not active and nobody asked for it", () => {
    expect(whyNotSent(delivery, receiver)).toBeUndefined();
    expect(whyNotSent(delivery, off)).toContain("not active");
    expect(whyNotSent({ ...delivery, manual: true }, off)).toBeUndefined();
    expect(whyNotSent({ ...delivery, manual: true }, undefined)).toContain("removed");
  });
});
