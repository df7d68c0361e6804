import type { JsonObject } from "@procedo/contract";
import { afterAll, beforeAll, describe, test } from "vitest";
import { callKey, openCalling, type Calling } from "../calling.ts";
import { pathOf, textOf } from "../shared-documents.ts";
import { expectRequest, type Demanded } from "./expect-request.ts";

let calling: Calling;
beforeAll(async () => {
  calling = await openCalling(textOf(pathOf("real", "stripe-spec3-2022-04-12.json")), {
    authentication: { method: "basic_auth" },
    secrets: { user: "sk_test_1", password: "" },
    idempotencyHeader: "Idempotency-Key",
  });
});
afterAll(() => calling.close());

/** RFC 7617, of `sk_test_1:`. */
const authorization = "Basic c2tfdGVzdF8xOg==";
const reading = { authorization };
const writing = { authorization, "idempotency-key": callKey };

const calls: readonly (readonly [name: string, args: JsonObject, demanded: Demanded])[] = [
  [
    // A deepObject with members, and a list as a deepObject.
    "GetCharges",
    { created: { gte: 1, lt: 2 }, expand: ["data.customer", "data.invoice"], limit: 3 },
    {
      method: "GET",
      path: "/v1/charges",
      query: [
        ["created[gte]", "1"],
        ["created[lt]", "2"],
        ["expand[0]", "data.customer"],
        ["expand[1]", "data.invoice"],
        ["limit", "3"],
      ],
      headers: reading,
    },
  ],
  [
    // The other alternative of the same parameter: a number.
    "GetBalanceHistory",
    { created: 1_650_000_000, type: "payout" },
    {
      method: "GET",
      path: "/v1/balance/history",
      query: [
        ["created", "1650000000"],
        ["type", "payout"],
      ],
      headers: reading,
    },
  ],
  [
    // An array with its own style beside a boolean.
    "GetEvents",
    { delivery_success: true, types: ["charge.succeeded", "charge.failed"] },
    {
      method: "GET",
      path: "/v1/events",
      query: [
        ["delivery_success", "true"],
        ["types[0]", "charge.succeeded"],
        ["types[1]", "charge.failed"],
      ],
      headers: reading,
    },
  ],
  [
    // A form with nested objects and a free map.
    "PostCharges",
    {
      amount: 1250,
      currency: "eur",
      expand: ["customer"],
      metadata: { order: "6735 & more" },
      shipping: { address: { line1: "Main St 1" }, name: "Ana" },
    },
    {
      method: "POST",
      path: "/v1/charges",
      form: [
        ["amount", "1250"],
        ["currency", "eur"],
        ["expand[0]", "customer"],
        ["metadata[order]", "6735 & more"],
        ["shipping[address][line1]", "Main St 1"],
        ["shipping[name]", "Ana"],
      ],
      headers: writing,
    },
  ],
  [
    // Objects in a list.
    "PostPrices",
    {
      currency: "eur",
      tiers: [
        { unit_amount: 100, up_to: 10 },
        { unit_amount_decimal: "0.5", up_to: "inf" },
      ],
    },
    {
      method: "POST",
      path: "/v1/prices",
      form: [
        ["currency", "eur"],
        ["tiers[0][unit_amount]", "100"],
        ["tiers[0][up_to]", "10"],
        ["tiers[1][unit_amount_decimal]", "0.5"],
        ["tiers[1][up_to]", "inf"],
      ],
      headers: writing,
    },
  ],
  // The empty text is an alternative of the map: it clears it.
  [
    "PostCustomers",
    { metadata: "" },
    { method: "POST", path: "/v1/customers", form: [["metadata", ""]], headers: writing },
  ],
  // It declares an empty form, which counts as no body.
  [
    "DeleteCustomersCustomer",
    { customer: "cus_1" },
    { method: "DELETE", path: "/v1/customers/cus_1", headers: writing },
  ],
  [
    // 65 characters.
    "DeleteCustomersCustomerSubscriptionsSubscriptionExposedIdDiscount",
    { customer: "cus_1", subscription_exposed_id: "sub_1" },
    { method: "DELETE", path: "/v1/customers/cus_1/subscriptions/sub_1/discount", headers: writing },
  ],
  [
    "PostSubscriptionItemsSubscriptionItemUsageRecords",
    { subscription_item: "si 1/2", action: "set", quantity: 100, timestamp: "now" },
    {
      method: "POST",
      path: "/v1/subscription_items/si%201%2F2/usage_records",
      form: [
        ["action", "set"],
        ["quantity", "100"],
        ["timestamp", "now"],
      ],
      headers: writing,
    },
  ],
  [
    // Multipart, and `file` is a text in this document; the operation's own server is not called.
    "PostFiles",
    { file: "line 1\r\nline 2", purpose: "dispute_evidence" },
    {
      method: "POST",
      path: "/v1/files",
      multipart: [
        ["file", "line 1\r\nline 2"],
        ["purpose", "dispute_evidence"],
      ],
      headers: writing,
    },
  ],
];

describe("stripe: ten peculiar operations, as received by a server", () => {
  test.each(calls)("%s", async (name, args, demanded) => {
    await expectRequest(await calling.send(name, args), demanded);
  });
});
