import {
  createdWebhookSchema,
  createWebhookRequestSchema,
  deliverySchema,
  pageQuerySchema,
  ProcedoError,
  rotatedWebhookSecretSchema,
  rotateWebhookSecretRequestSchema,
  scopeQuerySchema,
  successSchema,
  testWebhookRequestSchema,
  updateWebhookRequestSchema,
  webhookPageSchema,
  webhookSchema,
  type Webhook,
} from "@procedo/contract";
import type { Webhook as Receiver } from "@procedo/engine";
import { defineOperation, reply } from "../operation.ts";
import { deliveryAnswer } from "./deliveries.ts";
import { named } from "./named.ts";
import { noBody } from "./no-body.ts";
import { pageAnswer, pageRequest } from "./page.ts";
import { timestamp } from "./timestamp.ts";

export const listWebhooks = defineOperation({
  id: "listWebhooks",
  method: "GET",
  path: "/api/v1/webhooks",
  tag: "Webhooks",
  summary: "List webhooks",
  query: pageQuerySchema,
  answers: { 200: { description: "One page of webhooks.", schema: webhookPageSchema } },
  errors: ["invalid_cursor"],
  handle: async ({ engine, environment, query }) => {
    const page = await engine.webhooks.list({ environment, ...pageRequest(query) });
    return reply(200, pageAnswer(page, page.items.map(webhookAnswer)));
  },
});

export const createWebhook = defineOperation({
  id: "createWebhook",
  method: "POST",
  path: "/api/v1/webhooks",
  tag: "Webhooks",
  summary: "Create a webhook",
  permission: "manage",
  query: scopeQuerySchema,
  body: { schema: createWebhookRequestSchema },
  answers: {
    201: { description: "The webhook. Its secret is shown in this answer only.", schema: createdWebhookSchema },
  },
  errors: ["destination_not_allowed", "invalid_input"],
  handle: async ({ engine, environment, principal, body, outside, isAwaited }) => {
    const webhook = { environment, by: principal, ...named(body) };
    const creating = engine.webhooks.create(webhook, { outside, isAwaited });
    const { secret, ...created } = await creating.catch(refuseUnresolved);
    return reply(201, { ...webhookAnswer(created), secret });
  },
});

export const getWebhook = defineOperation({
  id: "getWebhook",
  method: "GET",
  path: "/api/v1/webhooks/:webhookId",
  tag: "Webhooks",
  summary: "Get a webhook",
  query: scopeQuerySchema,
  answers: { 200: { description: "The webhook.", schema: webhookSchema } },
  errors: ["webhook_not_found"],
  handle: async ({ engine, environment, params }) =>
    reply(200, webhookAnswer(await engine.webhooks.get({ environment, ...params }))),
});

export const updateWebhook = defineOperation({
  id: "updateWebhook",
  method: "PATCH",
  path: "/api/v1/webhooks/:webhookId",
  tag: "Webhooks",
  summary: "Change a webhook",
  description:
    "Named fields are replaced. All others stay unchanged. Events that occur while the webhook is inactive are recorded as " +
    "`skipped` deliveries. To send these, activate the webhook and resend its deliveries.",
  permission: "manage",
  query: scopeQuerySchema,
  body: { schema: updateWebhookRequestSchema },
  answers: { 200: { description: "The webhook as it is now.", schema: webhookSchema } },
  errors: ["webhook_not_found", "destination_not_allowed", "invalid_input"],
  handle: async ({ engine, environment, params, principal, body, outside }) => {
    const changes = { environment, ...params, by: principal, ...named(body) };
    const updating = engine.webhooks.update(changes, { outside });
    return reply(200, webhookAnswer(await updating.catch(refuseUnresolved)));
  },
});

export const deleteWebhook = defineOperation({
  id: "deleteWebhook",
  method: "DELETE",
  path: "/api/v1/webhooks/:webhookId",
  tag: "Webhooks",
  summary: "Delete a webhook",
  permission: "manage",
  query: scopeQuerySchema,
  body: noBody,
  answers: { 200: { description: "The webhook is deleted.", schema: successSchema } },
  errors: ["webhook_not_found"],
  handle: async ({ engine, environment, params, principal }) => {
    await engine.webhooks.remove({ environment, ...params, by: principal });
    return reply(200, { success: true });
  },
});

export const rotateWebhookSecret = defineOperation({
  id: "rotateWebhookSecret",
  method: "POST",
  path: "/api/v1/webhooks/:webhookId/rotate",
  tag: "Webhooks",
  summary: "Replace a webhook's secret",
  permission: "manage",
  query: scopeQuerySchema,
  body: { schema: rotateWebhookSecretRequestSchema, optional: true },
  answers: {
    200: { description: "The new secret, shown in this answer only.", schema: rotatedWebhookSecretSchema },
  },
  errors: ["webhook_not_found"],
  handle: async ({ engine, environment, params, principal, body, isAwaited }) => {
    const request = { environment, ...params, by: principal, ...body };
    const rotated = await engine.webhooks.rotate(request, { isAwaited });
    const { webhookId, secret, oldSecretExpiresAtMs: endsMs } = rotated;
    return reply(200, {
      id: webhookId,
      secret,
      ...(endsMs !== undefined && { oldSecretExpiresAt: timestamp(endsMs) }),
    });
  },
});

export const testWebhook = defineOperation({
  id: "testWebhook",
  method: "POST",
  path: "/api/v1/webhooks/:webhookId/test",
  tag: "Webhooks",
  summary: "Send a sample event",
  description: "Sends one sample event to this webhook only, even if the webhook is inactive.",
  permission: "manage",
  query: scopeQuerySchema,
  body: { schema: testWebhookRequestSchema, optional: true },
  answers: { 200: { description: "The delivery, now scheduled.", schema: deliverySchema } },
  errors: ["webhook_not_found"],
  handle: async ({ engine, environment, params, principal, body }) => {
    const { event } = body;
    const request = { environment, ...params, by: principal, ...(event !== undefined && { event }) };
    return reply(200, deliveryAnswer(await engine.webhooks.test(request)));
  },
});

/** Converts a failed name lookup to the refusal of the caller's address, because the service itself has not failed. */
function refuseUnresolved(error: unknown): never {
  if (!ProcedoError.isError(error) || error.code !== "upstream_unreachable") throw error;
  const details = [{ path: "/url", message: error.message }];
  throw new ProcedoError("destination_not_allowed", error.message, { details, cause: error });
}

function webhookAnswer(webhook: Receiver): Webhook {
  const { webhookId, name, url, events, isActive, deactivatedAtMs, deactivatedBecause, failingSinceMs } = webhook;
  return {
    id: webhookId,
    name,
    url,
    events: [...events],
    isActive,
    ...(deactivatedAtMs !== undefined && { deactivatedAt: timestamp(deactivatedAtMs) }),
    ...(deactivatedBecause !== undefined && { deactivatedBecause }),
    ...(failingSinceMs !== undefined && { failingSince: timestamp(failingSinceMs) }),
    createdBy: webhook.createdBy,
    createdAt: timestamp(webhook.createdAtMs),
  };
}
