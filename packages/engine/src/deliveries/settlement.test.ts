import type { ClaimedDelivery } from "@procedo/storage";
import { describe, expect, test } from "vitest";
import type { AttemptEnd } from "./attempt.ts";
import type { Receiver } from "./receivers.ts";
import { settlementOf, storableSettlement, endWithoutAttempt } from "./settlement.ts";

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

describe("the settlement of a delivery", () => {
  test.each<[string, Partial<ClaimedDelivery>, AttemptEnd, object]>([
    ["was accepted", {}, { kind: "accepted", responseCode: 204 }, { status: "delivered" }],
    ["failed", {}, failed(), { status: "pending", dueAtMs: 301_000 }],
    ["failed for the tenth time", { attempt: 10 }, failed(), { status: "failed" }],
    ["failed as a manual attempt", { manual: true }, failed(), { status: "failed" }],
    ["was answered with 410", {}, failed({ responseCode: 410, failure: "status" }), { status: "failed" }],
    [
      "was aborted by this process's shutdown",
      {},
      failed({ failure: "aborted" }),
      { status: "pending", dueAtMs: 1_000 },
    ],
    ["was aborted as a manual attempt", { manual: true }, failed({ failure: "aborted" }), { status: "pending" }],
    ["was not sent", {}, { kind: "unsent", error: "Stopped." }, { status: "pending", dueAtMs: 1_000 }],
  ])("whose attempt %s", (_what, changes, end, next) => {
    const settlement = settlementOf({ ...delivery, ...changes }, end, facts, 0.5);
    expect(settlement).toMatchObject({ deliveryId: "dlv_1", epoch: 3, next });
    expect(settlement.attempt === undefined).toBe(end.kind === "unsent");
  });

  test.each([
    ["aborted", true],
    ["closed", true],
    ["timeout", false],
    ["connection_lost", false],
  ])("whose attempt ended as %s is cut off: %s", (failure, cutOff) => {
    expect(settlementOf(delivery, failed({ failure }), facts, 0.5).cutOff ?? false).toBe(cutOff);
  });

  test("can be stored for any address and error", () => {
    const settlement = settlementOf(
      delivery,
      failed({ error: "cut \ud83d\0" }),
      { ...facts, url: "http://x/\ud800" },
      0.5,
    );
    expect(storableSettlement(settlement)).toEqual({
      ...settlement,
      attempt: { ...settlement.attempt, url: "http://x/\ufffd" },
      error: "cut \ufffd\ufffd",
    });
    const { attempt: _attempt, error: _error, ...bare } = settlement;
    expect(storableSettlement(bare)).toEqual(bare);
  });
});

describe("a delivery without an attempt", () => {
  const secrets = () => ({ secret: "whsec_x", old: undefined });
  const receiver: Receiver = {
    url: "https://receiver.test/",
    isActive: true,
    deactivatedBecause: undefined,
    activeSinceMs: 0,
    secrets,
  };
  const off = { ...receiver, isActive: false };
  const failed = (reason: string) => ({ status: "failed", error: expect.stringContaining(reason) as string });

  test("is skipped, with the reason, when the webhook is inactive and the delivery is not manual", () => {
    expect(endWithoutAttempt(delivery, receiver)).toBeUndefined();
    expect(endWithoutAttempt({ ...delivery, manual: true }, off)).toBeUndefined();
    expect(endWithoutAttempt(delivery, { ...off, deactivatedBecause: "Deactivated by alice." })).toEqual({
      status: "skipped",
      error:
        "No attempt was made: the webhook was inactive. Deactivated by alice. Activate the webhook and resend this delivery.",
    });
    expect(endWithoutAttempt(delivery, off)).toEqual({
      status: "skipped",
      error: "No attempt was made: the webhook was inactive. Activate the webhook and resend this delivery.",
    });
  });

  test("has failed when attempts without a known result have used up its schedule", () => {
    const lost = failed("All 10 attempts were used");
    expect(endWithoutAttempt({ ...delivery, attempt: 10 }, receiver)).toBeUndefined();
    expect(endWithoutAttempt({ ...delivery, attempt: 11 }, receiver)).toEqual(lost);
    expect(endWithoutAttempt({ ...delivery, attempt: 11, manual: true }, receiver)).toEqual(lost);
  });
});
