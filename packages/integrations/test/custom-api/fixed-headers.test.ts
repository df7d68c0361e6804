import type { JsonObject } from "@procedo/contract";
import { describe, expect, test } from "vitest";
import { swagger } from "../openapi/documents.ts";
import { ledgerSettings, prepare, ready } from "./documents.ts";

const withHeaders = (headers: unknown, more: JsonObject = {}): JsonObject =>
  ({ ...ledgerSettings(), headers, ...more }) as JsonObject;

async function refusal(headers: unknown, more: JsonObject = {}, secrets = {}): Promise<readonly string[]> {
  const prepared = await prepare({ settings: withHeaders(headers, more), secrets });
  if (prepared.status !== "invalid") throw new Error(`The settings are ${prepared.status}.`);
  return prepared.details.map(({ path, message }) => `${path} ${message}`);
}

describe("headers of a connection", () => {
  test.each([
    { "Stripe-Version": "2022-11-15", "Stripe-Account": "acct_1032D82eZvKYlo2C" },
    { "X-Tenant": "550e8400-e29b-41d4-a716-446655440000", "X-Request-Source": "procedo / finance" },
    { Accept: "application/vnd.interoperability.parties+json;version=1.0", "Content-Type": "application/vnd.api+json" },
    { "User-Agent": "Müller GmbH (payments@mueller.example)", "Accept-Language": "de-CH, de;q=0.9" },
    {
      "Notion-Version": "2022-06-28",
      "anthropic-beta": "fine-grained-tool-streaming-2025-05-14,context-1m-2025-08-07",
    },
    { "Accept-Language": "sk-SK, cs;q=0.9", "X-Source": "procedo-finance-automation-production-eu-central-1" },
    { "X-Tenant-Id": "0123456789abcdef0123456789abcdef", "X-Merchant-Account": `acct_${"0a".repeat(20)}` },
    { "X-Turkey": "1", "X-Tokenization-Version": "2", "X-Keyboard": "qwertz" },
  ])("are stored and shown: %j", async (headers) => {
    const { connection } = await ready({ settings: withHeaders(headers) });
    expect(connection.settings["headers"]).toEqual(headers);
  });

  test("are omitted when there are none", async () => {
    expect((await ready({ settings: withHeaders({}) })).connection.settings).not.toHaveProperty("headers");
  });

  test.each([
    "Authorization",
    "proxy-authorization",
    "Cookie",
    "Set-Cookie",
    "X-Api-Key",
    "apikey",
    "x_auth_token",
    "X-Access-Token",
    "Ocp-Apim-Subscription-Key",
    "X-ApiKey",
    "Client-Secret",
    "X-Session-Id",
    "X-Signature",
    "X-Password",
    "X-UserToken",
    "X-CSRFToken",
    "ClientSecret",
    "AppKey",
  ])("are rejected as a credential because of their name: %s", async (name) => {
    const [message, ...more] = await refusal({ [name]: "a" });
    expect(message).toBe(
      `/settings/headers/${name} is a credential, which a setting would show; ` +
        'give it by "authentication" and "secrets", which are encrypted',
    );
    expect(more).toEqual([]);
  });

  test.each([
    "Bearer abc",
    "Basic dXNlcjpwYXNz",
    "token 12345",
    ["sk", "live", "0123"].join("_"),
    ["ghp", "0123456789abcdefghij"].join("_"),
    `AKIA${"ABCDEFGHIJKLMNOP"}`,
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln",
    "-----BEGIN PRIVATE KEY-----",
  ])("are rejected as a credential because of their value: %s", async (value) => {
    expect(await refusal({ "X-Custom": value })).toEqual([expect.stringContaining("X-Custom is a credential")]);
  });

  test.each([
    "v=1; id=0123456789abcdef0123456789abcdef",
    "Zm9vYmFyYmF6cXV4MTIzNDU2Nzg5MGFiY2RlZmdoaWo=",
    "Qk9fX2-7yUPz1Kq93mVb_aL5xW0tRs8cNd4eFg6hJ2i",
  ])("have no random value, unless the name declares an identifier: %s", async (value) => {
    expect(await refusal({ "X-Custom": value })).toEqual([
      expect.stringMatching(/X-Custom has 32 random characters .* whose name ends in a word such as "Id"/),
    ]);
    expect((await ready({ settings: withHeaders({ "X-Custom-Id": value }) })).connection.settings).toHaveProperty([
      "headers",
      "X-Custom-Id",
    ]);
  });

  test("contain none of the connection's secrets", async () => {
    const authentication = { method: "bearer_token" };
    const secrets = { token: "plain words of a token" };
    expect(await refusal({ "X-Custom": `a ${secrets.token}` }, { authentication }, secrets)).toHaveLength(1);
  });

  test.each(["Host", "Content-Length", "transfer-encoding", "Connection", "Accept-Encoding", "Content-Encoding"])(
    "are not those of the HTTP client: %s",
    async (name) => {
      expect(await refusal({ [name]: "x" })).toEqual([
        `/settings/headers/${name} is set by the HTTP client and cannot be changed`,
      ]);
    },
  );

  test("are neither the idempotency header nor the one that carries the key", async () => {
    const idempotencyHeader = "PayPal-Request-Id";
    for (const name of [idempotencyHeader, "paypal-request-id", "Idempotency-Key", "X-Idempotency-Token"]) {
      expect(await refusal({ [name]: "1" }, { idempotencyHeader })).toEqual([
        expect.stringContaining('would have one idempotency key for all calls; name the header in "idempotencyHeader"'),
      ]);
    }
    const authentication = { method: "api_key_header", header: "X-Bank" };
    expect(await refusal({ "x-bank": "1" }, { authentication }, { apiKey: "other" })).toHaveLength(1);
  });

  test.each<[string, unknown, string]>([
    ["a name with a space", { "X A": "1" }, "/settings/headers"],
    ["a name with a line break", { "X-A\r\nX-B": "1" }, "/settings/headers"],
    ["a value with a line break", { "X-A": "1\r\nX-B: 2" }, "/settings/headers/X-A"],
    ["a value beyond Latin-1", { "X-A": "€" }, "/settings/headers/X-A"],
    ["a value between spaces", { "X-A": " 1 " }, "/settings/headers/X-A"],
    ["an empty value", { "X-A": "" }, "/settings/headers/X-A"],
    ["a number", { "X-A": 1 }, "/settings/headers/X-A"],
    ["one name twice", { "X-A": "1", "x-a": "2" }, "/settings/headers/x-a"],
    ["a value of 1,025 characters", { "X-A": "a ".repeat(512) + "b" }, "/settings/headers/X-A"],
    ["21 headers", Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`X-${at}`, "1"])), "/settings/headers"],
    [
      "more than 8,192 characters in all",
      Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`X-${at}`, "a b ".repeat(250) + "c"])),
      "/settings/headers",
    ],
    ["a list", ["X-A"], "/settings/headers"],
    [
      "a Content-Type that is not a media type",
      { "Content-Type": "json" },
      "/settings/headers/Content-Type must be one",
    ],
    ["two in a Content-Type", { "Content-Type": "text/csv, text/json" }, "/settings/headers/Content-Type must be one"],
    ["an Accept that is not a media type", { Accept: "json" }, "/settings/headers/Accept must be media types"],
  ])("are rejected: %s", async (_name, headers, path) => {
    expect((await refusal(headers))[0]?.startsWith(path)).toBe(true);
  });

  test("make an argument of the same name optional", async () => {
    const parameters = ["Accept", "X-Tenant", "X-Other"].map((name) => ({
      name,
      in: "header",
      type: "string",
      required: true,
    }));
    const get = { operationId: "read", parameters, responses: { "200": { description: "ok" } } };
    const headers = { accept: "application/json", "x-tenant": "acme" };
    const settings = { spec: { text: swagger({ "/x": { get } }) }, headers };
    const action = (await ready({ settings })).actions.get("read");
    expect(action?.check({ "X-Other": "1" })).toEqual([]);
    expect(action?.check({ "X-Other": "1", "X-Tenant": "other" })).toEqual([]);
    expect(action?.check({})).toHaveLength(1);
  });

  test("are part of an approved call: another header changes the revision", async () => {
    const revision = async (headers: unknown) =>
      (await ready({ settings: withHeaders(headers) })).actions.get("pay.now")?.revision;
    const [none, empty, one, other] = await Promise.all(
      [undefined, {}, { "Stripe-Account": "acct_1" }, { "Stripe-Account": "acct_2" }].map(revision),
    );
    expect(empty).toBe(none);
    expect(new Set([none, one, other]).size).toBe(3);
  });
});
