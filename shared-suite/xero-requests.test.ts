import type { JsonObject } from "@procedo/contract";
import type { ProbedExchange } from "@procedo/integrations/testing";
import { describe, expect, test } from "vitest";
import * as objects from "../packages/integrations/src/services/xero/xero-objects.ts";
import { xero } from "../packages/integrations/src/services/xero/xero.ts";
import { xeroProbe } from "../packages/integrations/src/services/xero/xero.probe.ts";
import { exchangesOf, readApiDocument, undocumented } from "./documented-requests.ts";
import { objectOf } from "./documented-values.ts";

const document = readApiDocument("xero-accounting.yaml");
const probe = xeroProbe("http://127.0.0.1");
const { schemas, securitySchemes } = objectOf(document["components"]) as Record<string, JsonObject>;

test("each request of the Xero integration is an operation of Xero's document, with fields that it describes", () => {
  // The list of connections is in another document of Xero.
  const exchanges = exchangesOf(probe).filter(({ request }) => request !== "GET /connections");
  expect(exchanges).toHaveLength(18);
  expect(undocumented(document, exchanges)).toEqual([]);
});

test("each request that changes something is one that takes an idempotency key", () => {
  const changing = exchangesOf(probe).filter(({ request }) => !request.startsWith("GET "));
  expect(changing).toHaveLength(5);
  for (const { request } of changing) {
    const [method = "", target = ""] = request.split(/[ ?]/);
    const path = target.replace("/api.xro/2.0", "").replace(/^\/Invoices\/.+/, "/Invoices/{InvoiceID}");
    const operation = objectOf(objectOf(objectOf(document["paths"])[path])[method.toLowerCase()]);
    expect(operation["parameters"]).toContainEqual({ $ref: "#/components/parameters/idempotencyKey" });
  }
});

test.each([
  ["contact", "Contact"],
  ["invoice", "Invoice"],
  ["payment", "Payment"],
  ["bankTransaction", "BankTransaction"],
  ["account", "Account"],
  ["organisation", "Organisation"],
] as const)("each member of the output %s is in the document", (name, schema) => {
  const members = Object.keys(objectOf(objectOf(schemas?.[schema])["properties"]));
  expect(members).toEqual(expect.arrayContaining(Object.keys(objects[name].shape)));
});

const { contact, invoice, invoiceChange, payment, bankTransaction } = objects.given;

test.each([
  ["Contact", contact],
  ["Invoice", invoice],
  ["Invoice", invoiceChange],
  ["Payment", payment],
  ["BankTransaction", bankTransaction],
] as const)("each argument for a %s is in the document", (schema, { shape }) => {
  const members = Object.keys(objectOf(objectOf(schemas?.[schema])["properties"]));
  expect(members).toEqual(expect.arrayContaining(Object.keys(shape)));
});

test("the authorization server and the scopes are those of the document", () => {
  const { environment, settings = {}, secrets = {} } = probe.connection;
  const { authorizationCode } = objectOf(objectOf(securitySchemes?.["OAuth2"])["flows"]) as Record<string, JsonObject>;
  const scopes = Object.keys(objectOf(authorizationCode?.["scopes"]));
  const whole = xero().withDefaults?.(settings) ?? settings;
  const client = xero().oauth?.({ environment, settings: whole, secrets });
  expect(client).toMatchObject({
    authorizationUrl: authorizationCode?.["authorizationUrl"],
    tokenUrl: authorizationCode?.["tokenUrl"],
  });
  expect(scopes).toEqual(expect.arrayContaining(client?.scopes.filter((scope) => scope !== "offline_access") ?? []));
});

test("a page says in the document how many there are", () => {
  const { properties } = objectOf(schemas?.["Pagination"]);
  expect(Object.keys(objectOf(properties))).toEqual(expect.arrayContaining(["page", "pageCount"]));
  for (const list of ["Contacts", "Invoices", "Payments", "BankTransactions"]) {
    expect(objectOf(objectOf(schemas?.[list])["properties"])).toHaveProperty("pagination");
  }
});

describe("a request that deviates from the document is found:", () => {
  const api = "/api.xro/2.0";
  const put = (collection: string, element: JsonObject): ProbedExchange => ({
    ...{ request: `PUT ${api}/${collection}`, sent: { [collection]: [element] }, answer: { [collection]: [] } },
  });
  test.each<readonly [string, ProbedExchange]>([
    ["has no operation", put("Bills", {})],
    ["query /page is", { request: `GET ${api}/Invoices?page=many`, answer: {} }],
    ["query /colour is not in the document", { request: `GET ${api}/Contacts?colour=red`, answer: {} }],
    ["body /Payments/0/Colour is not in the document", put("Payments", { Colour: "red" })],
    ["body /Invoices/0/Type is", put("Invoices", { Type: "BILL" })],
    ["body /BankTransactions/0/BankAccount is required", put("BankTransactions", { Type: "SPEND", LineItems: [] })],
  ])("%s", (problem, exchange) => {
    expect(undocumented(document, [exchange]).join()).toContain(problem);
  });
});
