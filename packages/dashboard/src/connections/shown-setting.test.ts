import { expect, test } from "vitest";
import { shownSettings } from "./shown-setting.ts";

test("settings are shown as texts with the words of their names", () => {
  const settings = {
    spec: { title: "Ledger", version: "1.2", url: "https://ledger.example/openapi.json", bytes: 12 },
    baseUrl: "https://ledger.example",
    authentication: { method: "oauth2", clientId: "procedo", scopes: ["read", "pay"] },
    headers: { "X-Tenant": "12" },
    isStrict: true,
    idempotencyKeyTtlMs: 300000,
  };
  expect(shownSettings(settings).map(({ label, text }) => `${label}: ${text}`)).toEqual([
    "Document: Ledger, version 1.2, fetched from https://ledger.example/openapi.json",
    "Base URL: https://ledger.example",
    "Authentication: OAuth, authorized by a person",
    "Client ID: procedo",
    "Scopes: read, pay",
    "Headers: X-Tenant: 12",
    "Is strict: Yes",
    "Idempotency key lifetime (ms): 300000",
  ]);
});
