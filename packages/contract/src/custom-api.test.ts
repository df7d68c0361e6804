import { describe, expect, test } from "vitest";
import {
  apiSpecSchema,
  connectionPreviewSchema,
  customApiSecretSchemas,
  customApiSettingsSchema,
} from "./custom-api.ts";

const spec = { url: "https://ledger.test/openapi.yaml" };
const server = { tokenUrl: "https://id.test/token", clientId: "procedo" };
const settingsWith = (authentication: unknown) => customApiSettingsSchema.safeParse({ spec, authentication });

test.each([spec, { text: "openapi: 3.0.3" }, { text: '{"swagger":"2.0"}' }])("a spec may be given as %j", (given) => {
  expect(apiSpecSchema.parse(given)).toEqual(given);
});

test.each([{}, { ...spec, text: "x" }, { text: "" }, { url: "file:///etc/passwd" }, "openapi: 3.0.3"])(
  "a spec may not be given as %j",
  (given) => {
    expect(apiSpecSchema.safeParse(given).success).toBe(false);
  },
);

describe("authentication", () => {
  test.each([
    { method: "api_key_header", header: "X-Api-Key" },
    { method: "api_key_query", parameter: "key" },
    { method: "bearer_token" },
    { method: "basic_auth" },
    {
      ...{ method: "oauth2", authorizationUrl: "https://id.test/authorize", ...server, scopes: ["ledger.read"] },
      ...{ revocationUrl: "https://id.test/revoke", issuer: "https://id.test", clientAuthentication: "body" },
      parameters: { prompt: "consent" },
    },
    { method: "client_credentials", ...server, parameters: { audience: "https://ledger.test" } },
    { method: "none" },
  ])("may be by $method", (authentication) => {
    expect(settingsWith(authentication).data?.authentication).toEqual(authentication);
  });

  test("has no method by default", () => {
    expect(customApiSettingsSchema.parse({ spec }).authentication).toEqual({ method: "none" });
  });

  test.each([
    { method: "oauth" },
    { method: "api_key_header" },
    { method: "api_key_header", header: "X Api Key" },
    { method: "api_key_header", header: "X-Key\r\nHost" },
    { method: "api_key_query", parameter: "" },
    { method: "bearer_token", token: "in the settings" },
    { method: "oauth2", ...server, scopes: [] },
    { method: "oauth2", authorizationUrl: "https://id.test/authorize", ...server },
    { method: "client_credentials", ...server, clientSecret: "in the settings" },
    { method: "client_credentials", ...server, tokenUrl: "/token" },
    { method: "client_credentials", ...server, clientId: "" },
    { method: "client_credentials", ...server, scopes: ["two scopes"] },
    { method: "client_credentials", ...server, clientAuthentication: "query" },
    { method: "client_credentials", ...server, parameters: { client_secret: "in the settings" } },
    { method: "client_credentials", ...server, parameters: { grant_type: "password" } },
    { method: "client_credentials", ...server, parameters: { audience: "a\r\nb" } },
  ])("may not be %j", (authentication) => {
    expect(settingsWith(authentication).success).toBe(false);
  });

  test("has secret credentials", () => {
    expect(customApiSecretSchemas.api_key_header.parse({ apiKey: "k" })).toEqual({ apiKey: "k" });
    expect(customApiSecretSchemas.api_key_query.parse({ apiKey: "k" })).toEqual({ apiKey: "k" });
    expect(customApiSecretSchemas.bearer_token.parse({ token: "t" })).toEqual({ token: "t" });
    expect(customApiSecretSchemas.basic_auth.parse({ user: "u", password: "p:q" })).toBeDefined();
    expect(customApiSecretSchemas.client_credentials.parse({ clientSecret: "s" })).toEqual({ clientSecret: "s" });
    expect(customApiSecretSchemas.client_credentials.safeParse({}).success).toBe(false);
    expect(customApiSecretSchemas.oauth2.parse({ clientSecret: "s" })).toEqual({ clientSecret: "s" });
    expect(customApiSecretSchemas.oauth2.parse({})).toEqual({});
    expect(customApiSecretSchemas.none.parse({})).toEqual({});
    expect(customApiSecretSchemas.none.safeParse({ token: "t" }).success).toBe(false);
  });

  test("accepts a user with an empty password, for APIs whose key is the user", () => {
    expect(customApiSecretSchemas.basic_auth.safeParse({ user: "sk_1", password: "" }).success).toBe(true);
    expect(customApiSecretSchemas.basic_auth.safeParse({ user: "", password: "p" }).success).toBe(false);
    expect(customApiSecretSchemas.basic_auth.safeParse({ user: "a:b", password: "p" }).success).toBe(false);
  });

  test.each(["a\r\nHost: b", "a\nb", "a\0b"])("accepts no credential with a line break (%j)", (token) => {
    expect(customApiSecretSchemas.bearer_token.safeParse({ token }).success).toBe(false);
  });
});

test("the header of the idempotency key and the effects of actions may be set", () => {
  const settings = { spec, idempotencyHeader: "Idempotency-Key", effects: { "pay.now": "idempotent" } };
  expect(customApiSettingsSchema.parse(settings)).toMatchObject(settings);
  expect(customApiSettingsSchema.safeParse({ spec, idempotencyHeader: "a b" }).success).toBe(false);
  expect(customApiSettingsSchema.safeParse({ spec, effects: { pay: "twice" } }).success).toBe(false);
});

test("the base URL may be replaced with a web address", () => {
  expect(customApiSettingsSchema.safeParse({ spec, baseUrl: "https://ledger.test/v2" }).success).toBe(true);
  expect(customApiSettingsSchema.safeParse({ spec, baseUrl: "/v2" }).success).toBe(false);
});

test("a preview shows the base URL, an action for each operation, and the problems with their positions", () => {
  const preview = {
    title: "Ledger",
    version: "1.2",
    baseUrl: "https://ledger.test",
    actionCount: 1,
    actions: [{ name: "post_payments", input: {}, effect: "once" }],
    problems: [
      { severity: "warning", path: "/paths/~1x", code: "external_ref", message: "is not followed", line: 3, column: 7 },
    ],
  };
  expect(connectionPreviewSchema.parse(preview)).toEqual(preview);
  expect(connectionPreviewSchema.safeParse({ ...preview, problems: [{ message: "x" }] }).success).toBe(false);
});
