import {
  apiKeyPageSchema,
  createApiKeyRequestSchema,
  createdApiKeySchema,
  pageQuerySchema,
  scopeQuerySchema,
  successSchema,
  type ApiKey,
} from "@procedo/contract";
import type { ApiKey as Key } from "@procedo/engine";
import { defineOperation, reply } from "../operation.ts";
import { noBody } from "./no-body.ts";
import { pageAnswer, pageRequest } from "./page.ts";
import { timestamp } from "./timestamp.ts";

export const listApiKeys = defineOperation({
  id: "listApiKeys",
  method: "GET",
  path: "/api/v1/api-keys",
  tag: "API keys",
  summary: "List API keys",
  description: "All keys of the workspace, of both environments. Raw keys are never shown.",
  query: pageQuerySchema,
  answers: { 200: { description: "One page of keys.", schema: apiKeyPageSchema } },
  errors: ["invalid_cursor"],
  handle: async ({ engine, query }) => {
    const page = await engine.keys.list(pageRequest(query));
    return reply(200, pageAnswer(page, page.items.map(keyAnswer)));
  },
});

export const createApiKey = defineOperation({
  id: "createApiKey",
  method: "POST",
  path: "/api/v1/api-keys",
  tag: "API keys",
  summary: "Create an API key",
  description: "A key gives to a new key only what it holds itself, and only in its own environment.",
  permission: "manage",
  query: scopeQuerySchema,
  body: { schema: createApiKeyRequestSchema },
  answers: {
    201: { description: "The key. Its raw form is shown here and nowhere else.", schema: createdApiKeySchema },
  },
  errors: [],
  handle: async ({ engine, principal, body, isAwaited }) => {
    const { key, ...created } = await engine.keys.create({ ...body, by: principal }, { isAwaited });
    return reply(201, { ...keyAnswer(created), key });
  },
});

export const deleteApiKey = defineOperation({
  id: "deleteApiKey",
  method: "DELETE",
  path: "/api/v1/api-keys/:id",
  tag: "API keys",
  summary: "Delete an API key",
  description:
    "Permanent: requests with the key are answered 401 from now on, also those that wait for a run, and answers under way " +
    "are cut off. A request that the service has begun to write for is still answered.",
  permission: "manage",
  query: scopeQuerySchema,
  body: noBody,
  answers: { 200: { description: "The key is deleted.", schema: successSchema } },
  errors: ["api_key_not_found"],
  handle: async ({ engine, principal, params }) => {
    await engine.keys.remove({ keyId: params.id, by: principal });
    return reply(200, { success: true });
  },
});

/** A key as lists show it. */
export function keyAnswer({ keyId, name, environment, prefix, permissions, roles, createdAtMs }: Key): ApiKey {
  const createdAt = timestamp(createdAtMs);
  return { id: keyId, name, environment, prefix, permissions: [...permissions], roles: [...roles], createdAt };
}
