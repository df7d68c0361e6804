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
import { named } from "./named.ts";
import { noBody } from "./no-body.ts";
import { pageAnswer, pageRequest } from "./page.ts";
import { timestamp } from "./timestamp.ts";

export const listApiKeys = defineOperation({
  id: "listApiKeys",
  method: "GET",
  path: "/api/v1/api-keys",
  tag: "API keys",
  summary: "List API keys",
  description:
    "All keys of the workspace, in both environments, or those of the environment that the query names. Raw keys are never " +
    "shown. The last use of a key is shown to callers of its environment.",
  query: pageQuerySchema,
  answers: { 200: { description: "One page of keys.", schema: apiKeyPageSchema } },
  errors: ["invalid_cursor"],
  handle: async ({ engine, query, environment }) => {
    const page = await engine.keys.list({ ...pageRequest(query), ...named({ environment: query.environment }) });
    const shown = page.items.map((key) => (key.environment === environment ? keyAnswer(key) : unusedKey(key)));
    return reply(200, pageAnswer(page, shown));
  },
});

export const createApiKey = defineOperation({
  id: "createApiKey",
  method: "POST",
  path: "/api/v1/api-keys",
  tag: "API keys",
  summary: "Create an API key",
  description: "A caller can grant only permissions and roles that it has, and only in the environment of the request.",
  permission: "manage",
  query: scopeQuerySchema,
  body: { schema: createApiKeyRequestSchema },
  answers: {
    201: { description: "The key. Its raw form is shown in this answer only.", schema: createdApiKeySchema },
  },
  errors: ["person_not_found"],
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
    "Deletion is permanent. Requests with the key are answered with 401 from now on, including those that wait for a run. Answers " +
    "being sent are cut off. A request whose changes the service is already writing is still answered.",
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

/** Converts a key to its form in lists. */
export function keyAnswer(key: Key): ApiKey {
  const { keyId, name, environment, prefix, permissions, roles, person, createdBy, createdAtMs } = key;
  const { lastUsedAtMs, lastUsedFrom } = key;
  return {
    id: keyId,
    name,
    environment,
    prefix,
    permissions: [...permissions],
    roles: [...roles],
    person,
    createdBy,
    createdAt: timestamp(createdAtMs),
    ...(lastUsedAtMs !== undefined && { lastUsedAt: timestamp(lastUsedAtMs) }),
    ...named({ lastUsedFrom }),
  };
}

/** A key without its last use, which tells of the traffic of its environment. */
function unusedKey(key: Key): ApiKey {
  const { lastUsedAt: _at, lastUsedFrom: _from, ...answer } = keyAnswer(key);
  return answer;
}
