import { createMemoryStorage, webhookEventKey, type DeliverySettlement } from "@procedo/storage";
import { expect, test } from "vitest";
import { watchDeliveries, type DeliveryOutcome } from "./watch-deliveries.ts";

const scope = { workspace: "acme", environment: "sandbox" } as const;

test("each settled attempt is reported once, with its result", async () => {
  const reported: DeliveryOutcome[] = [];
  const storage = watchDeliveries(createMemoryStorage({ now: () => 1 }), (outcome) => reported.push(outcome));
  const keys = [webhookEventKey(scope, "run_failed")];
  const record = { ...scope, kind: "webhook", id: "whk_1", body: "{}", uniqueKeys: [], keys };
  await storage.records.put({ record, ifRevision: 0 });
  for (const eventId of ["evt_1", "evt_2", "evt_3", "evt_4"]) {
    const event = { eventId, event: "run_failed", createdAtMs: 1, data: "{}" };
    await storage.deliveries.post({ scope, webhookId: "whk_1", event });
  }
  const limits = { total: 10, perWebhook: 10 };
  const request = { workspace: scope.workspace, limits: { sandbox: limits, live: limits }, leaseMs: 1_000 };
  const { deliveries } = await storage.deliveries.claim(request);
  const facts = { url: "https://example.com", atMs: 1, tookMs: 1, manual: false };
  const attempt = { ...facts, responseCode: undefined, failure: undefined };
  const ends: readonly Omit<DeliverySettlement, "scope" | "deliveryId" | "epoch">[] = [
    { attempt, next: { status: "delivered" } },
    { attempt, error: "500", next: { status: "pending", dueAtMs: 9 } },
    { attempt, error: "410", next: { status: "failed" } },
    { error: "given back", next: { status: "pending", dueAtMs: 9 } },
  ];
  const settlements = deliveries.map(({ deliveryId, epoch }, index) => {
    const end = ends[index];
    if (end === undefined) throw new Error("There are more deliveries than ends.");
    return { scope, deliveryId, epoch, ...end };
  });
  expect(await storage.deliveries.settle(settlements)).toHaveLength(4);
  expect(reported).toEqual(["delivered", "retried", "failed"]);

  await storage.deliveries.settle(settlements.slice(0, 1));
  expect(reported).toHaveLength(3);
});
