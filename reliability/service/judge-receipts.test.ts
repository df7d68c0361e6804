import type { Delivery } from "@procedo/contract";
import type { WebhookEvent } from "@procedo/webhooks";
import { describe, expect, test } from "vitest";
import { judgeReceipts, type Receipts } from "./judge-receipts.ts";

const delivery: Delivery = {
  id: "dlv_1",
  event: "run_failed",
  url: "http://127.0.0.1/hooks",
  status: "delivered",
  attemptCount: 2,
  createdAt: "2026-01-01T00:00:00.000Z",
};
const event: WebhookEvent = {
  id: "dlv_1",
  createdAt: delivery.createdAt,
  event: "run_failed",
  data: { runId: "run_1", procedureId: "crash", environment: "sandbox", status: "failed", error: "No." },
};
const arrival: Receipts["arrivals"][number] = { body: "{}", event, refused: undefined, status: 200 };

function receipts(broken: Partial<Receipts> = {}): Receipts {
  const stored = [{ runId: "run_1", eventId: "evt_1", event: "run_failed" }];
  return { told: [delivery], stored, arrivals: [arrival], ...broken };
}

test("an event may arrive more often than needed, if it is always the same", () => {
  expect(judgeReceipts(receipts())).toEqual([]);
  expect(judgeReceipts(receipts({ arrivals: [{ ...arrival, status: 500 }, arrival] }))).toEqual([]);
});

describe("it is a fault when", () => {
  test.each<[what: string, broken: Partial<Receipts>, says: string]>([
    ["an event never arrived", { arrivals: [] }, "never accepted"],
    ["an event was never accepted", { arrivals: [{ ...arrival, status: 500 }] }, "never accepted"],
    ["a delivery is still pending", { told: [{ ...delivery, status: "pending" }] }, "is pending"],
    ["it arrived more often than it was sent", { arrivals: [arrival, arrival, arrival] }, "3 times in 2 attempts"],
    ["it arrived with other bytes", { arrivals: [arrival, { ...arrival, body: "{ }" }] }, "different bodies"],
    [
      "it arrived under a second id",
      { arrivals: [arrival, { ...arrival, event: { ...event, id: "dlv_2" } }] },
      "dlv_2",
    ],
    ["its signature was wrong", { arrivals: [arrival, { ...arrival, event: undefined, refused: "wrong" }] }, "wrong"],
    ["an event that is stored has no delivery", { told: [], arrivals: [] }, "1 events are stored and 0 arrived"],
    [
      "it was of another run",
      { arrivals: [{ ...arrival, event: { ...event, data: { ...event.data, runId: "run_2" } } }] },
      "not the same ones",
    ],
  ])("%s", (_what, broken, says) => {
    expect(judgeReceipts(receipts(broken)).join()).toContain(says);
  });
});
