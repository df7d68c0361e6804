import { expect, test } from "vitest";
import { settingChanges } from "./setting-changes.ts";

const before = {
  spec: { title: "Ledger", version: "1" },
  baseUrl: "https://ledger.example",
  authentication: { method: "api_key_header", header: "X-Key" },
  headers: { "X-Tenant": "12" },
};
const { spec: _, ...same } = before;

test("settings that stay as they were are not named, also with their members in another order", () => {
  const authentication = { header: "X-Key", method: "api_key_header" };
  expect(settingChanges(before, { ...same, authentication })).toEqual({});
});

test("a setting that changed is named, and one that is gone is null; the document is never removed", () => {
  const { headers: _headers, ...others } = same;
  const spec = { text: "openapi: 3.0.0" };
  expect(settingChanges(before, { ...others, baseUrl: "https://new.example" })).toEqual({
    baseUrl: "https://new.example",
    headers: null,
  });
  expect(settingChanges(before, { ...same, spec })).toEqual({ spec });
});
