import type { JsonObject } from "@procedo/contract";
import { expect, test } from "vitest";
import { customApi } from "../../src/custom-api/custom-api.ts";
import { swagger } from "../openapi/documents.ts";
import { laidOver, ledgerDocument, ledgerSettings, ready } from "./documents.ts";

const server = { tokenUrl: "https://id.test/token", clientId: "procedo" };
const credentials = { method: "client_credentials", ...server };
const browser = { method: "oauth2", authorizationUrl: "https://id.test/authorize", ...server, scopes: ["ledger"] };
const secrets = { clientSecret: "cl1ent-s3cret" };

function clientOf(settings: JsonObject, given: Readonly<Record<string, string>> = secrets) {
  return customApi().oauth?.({ environment: "sandbox", settings, secrets: given });
}

async function connected(authentication: JsonObject, given: Readonly<Record<string, string>> = secrets) {
  return (await ready({ settings: { ...ledgerSettings(), authentication }, secrets: given })).connection;
}

test("a person authorizes a connection with oauth2, and the client itself one with client_credentials", async () => {
  const more = {
    revocationUrl: "https://id.test/revoke",
    issuer: "https://id.test",
    parameters: { prompt: "consent" },
  };
  expect(clientOf((await connected({ ...browser, ...more })).settings)).toEqual({
    ...{ grant: "authorization_code", authorizationUrl: "https://id.test/authorize", ...server, scopes: ["ledger"] },
    ...{ ...more, ...secrets, origins: ["https://ledger.test"] },
  });
  expect(clientOf((await connected({ ...credentials, clientAuthentication: "body" })).settings)).toEqual({
    ...{ grant: "client_credentials", ...server, scopes: [], clientAuthentication: "body" },
    ...{ ...secrets, origins: ["https://ledger.test"] },
  });
});

test("a client without a secret is a public one", async () => {
  expect(clientOf((await connected(browser, {})).settings, {})).not.toHaveProperty("clientSecret");
});

test("a connection with another authentication has no client", async () => {
  expect(clientOf((await connected({ method: "none" }, {})).settings)).toBeUndefined();
});

test("tokens go to no server that only the document names, before a person confirms it", async () => {
  const before = await connected(credentials);
  const spec = { text: ledgerDocument("https://evil.test/v1") };
  const moved = (await ready({ ...laidOver(before, { spec }), secrets })).connection;
  expect(clientOf(moved.settings)?.origins).toEqual([]);
  const confirmed = await ready({ ...laidOver(moved, { baseUrl: "https://own.test/v2" }), secrets });
  expect(clientOf(confirmed.connection.settings)?.origins).toEqual(["https://own.test"]);
});

test.each([browser, credentials])("the token's header is no argument of an action: $method", async (authentication) => {
  const parameters = ["Authorization", "X-Other"].map((name) => ({ name, in: "header", type: "string" }));
  const get = { operationId: "read", parameters, responses: { "200": { description: "ok" } } };
  const settings = { spec: { text: swagger({ "/x": { get } }) }, authentication };
  const action = (await ready({ settings, secrets })).actions.get("read");
  expect(Object.keys(action?.input["properties"] ?? {})).toEqual(["X-Other"]);
});

test("the secrets of each method are known to forms", () => {
  const { authentication } = customApi().fields;
  const secretsOf = (name: string) => authentication.find(({ method }) => method === name)?.secrets;
  expect(secretsOf("oauth2")).toEqual([{ name: "clientSecret", isRequired: false }]);
  expect(secretsOf("client_credentials")).toEqual([{ name: "clientSecret", isRequired: true }]);
  expect(secretsOf("basic_auth")).toEqual([
    { name: "user", isRequired: true },
    { name: "password", isRequired: true },
  ]);
});
