import type { ClaimedDelivery, DeliverySettlement, Scope } from "@procedo/storage";
import { webhookEventKey } from "@procedo/storage";
import { expect } from "vitest";
import { startMs, type ThreeNodes } from "./three-nodes.ts";

export const scope: Scope = { workspace: "acme", environment: "live" };
export const leaseMs = 1_000;

/** Fills and claims from what three nodes have to send. */
export function outboxOf(nodes: () => ThreeNodes) {
  /** Deliveries of so many events to each of these webhooks. */
  async function fill(webhookIds: readonly string[], events: number): Promise<void> {
    const [storage] = nodes().storages;
    const keys = [webhookEventKey(scope, "run_completed")];
    for (const id of webhookIds) {
      const record = { ...scope, kind: "webhook", id, body: "{}", uniqueKeys: [], keys };
      await storage.records.put({ record, ifRevision: 0 });
    }
    const create = { procedureId: "pay", procedureVersion: "v1", createdAtMs: startMs, startedBy: "ada" };
    const event = { event: "run_completed", createdAtMs: startMs, data: "{}" };
    const told = Array.from({ length: events }, (_, number) => ({ ...event, eventId: `event-${number}` }));
    const then = { kind: "hot", workerId: "worker-1" } as const;
    const row = { scope, runId: "run-1", epoch: 1, seq: 1, hash: "hash-1", body: "{}" };
    expect(await storage.runs.commit({ ...row, create, events: told, then })).toEqual({ status: "committed" });
  }

  /** By the node of this number. */
  async function claim(number: number, limit: number, perWebhook: number): Promise<ClaimedDelivery[]> {
    const request = { workspace: scope.workspace, senderId: `sender-${number}`, limit, perWebhook, leaseMs };
    const { deliveries } = await nodes().node(number).deliveries.claim(request);
    return [...deliveries];
  }

  return { fill, claim };
}

export function settled({ deliveryId, epoch }: ClaimedDelivery, status: "delivered" | "failed"): DeliverySettlement {
  const answer = { url: "https://receiver.test", tookMs: 5, responseCode: 200, failure: undefined, manual: false };
  const attempt = { ...answer, atMs: startMs + epoch };
  const item = { scope, deliveryId, epoch, attempt, then: { status } };
  return status === "delivered" ? item : { ...item, error: "The receiver answered 503." };
}
