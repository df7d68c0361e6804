import { expect, test } from "vitest";
import type { Integration } from "../api/models.ts";
import { entryOf } from "../forms/form-entry.ts";
import { exactJsonOf } from "../forms/exact-json.ts";
import {
  draftOf,
  emptyDraft,
  fieldPlaces,
  problemAt,
  problemsBelow,
  refusalProblems,
  requestOf,
  secretFields,
} from "./connection-draft.ts";
import { connectionForm } from "./connection-form.ts";
import { removedSecrets } from "./removed-secrets.ts";

const text = { type: "string" };

const customApi: Integration = {
  id: "custom_api",
  title: "Custom API",
  kind: "documented",
  needsConnection: true,
  settings: {
    $ref: "#/$defs/Settings",
    $defs: {
      Settings: {
        type: "object",
        properties: {
          spec: { anyOf: [] },
          baseUrl: { type: "string", format: "uri" },
          authentication: { default: { method: "none" }, $ref: "#/$defs/Authentication" },
          headers: { type: "object", additionalProperties: text },
        },
        required: ["spec"],
      },
      Authentication: {
        oneOf: [
          { type: "object", properties: { method: { const: "api_key_header" }, header: text }, required: ["header"] },
          { type: "object", properties: { method: { const: "none" } } },
        ],
      },
    },
  },
  secrets: [],
  authentication: [
    { method: "api_key_header", secrets: [{ name: "apiKey", isRequired: true }] },
    { method: "none", secrets: [] },
  ],
  oauth: true,
  events: [],
};

const form = connectionForm(customApi);
const document = { source: "text", text: "openapi: 3.0.0", url: "" } as const;
const keyed = {
  ...emptyDraft(form),
  document,
  method: "api_key_header",
  authentication: { api_key_header: entryOf(form.methods[0]!.settings, exactJsonOf({ header: "X-Key" })) },
};

test("a form has the settings of the integration, and those of each authentication method", () => {
  expect(form.settings.members.map(([, { label }]) => label)).toEqual(["Base URL"]);
  expect(form.moreSettings.members.map(([name]) => name)).toEqual(["headers"]);
  expect(form.methods.map(({ method, settings }) => [method, settings.members.map(([name]) => name)])).toEqual([
    ["api_key_header", ["header"]],
    ["none", []],
  ]);
});

test("a request has the document, the method with its settings, and the secrets of this method only", () => {
  expect(requestOf(form, { ...keyed, secrets: { apiKey: "k", token: "of another method" } })).toEqual({
    isValid: true,
    settings: { spec: { text: "openapi: 3.0.0" }, authentication: { method: "api_key_header", header: "X-Key" } },
    secrets: { apiKey: "k" },
  });
});

test("what is missing is said at each field at once", () => {
  const draft = { ...emptyDraft(form), method: "api_key_header" };
  const result = requestOf(form, draft);
  expect(result.isValid ? [] : [...result.problems.keys()]).toEqual([
    "/settings/authentication/header",
    "/secrets/apiKey",
    "/settings/spec",
  ]);
  if (result.isValid) return;
  expect(problemsBelow(result.problems, "/settings/authentication")).toEqual(new Map([["/header", "is required."]]));
  expect(problemAt(result.problems, "/secrets/apiKey")).toBe("API key is required.");
});

test("the draft of a connection asks for nothing that the connection has", () => {
  const settings = {
    spec: { title: "Ledger", version: "1" },
    baseUrl: "https://ledger.example",
    authentication: { method: "api_key_header", header: "X-Key" },
    headers: { "X-Tenant": "12" },
  };
  const draft = draftOf(form, { settings });
  const { spec: _, ...kept } = settings;
  expect(requestOf(form, draft, false)).toEqual({ isValid: true, settings: kept, secrets: {} });
  expect(secretFields(form, draft).map(({ name }) => name)).toEqual(["apiKey"]);
});

test("a refusal is shown at its fields; a field without parts shows the problems of its parts", () => {
  const details = [
    { path: "/settings/headers/X-Api-Key", message: "is a credential" },
    { path: "/name", message: "is taken" },
  ];
  const refused = refusalProblems({ details }, fieldPlaces(form, keyed));
  expect(refused).toEqual({
    problems: new Map([
      ["/settings/headers", "at X-Api-Key is a credential"],
      ["/name", "is taken"],
    ]),
    isWhole: true,
  });
});

test("a refusal that names no shown field is left for the form", () => {
  const details = [{ path: "/environment", message: "is required" }];
  expect(refusalProblems({ details }, fieldPlaces(form, keyed)).isWhole).toBe(false);
  expect(refusalProblems({ details: [] }, fieldPlaces(form, keyed)).isWhole).toBe(false);
});

const bankForm = connectionForm({
  ...customApi,
  kind: "coded",
  settings: { type: "object", properties: {} },
  secrets: [{ name: "clientId", isRequired: true }],
  otherSecrets: { prefix: "item:" },
  authentication: [],
});
const ofBank = (...namedSecrets: readonly { readonly name: string; readonly value: string }[]) =>
  requestOf(bankForm, { ...emptyDraft(bankForm), secrets: { clientId: "c-1" }, namedSecrets });

test("secrets that a person named are sent under their whole names, without rows that stayed empty", () => {
  const request = ofBank({ name: "main", value: "access-1" }, { name: "", value: "" });
  expect(request).toMatchObject({ isValid: true, secrets: { clientId: "c-1", "item:main": "access-1" } });
});

test.each([
  [[{ name: "main", value: "" }], ["/secrets/item:main", "is required."]],
  [[{ name: "", value: "access-1" }], ["/secrets/item:", "needs a name."]],
  [
    [
      { name: "main", value: "access-1" },
      { name: "main", value: "access-2" },
    ],
    ["/secrets/item:main", "is given twice."],
  ],
])("secrets that a person named are not sent as %j", (rows, problem) => {
  const request = ofBank(...rows);
  expect(!request.isValid && [...request.problems]).toEqual([problem]);
});

test("another method removes the secrets of the former one, and none that a person named", () => {
  const naming = { ...form, otherSecrets: { prefix: "item:", description: "Item" } };
  const stored = { secretNames: ["apiKey", "item:main"] };
  expect(removedSecrets(naming, { ...keyed, method: "none" }, stored)).toEqual(["apiKey"]);
  expect(removedSecrets(naming, keyed, stored)).toEqual([]);
  expect(removedSecrets(form, { ...keyed, method: "none" }, stored)).toEqual(["apiKey", "item:main"]);
});
