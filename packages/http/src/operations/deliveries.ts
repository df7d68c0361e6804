import {
  deliveryDetailsSchema,
  deliveryPageSchema,
  deliverySchema,
  listDeliveriesQuerySchema,
  resendDeliveriesRequestSchema,
  resentDeliveriesSchema,
  scopeQuerySchema,
  type Delivery,
  type DeliveryAttempt,
  type EventEnvelope,
} from "@procedo/contract";
import type { Delivery as Sending, DeliveryAttempt as Attempt, DeliveryDetails } from "@procedo/engine";
import { defineOperation, reply } from "../operation.ts";
import { named } from "./named.ts";
import { noBody } from "./no-body.ts";
import { pageAnswer, pageRequest } from "./page.ts";
import { timestamp } from "./timestamp.ts";

export const listDeliveries = defineOperation({
  id: "listDeliveries",
  method: "GET",
  path: "/api/v1/webhooks/:webhookId/deliveries",
  tag: "Webhooks",
  summary: "List a webhook's deliveries",
  description:
    "Newest first. A page examines a bounded number of deliveries: with filters, it may be short or even empty although it " +
    "has a `nextCursor`.",
  query: listDeliveriesQuerySchema,
  answers: { 200: { description: "One page of deliveries.", schema: deliveryPageSchema } },
  errors: ["webhook_not_found", "invalid_cursor"],
  handle: async ({ engine, environment, params, query }) => {
    const { status, event, runId, from, to } = query;
    const page = await engine.webhooks.deliveries({
      environment,
      ...params,
      ...pageRequest(query),
      ...named({ status, event, runId }),
      ...(from !== undefined && { fromMs: Date.parse(from) }),
      ...(to !== undefined && { toMs: Date.parse(to) }),
    });
    return reply(200, pageAnswer(page, page.items.map(deliveryAnswer)));
  },
});

export const getDelivery = defineOperation({
  id: "getDelivery",
  method: "GET",
  path: "/api/v1/webhooks/:webhookId/deliveries/:deliveryId",
  tag: "Webhooks",
  summary: "Get a delivery",
  description: "The delivery with the body of its requests and its attempts.",
  query: scopeQuerySchema,
  heavy: () => true,
  answers: { 200: { description: "The delivery.", schema: deliveryDetailsSchema } },
  errors: ["webhook_not_found", "not_found"],
  handle: async ({ engine, environment, params }) => {
    const delivery = await engine.webhooks.delivery({ environment, ...params });
    const attempts = delivery.attempts.map(attemptAnswer);
    return reply(200, { ...deliveryAnswer(delivery), envelope: envelopeOf(delivery), attempts });
  },
});

export const resendDelivery = defineOperation({
  id: "resendDelivery",
  method: "POST",
  path: "/api/v1/webhooks/:webhookId/deliveries/:deliveryId/resend",
  tag: "Webhooks",
  summary: "Send a delivery again",
  description: "Sends the delivery at once, under the same id, even if the webhook is inactive.",
  permission: "manage",
  query: scopeQuerySchema,
  body: noBody,
  answers: { 200: { description: "The delivery, now scheduled.", schema: deliverySchema } },
  errors: ["webhook_not_found", "not_found"],
  handle: async ({ engine, environment, params, principal }) =>
    reply(200, deliveryAnswer(await engine.webhooks.resend({ environment, ...params, by: principal }))),
});

export const resendDeliveries = defineOperation({
  id: "resendDeliveries",
  method: "POST",
  path: "/api/v1/webhooks/:webhookId/deliveries/resend",
  tag: "Webhooks",
  summary: "Send all undelivered events since a time again",
  description:
    "Resends failed and skipped deliveries, oldest first, each under the same id and with the full schedule of attempts. One " +
    "request examines 5,000 deliveries and returns a `nextCursor` while more remain. Repeating the request sends no delivery " +
    "twice. The request is refused while the webhook is inactive.",
  permission: "manage",
  query: scopeQuerySchema,
  body: { schema: resendDeliveriesRequestSchema },
  answers: {
    200: { description: "The number of deliveries that were scheduled again.", schema: resentDeliveriesSchema },
  },
  errors: ["webhook_not_found", "webhook_inactive", "invalid_cursor"],
  handle: async ({ engine, environment, params, principal, body }) => {
    const { since, statuses, cursor } = body;
    const request = { environment, ...params, sinceMs: Date.parse(since), statuses, by: principal };
    const { resent, nextCursor } = await engine.webhooks.resendSince({ ...request, ...(cursor && { cursor }) });
    return reply(200, { resent, ...(nextCursor !== undefined && { nextCursor }) });
  },
});

export function deliveryAnswer(delivery: Sending): Delivery {
  const { deliveryId, event, runId, url, status, responseCode, attemptCount, createdAtMs, deliveredAtMs } = delivery;
  const { error, nextAttemptAtMs } = delivery;
  return {
    id: deliveryId,
    event,
    ...(runId !== undefined && { runId }),
    url,
    status,
    ...(responseCode !== undefined && { responseCode }),
    attemptCount,
    createdAt: timestamp(createdAtMs),
    ...(deliveredAtMs !== undefined && { deliveredAt: timestamp(deliveredAtMs) }),
    ...(error !== undefined && { error }),
    ...(nextAttemptAtMs !== undefined && { nextAttemptAt: timestamp(nextAttemptAtMs) }),
  };
}

/** The body of the delivery's requests. */
function envelopeOf({ deliveryId, event, createdAtMs, data }: DeliveryDetails): EventEnvelope {
  // The engine stores each event in the shape of the contract.
  return { id: deliveryId, event, createdAt: timestamp(createdAtMs), data } as unknown as EventEnvelope;
}

function attemptAnswer({ atMs, tookMs, url, responseCode, failure, error, manual }: Attempt): DeliveryAttempt {
  return {
    at: timestamp(atMs),
    durationMs: tookMs,
    url,
    ...(responseCode !== undefined && { responseCode }),
    ...(failure !== undefined && { failure }),
    ...(error !== undefined && { error }),
    manual,
  };
}
