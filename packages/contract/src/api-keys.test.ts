import { expect, test } from "vitest";
import { apiKeyPrefixes, apiKeySchema, createApiKeyRequestSchema, createdApiKeySchema } from "./api-keys.ts";

const key = {
  id: "key_1",
  name: "CI",
  environment: "sandbox",
  prefix: "rsk_sandbox_",
  permissions: ["run", "manage"],
  roles: [],
  person: "ana",
  createdBy: "ana",
  createdAt: "2026-01-31T09:30:00.000Z",
};

test("keys begin with rsk_sandbox_ or rsk_live_", () => {
  expect(apiKeyPrefixes).toEqual({ sandbox: "rsk_sandbox_", live: "rsk_live_" });
  expect(apiKeySchema.safeParse({ ...key, prefix: "rsk_test_" }).success).toBe(false);
});

test("a listed key never contains the raw key", () => {
  expect(apiKeySchema.parse(key)).toEqual(key);
  expect(apiKeySchema.safeParse({ ...key, key: "rsk_sandbox_abc" }).success).toBe(false);
});

test("the answer to a creation contains the key and its raw text", () => {
  const created = { ...key, key: "rsk_sandbox_abc" };
  expect(createdApiKeySchema.parse(created)).toEqual(created);
  expect(createdApiKeySchema.safeParse(key).success).toBe(false);
  expect(createdApiKeySchema.safeParse({ ...created, key: "run_sandbox_abc" }).success).toBe(false);
});

test("a key is created from a name and an environment; by default it may run and manage", () => {
  expect(createApiKeyRequestSchema.parse({ name: "CI", environment: "live" })).toEqual({
    name: "CI",
    environment: "live",
    permissions: ["run", "manage"],
    roles: [],
  });
});

test("a key may have the permission to review, or only to read", () => {
  for (const permissions of [["review"], []]) {
    const request = { name: "CI", environment: "live", permissions };
    expect(createApiKeyRequestSchema.parse(request)).toEqual({ ...request, roles: [] });
  }
});

test.each([
  {},
  { name: "CI" },
  { environment: "live" },
  { name: "", environment: "live" },
  { name: "CI", environment: "production" },
  { name: "CI", environment: "live", permissions: ["admin"] },
  { name: "CI", environment: "live", permissions: ["run", "run"] },
  { name: "CI", environment: "live", permissions: ["review"], roles: ["trea\u200bsury"] },
  { name: "CI", environment: "live", permissions: ["review"], roles: [" "] },
  { name: "CI", environment: "live", expiresAt: "2026-01-31T09:30:00.000Z" },
])("a key is not created from %j", (request) => {
  expect(createApiKeyRequestSchema.safeParse(request).success).toBe(false);
});
