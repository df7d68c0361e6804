import type { JsonObject } from "@procedo/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callKey, openCalling, type Calling } from "../calling.ts";
import { pathOf, textOf } from "../shared-documents.ts";
import { expectRequest, type Demanded } from "./expect-request.ts";

let calling: Calling;
beforeAll(async () => {
  calling = await openCalling(textOf(pathOf("real", "paypal-checkout-orders-v2.json")), {
    authentication: { method: "bearer_token" },
    secrets: { token: "A21AA" },
    idempotencyHeader: "PayPal-Request-Id",
  });
});
afterAll(() => calling.close());

const authorization = "Bearer A21AA";
/** The connection's header for the call's key is one of the operations' own parameters. */
const writing = { authorization, "paypal-request-id": callKey };
const units = [{ amount: { currency_code: "EUR", value: "100.00" }, reference_id: "d9f80740" }];
const patches = [
  {
    op: "replace",
    path: "/purchase_units/@reference_id=='default'/amount",
    value: { currency_code: "EUR", value: "90.00" },
  },
  { op: "remove", path: "/intent" },
];

/** The document has eight operations; two of them are called with two sets of arguments. */
const calls: readonly (readonly [name: string, args: JsonObject, demanded: Demanded])[] = [
  [
    "orders.create",
    {
      Prefer: "return=representation",
      "PayPal-Partner-Attribution-Id": "bn 1",
      intent: "CAPTURE",
      purchase_units: units,
    },
    {
      method: "POST",
      path: "/v2/checkout/orders",
      headers: { ...writing, prefer: "return=representation", "paypal-partner-attribution-id": "bn 1" },
      json: { intent: "CAPTURE", purchase_units: units },
    },
  ],
  [
    "orders.get",
    { id: "5O190127TN364715T", fields: "payment_source" },
    {
      method: "GET",
      path: "/v2/checkout/orders/5O190127TN364715T",
      query: [["fields", "payment_source"]],
      headers: { authorization },
    },
  ],
  ["orders.get", { id: "1" }, { method: "GET", path: "/v2/checkout/orders/1", headers: { authorization } }],
  // The body is a list, and therefore one input.
  [
    "orders.patch",
    { id: "5O190127TN364715T", body: patches },
    { method: "PATCH", path: "/v2/checkout/orders/5O190127TN364715T", headers: writing, json: patches },
  ],
  [
    "orders.confirm",
    { id: "1", payment_source: { token: { id: "T", type: "BILLING_AGREEMENT" } } },
    {
      method: "POST",
      path: "/v2/checkout/orders/1/confirm-payment-source",
      headers: writing,
      json: { payment_source: { token: { id: "T", type: "BILLING_AGREEMENT" } } },
    },
  ],
  [
    "orders.authorize",
    { id: "1", "PayPal-Auth-Assertion": "eyJ.e30." },
    {
      method: "POST",
      path: "/v2/checkout/orders/1/authorize",
      headers: { ...writing, "paypal-auth-assertion": "eyJ.e30." },
    },
  ],
  // An optional body is not sent without arguments, …
  ["orders.capture", { id: "1" }, { method: "POST", path: "/v2/checkout/orders/1/capture", headers: writing }],
  // … and sent with some.
  [
    "orders.capture",
    { id: "1", payment_source: { token: { id: "T", type: "BILLING_AGREEMENT" } } },
    {
      method: "POST",
      path: "/v2/checkout/orders/1/capture",
      headers: writing,
      json: { payment_source: { token: { id: "T", type: "BILLING_AGREEMENT" } } },
    },
  ],
  // Its members come from both parts of an allOf.
  [
    "orders.track.create",
    { id: "1", transaction_id: "TX1", capture_id: "CAP1", status: "SHIPPED", notify_payer: true },
    {
      method: "POST",
      path: "/v2/checkout/orders/1/track",
      headers: writing,
      json: { transaction_id: "TX1", capture_id: "CAP1", status: "SHIPPED", notify_payer: true },
    },
  ],
  [
    "orders.trackers.patch",
    { id: "1", tracker_id: "2", body: [{ op: "replace", path: "/status", value: "CANCELLED" }] },
    {
      method: "PATCH",
      path: "/v2/checkout/orders/1/trackers/2",
      headers: writing,
      json: [{ op: "replace", path: "/status", value: "CANCELLED" }],
    },
  ],
];

describe("paypal: every operation, as received by a server", () => {
  test.each(calls)("%s %j", async (name, args, demanded) => {
    await expectRequest(await calling.send(name, args), demanded);
  });

  test("no operation is missing", () => {
    expect(new Set(calls.map(([name]) => name))).toEqual(new Set(calling.actions.keys()));
  });
});
