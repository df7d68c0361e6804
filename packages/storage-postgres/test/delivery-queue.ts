import type { ClaimedDelivery, DeliverySettlement, DeliveryStore, Scope } from "@procedo/storage";
import { webhookEventKey } from "@procedo/storage";
import { expect } from "vitest";
import { startMs, type ThreeNodes } from "./three-nodes.ts";

export const scope: Scope = { workspace: "acme", environment: "live" };
export const leaseMs = 1_000;

/** A claim with the same limits for both environments. */
export function claimOf(total: number, perWebhook: number): Parameters<DeliveryStore["claim"]>[0] {
  const limits = { total, perWebhook };
  return { workspace: scope.workspace, limits: { sandbox: limits, live: limits }, leaseMs };
}

/** Fills the delivery queue of three nodes, and claims from it. */
export function deliveryQueueOf(nodes: () => ThreeNodes) {
  /** Creates deliveries of this many events to each of these webhooks. */
  async function fill(webhookIds: readonly string[], events: number): Promise<void> {
    const [storage] = nodes().storages;
    const keys = [webhookEventKey(scope, "run_completed")];
    for (const id of webhookIds) {
      const record = { ...scope, kind: "webhook", id, body: "{}", uniqueKeys: [], keys };
      await storage.records.put({ record, ifRevision: 0 });
    }
    const create = { procedureId: "pay", procedureVersion: "v1", createdAtMs: startMs, startedBy: "ada" };
    const event = { event: "run_completed", createdAtMs: startMs, data: "{}" };
    const reported = Array.from({ length: events }, (_, number) => ({ ...event, eventId: `event-${number}` }));
    const then = { kind: "hot", workerId: "worker-1" } as const;
    const row = { scope, runId: "run-1", epoch: 1, seq: 1, hash: "hash-1", body: "{}" };
    expect(await storage.runs.commit({ ...row, create, events: reported, then })).toEqual({ status: "committed" });
  }

  /** Claims through the node with this number. */
  async function claim(number: number, total: number, perWebhook: number): Promise<ClaimedDelivery[]> {
    const request = claimOf(total, perWebhook);
    const { deliveries } = await nodes().node(number).deliveries.claim(request);
    return [...deliveries];
  }

  return { fill, claim };
}

export function settled({ deliveryId, epoch }: ClaimedDelivery, status: "delivered" | "failed"): DeliverySettlement {
  const answer = { url: "https://receiver.test", tookMs: 5, responseCode: 200, failure: undefined, manual: false };
  const attempt = { ...answer, atMs: startMs + epoch };
  const item = { scope, deliveryId, epoch, attempt, next: { status } };
  return status === "delivered" ? item : { ...item, error: "The receiver answered 503." };
}
