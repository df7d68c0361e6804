import type { JsonObject } from "@procedo/contract";
import { createHmac } from "node:crypto";
import type { IntegrationProbe, ProbedCall } from "../../testing/index.ts";
import { goCardless } from "./gocardless.ts";

const created_at = "2026-11-27T09:00:00.000Z";
const fact = { created_at, metadata: {} };

const customer = {
  ...fact,
  ...{ id: "CU0001", email: "jane@example.com", given_name: "Jane", family_name: "Doe", company_name: null },
  ...{ country_code: "GB", language: "en" },
};
const mandate = {
  ...fact,
  ...{ id: "MD0001", reference: "REF-1", scheme: "bacs", status: "active", next_possible_charge_date: "2026-12-01" },
  links: { creditor: "CR0001", customer: "CU0001", customer_bank_account: "BA0001" },
};
const billingRequest = {
  ...fact,
  ...{ id: "BRQ0001", status: "pending", mandate_request: { currency: "GBP", scheme: "bacs" }, payment_request: null },
  links: { customer: "CU0001", mandate_request: "MRQ0001" },
};
const flow = {
  ...{ id: "BRF0001", authorisation_url: "https://pay-sandbox.gocardless.com/billing/static/flow?id=BRF0001" },
  ...{ expires_at: "2026-12-04T09:00:00.000Z", links: { billing_request: "BRQ0001" } },
};
const payment = {
  ...fact,
  ...{ id: "PM0001", amount: 12_50, currency: "GBP", charge_date: "2026-12-01", description: "Invoice 7" },
  ...{ reference: null, status: "pending_submission", amount_refunded: 0 },
  links: { creditor: "CR0001", mandate: "MD0001" },
};
const refund = {
  ...fact,
  ...{ id: "RF0001", amount: 5_00, currency: "GBP", reference: null, status: "created", links: { payment: "PM0001" } },
};
const payout = {
  ...fact,
  ...{ id: "PO0001", amount: 1_000, currency: "GBP", arrival_date: "2026-12-03", deducted_fees: 20 },
  ...{ payout_type: "merchant", reference: "ref-1", status: "paid" },
  links: { creditor: "CR0001", creditor_bank_account: "BA0002" },
};
const payoutItem = { amount: "45.0", type: "payment_paid_out", links: { payment: "PM0001" }, taxes: [] };
const outboundPayment = {
  ...fact,
  ...{ id: "OUT0001", amount: 99_00, currency: "GBP", description: "Supplier", execution_date: "2026-12-01" },
  ...{ reference: "INV-7", status: "verifying", is_withdrawal: false, scheme: "faster_payments" },
  links: { creditor: "CR0001", recipient_bank_account: "BA0003" },
};

/** The refusal of an idempotency key whose object exists. */
const conflict = (id: string) => ({
  error: {
    ...{ type: "invalid_state", code: 409, message: "A resource has already been created with this idempotency key" },
    errors: [
      {
        ...{ reason: "idempotent_creation_conflict", links: { conflicting_resource_id: id } },
        message: "A resource has already been created with this idempotency key",
      },
    ],
  },
});

const notCancelled = {
  error: {
    ...{ type: "invalid_state", code: 422, message: "Payment could not be cancelled" },
    errors: [{ reason: "cancellation_failed", message: "Payment could not be cancelled" }],
  },
};

/** A call that creates an object, once at the first attempt, and once when an earlier attempt has created it. */
function creates(kind: string, args: JsonObject, sent: JsonObject, object: JsonObject & { id: string }): ProbedCall[] {
  const request = { request: `POST /${kind}`, sent: { [kind]: sent } };
  const answer = { [kind]: object };
  return [
    { args, output: object, exchanges: [{ ...request, status: 201, answer }] },
    {
      ...{ args, output: object },
      exchanges: [
        { ...request, status: 409, answer: conflict(object.id) },
        { request: `GET /${kind}/${object.id}`, answer },
      ],
    },
  ];
}

function reads(kind: string, object: JsonObject & { id: string }): ProbedCall {
  const exchange = { request: `GET /${kind}/${object.id}`, answer: { [kind]: object } };
  return { args: { id: object.id }, output: object, exchanges: [exchange] };
}

const lastPage = (kind: string, items: readonly JsonObject[]) => ({
  [kind]: items,
  meta: { cursors: { before: null, after: null }, limit: 100 },
});

const secrets = { accessToken: "sandbox_Q2hlY2tlZA", webhookSecret: "whs_3f8c6e0d5b1a" };

/** The facts about GoCardless. */
export function goCardlessProbe(origin: string): IntegrationProbe {
  const integration = goCardless({ baseUrl: origin });
  const events = integration.inbound?.events ?? [];
  return {
    integration,
    connection: { environment: "sandbox", secrets },
    misplaced: { environment: "sandbox", secrets: { ...secrets, accessToken: "live_Q2hlY2tlZA" } },
    account: {
      exchanges: [
        {
          request: "GET /creditors?limit=500",
          answer: lastPage("creditors", [
            { id: "CR0002", name: "Acme Ireland" },
            { id: "CR0001", name: "Acme" },
          ]),
        },
      ],
      account: { id: "CR0001", name: "Acme" },
    },
    calls: {
      create_customer: creates(
        "customers",
        { email: "jane@example.com", given_name: "Jane", family_name: "Doe", country_code: "GB" },
        { email: "jane@example.com", given_name: "Jane", family_name: "Doe", country_code: "GB" },
        customer,
      ),
      get_customer: reads("customers", customer),
      create_billing_request: creates(
        "billing_requests",
        {
          mandate: { currency: "GBP", scheme: "bacs" },
          payment: { amount: 100, currency: "GBP", description: "First month" },
          ...{ customer: "CU0001", metadata: { contract: "C-7" } },
        },
        {
          mandate_request: { currency: "GBP", scheme: "bacs" },
          payment_request: { amount: 100, currency: "GBP", description: "First month" },
          ...{ links: { customer: "CU0001" }, metadata: { contract: "C-7" } },
        },
        billingRequest,
      ),
      get_billing_request: reads("billing_requests", billingRequest),
      create_billing_request_flow: {
        args: { billing_request: "BRQ0001", redirect_uri: "https://acme.example/thanks" },
        output: flow,
        exchanges: [
          {
            request: "POST /billing_request_flows",
            sent: {
              billing_request_flows: {
                ...{ redirect_uri: "https://acme.example/thanks", links: { billing_request: "BRQ0001" } },
              },
            },
            ...{ status: 201, answer: { billing_request_flows: flow } },
          },
        ],
      },
      get_mandate: reads("mandates", mandate),
      create_payment: creates(
        "payments",
        {
          ...{ mandate: "MD0001", amount: 12_50, currency: "GBP", charge_date: "2026-12-01" },
          ...{ description: "Invoice 7", retry_if_possible: true },
        },
        {
          ...{ amount: 12_50, currency: "GBP", charge_date: "2026-12-01", description: "Invoice 7" },
          ...{ retry_if_possible: true, links: { mandate: "MD0001" } },
        },
        payment,
      ),
      get_payment: reads("payments", payment),
      cancel_payment: [
        {
          ...{ args: { id: "PM0001" }, output: { ...payment, status: "cancelled" } },
          exchanges: [
            {
              request: "POST /payments/PM0001/actions/cancel",
              answer: { payments: { ...payment, status: "cancelled" } },
            },
          ],
        },
        {
          ...{ args: { id: "PM0001" }, output: { ...payment, status: "cancelled" } },
          exchanges: [
            { request: "POST /payments/PM0001/actions/cancel", status: 422, answer: notCancelled },
            { request: "GET /payments/PM0001", answer: { payments: { ...payment, status: "cancelled" } } },
          ],
        },
      ],
      create_refund: creates(
        "refunds",
        { payment: "PM0001", amount: 5_00, total_amount_confirmation: 7_00 },
        { amount: 5_00, total_amount_confirmation: 7_00, links: { payment: "PM0001" } },
        refund,
      ),
      list_payouts: {
        args: { status: "paid", created_from: "2026-11-01T00:00:00Z" },
        output: { items: [payout, { ...payout, id: "PO0002" }], pages: 2, hasMore: false },
        exchanges: [
          {
            request: "GET /payouts?status=paid&created_at%5Bgte%5D=2026-11-01T00%3A00%3A00Z&limit=100",
            answer: { payouts: [payout], meta: { cursors: { before: null, after: "PO0001" }, limit: 100 } },
          },
          {
            request: "GET /payouts?status=paid&created_at%5Bgte%5D=2026-11-01T00%3A00%3A00Z&limit=100&after=PO0001",
            answer: lastPage("payouts", [{ ...payout, id: "PO0002" }]),
          },
        ],
      },
      list_payout_items: {
        args: { payout: "PO0001" },
        output: { items: [payoutItem], pages: 1, hasMore: false },
        exchanges: [
          { request: "GET /payout_items?payout=PO0001&limit=100", answer: lastPage("payout_items", [payoutItem]) },
        ],
      },
      create_outbound_payment: creates(
        "outbound_payments",
        { recipient_bank_account: "BA0003", amount: 99_00, description: "Supplier", reference: "INV-7" },
        {
          ...{ amount: 99_00, scheme: "faster_payments", description: "Supplier", reference: "INV-7" },
          links: { recipient_bank_account: "BA0003" },
        },
        outboundPayment,
      ),
      get_outbound_payment: reads("outbound_payments", outboundPayment),
    },
    inbound: {
      bodies: Object.fromEntries(events.map(({ type, sample }) => [type, JSON.stringify({ events: [sample] })])),
      header: "Webhook-Signature",
      sign: (body, { secrets: { webhookSecret = "" } }) => ({
        ...{ origin: "https://api-sandbox.gocardless.com" },
        "Webhook-Signature": createHmac("sha256", webhookSecret).update(body).digest("hex"),
      }),
      misplaced: { headers: { origin: "https://api.gocardless.com" }, body: JSON.stringify({ events: [] }) },
      list: {
        ...{ fromMs: Date.parse("2026-11-26T00:00:00Z"), toMs: Date.parse("2026-11-27T00:00:00Z") },
        ...{ types: ["payments.failed"], ids: ["EV3"] },
        exchanges: [
          {
            request: `GET /events?${period}&limit=500`,
            answer: {
              events: [listed("EV1", "confirmed")],
              meta: { cursors: { before: null, after: "EV1" }, limit: 500 },
            },
          },
          {
            request: `GET /events?${period}&limit=500&after=EV1`,
            answer: lastPage("events", [listed("EV2", "confirmed"), listed("EV3", "failed")]),
          },
        ],
      },
    },
  };
}

const period = "created_at%5Bgte%5D=2026-11-26T00%3A00%3A00.000Z&created_at%5Blt%5D=2026-11-27T00%3A00%3A00.000Z";

function listed(id: string, action: string): JsonObject {
  return { ...{ id, created_at, action, resource_type: "payments" }, links: { payment: "PM0001" }, details: {} };
}
