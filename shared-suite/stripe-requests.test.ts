import type { JsonObject } from "@procedo/contract";
import type { ProbedExchange } from "@procedo/integrations/testing";
import { describe, expect, test } from "vitest";
import * as objects from "../packages/integrations/src/services/stripe/stripe-objects.ts";
import { stripeProbe } from "../packages/integrations/src/services/stripe/stripe.probe.ts";
import { exchangesOf, readApiDocument, undocumented, undocumentedObject } from "./documented-requests.ts";
import { listOf, objectOf, textOf } from "./documented-values.ts";
import { writtenFields } from "./written-fields.ts";

const document = readApiDocument("stripe-spec3-2022-04-12.json");
const probe = stripeProbe("http://127.0.0.1");
const samples = (probe.integration.inbound?.events ?? []).map(({ type, sample }) => [type, objectOf(sample)] as const);

test("each request of the Stripe integration is an operation of Stripe's document, with fields that it describes", () => {
  const exchanges = exchangesOf(probe);
  expect(exchanges).toHaveLength(18);
  expect(undocumented(document, exchanges)).toEqual([]);
});

test.each([
  ["customer", ["customer", "deleted_customer"]],
  ["paymentIntent", ["payment_intent"]],
  ["refund", ["refund"]],
  ["payout", ["payout"]],
  ["transfer", ["transfer"]],
  ["balanceTransaction", ["balance_transaction"]],
  ["invoice", ["invoice"]],
] as const)("each member of the output %s is in the document", (name, schemas) => {
  const known = schemas.map((schema) => objectOf(objectOf(objectOf(document["components"])["schemas"])[schema]));
  const members = known.flatMap(({ properties }) => Object.keys(objectOf(properties)));
  expect(members).toEqual(expect.arrayContaining(Object.keys(objects[name].shape)));
});

test("each event of the Stripe integration is one that an endpoint can choose", () => {
  const endpoints = objectOf(objectOf(objectOf(document["paths"])["/v1/webhook_endpoints"])["post"]);
  const text = JSON.stringify(endpoints);
  expect(samples.filter(([type]) => !text.includes(`"${type}"`))).toEqual([]);
});

test.each(samples)("the sample of %s is an object of Stripe's document", (_type, sample) => {
  const object = objectOf(objectOf(sample["data"])["object"]);
  expect(undocumentedObject(document, textOf(object["object"]), object)).toEqual([]);
});

describe("a request that deviates from the document is found:", () => {
  const customer: JsonObject = { id: "cus_1", object: "customer", created: 5, livemode: false };
  const get = (request: string, answer: JsonObject = customer): ProbedExchange => ({ request, answer });
  const post = (request: string, sent: string): ProbedExchange => ({ request, sent, answer: {} });
  test.each<readonly [string, ProbedExchange]>([
    ["has no operation", get("GET /v1/clients")],
    ["query /colour is not in the document", get("GET /v1/customers/cus_1?colour=red")],
    ['query /limit is "many" instead of "integer"', get("GET /v1/payouts?limit=many", {})],
    ["query /created/since is not in the document", get("GET /v1/payouts?created%5Bsince%5D=5", {})],
    ['query /status is "sent"', get("GET /v1/invoices?status=sent", {})],
    ["body /currency is required", post("POST /v1/payouts", "amount=5")],
    ["body /colour is not in the document", post("POST /v1/payouts", "amount=5&currency=eur&colour=red")],
    ['body /amount is "5.5" instead of "integer"', post("POST /v1/payouts", "amount=5.5&currency=eur")],
    [
      'body /metadata/a is {"b":"c"} instead of "string"',
      post("POST /v1/transfers", "currency=eur&destination=acct_1&metadata%5Ba%5D%5Bb%5D=c"),
    ],
    ["its answer: /colour is not in the document", get("GET /v1/customers/cus_1", { ...customer, colour: "red" })],
    ['its answer: /created is "5" instead of "integer"', get("GET /v1/customers/cus_1", { ...customer, created: "5" })],
  ])("%s", (problem, exchange) => {
    const problems = undocumented(document, [exchange]);
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain(problem);
  });
});

test("lists of a query are read in each way of writing them", () => {
  const read = ["a=1&a=2", "a[]=1&a[]=2", "a[0]=1&a[1]=2"].map((text) => listOf(writtenFields(text)["a"]));
  expect(read).toEqual([
    ["1", "2"],
    ["1", "2"],
    ["1", "2"],
  ]);
  expect(writtenFields("a[b][c]=1&d=")).toEqual({ a: { b: { c: "1" } }, d: "" });
});
