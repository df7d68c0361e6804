import type { JsonObject } from "@procedo/contract";
import { createHmac } from "node:crypto";
import type { IntegrationProbe, ProbedCall } from "../../testing/index.ts";
import { stripe } from "./stripe.ts";
import { stripeEventTypes } from "./stripe-event-types.ts";

export const probedSecrets = {
  secretKey: "sk_test_51QaB1cD2eF3gH4",
  webhookSecret: "whsec_N3wS3cr3tOfTheEndpoint",
  previousWebhookSecret: "whsec_0ldS3cr3tOfTheEndpoint",
};

const at = 1_795_770_000;
const money = { amount: 48_000, currency: "eur" };

const customer = {
  ...{ id: "cus_R1", object: "customer", balance: 0, created: at, currency: "eur", delinquent: false },
  ...{ description: null, email: "ap@acme.example", livemode: false, metadata: {}, name: "Acme GmbH", phone: null },
};
const paymentIntent = {
  ...{ id: "pi_1", object: "payment_intent", ...money, amount_capturable: 0, amount_received: 48_000 },
  ...{ canceled_at: null, client_secret: "pi_1_secret_Kq3vT9", created: at, customer: "cus_R1", description: null },
  ...{ livemode: false, metadata: { order: "7 & 8" }, payment_method: "pm_1", receipt_email: null },
  ...{ status: "succeeded" },
};
const refund = {
  ...{ id: "re_1", object: "refund", ...money, amount: 1_250, balance_transaction: "txn_1", charge: "ch_1" },
  ...{ created: at, metadata: {}, payment_intent: "pi_1", reason: "duplicate", status: "pending" },
};
const invoice = {
  ...{ id: "in_1", object: "invoice", amount_due: 48_000, amount_paid: 0, amount_remaining: 48_000 },
  ...{ attempt_count: 0, created: at, currency: "eur", customer: "cus_R1", customer_email: null },
  ...{ customer_name: "Acme GmbH", due_date: null, hosted_invoice_url: null, livemode: false, metadata: {} },
  ...{ number: "ACME-0001", status: "open", total: 48_000 },
};
const payout = {
  ...{ id: "po_1", object: "payout", ...money, arrival_date: at, automatic: false, balance_transaction: "txn_2" },
  ...{ created: at, description: null, destination: "ba_1", failure_code: null, failure_message: null },
  ...{ livemode: false, metadata: {}, method: "standard", status: "pending" },
};
const balanceTransaction = {
  ...{ id: "txn_1", object: "balance_transaction", ...money, available_on: at, created: at, description: null },
  ...{ exchange_rate: null, fee: 698, net: 47_302, reporting_category: "charge", source: "ch_1" },
  ...{ status: "available", type: "charge" },
};
const transfer = {
  ...{ id: "tr_1", object: "transfer", ...money, amount_reversed: 0, balance_transaction: "txn_3", created: at },
  ...{ description: null, destination: "acct_2", livemode: false, metadata: {}, reversed: false },
  ...{ source_transaction: null, transfer_group: "order_7" },
};

function one(args: JsonObject, request: string, answer: JsonObject, sent?: string): ProbedCall {
  return { args, exchanges: [{ request, answer, ...(sent !== undefined && { sent }) }] };
}

function page(url: string, data: readonly JsonObject[], hasMore: boolean): JsonObject {
  return { object: "list", url, has_more: hasMore, data };
}

/** A list of two pages. */
function pages(path: string, args: JsonObject, query: string, item: JsonObject & { readonly id: string }): ProbedCall {
  const first = `GET ${path}?${query}limit=100`;
  const second = { ...item, id: `${item.id}_2` };
  return {
    args,
    exchanges: [
      { request: first, answer: page(path, [item], true) },
      { request: `${first}&starting_after=${item.id}`, answer: page(path, [second], false) },
    ],
    output: { items: [item, second], pages: 2, hasMore: false },
  };
}

const [begun] = stripeEventTypes.map(({ sample }) => sample as JsonObject);
const listed =
  `GET /v1/events?created%5Bgte%5D=${at - 60}&created%5Blt%5D=${at}` +
  "&types%5B%5D=payout.paid&types%5B%5D=payout.failed&limit=100";

function payoutEvent(id: string): JsonObject {
  const envelope = { id, object: "event", created: at - 5, livemode: false, pending_webhooks: 0, type: "payout.paid" };
  return { ...envelope, data: { object: { ...payout, status: "paid" } } };
}

const shownIntent = { ...paymentIntent, client_secret: "[redacted]" };

/** The facts about Stripe, for a service at this address. */
export function stripeProbe(origin: string): IntegrationProbe {
  return {
    integration: stripe({ baseUrl: origin }),
    connection: { environment: "sandbox", secrets: probedSecrets },
    misplaced: { environment: "sandbox", secrets: { secretKey: "rk_live_51QaB1cD2eF3gH4" } },
    account: {
      exchanges: [
        {
          request: "GET /v1/account",
          answer: { id: "acct_1", object: "account", settings: { dashboard: { display_name: "Acme EU" } } },
        },
      ],
      account: { id: "acct_1", name: "Acme EU" },
    },
    calls: {
      get_customer: one({ id: "cus_R1" }, "GET /v1/customers/cus_R1", customer),
      list_customers: pages("/v1/customers", { email: "ap@acme.example" }, "email=ap%40acme.example&", customer),
      create_customer: one(
        { email: "ap@acme.example", name: "Acme GmbH", metadata: { vendor: "7" } },
        "POST /v1/customers",
        customer,
        "email=ap%40acme.example&name=Acme%20GmbH&metadata%5Bvendor%5D=7",
      ),
      create_payment_intent: {
        ...one(
          {
            ...{ ...money, customer: "cus_R1", payment_method: "pm_1", confirm: true, off_session: true },
            ...{ capture_method: "automatic", metadata: { order: "7 & 8" } },
          },
          "POST /v1/payment_intents",
          paymentIntent,
          "amount=48000&currency=eur&customer=cus_R1&payment_method=pm_1&confirm=true&off_session=true" +
            "&capture_method=automatic&metadata%5Border%5D=7%20%26%208",
        ),
        output: shownIntent,
      },
      get_payment_intent: {
        ...one({ id: "pi_1" }, "GET /v1/payment_intents/pi_1", paymentIntent),
        output: shownIntent,
      },
      create_refund: one(
        { payment_intent: "pi_1", amount: 1_250, reason: "duplicate" },
        "POST /v1/refunds",
        refund,
        "payment_intent=pi_1&amount=1250&reason=duplicate",
      ),
      list_invoices: pages(
        "/v1/invoices",
        { customer: "cus_R1", status: "open", created: { gte: at, lt: at + 60 } },
        `customer=cus_R1&status=open&created%5Bgte%5D=${at}&created%5Blt%5D=${at + 60}&`,
        invoice,
      ),
      create_payout: one(
        { ...money, destination: "ba_1", method: "standard", statement_descriptor: "ACME" },
        "POST /v1/payouts",
        payout,
        "amount=48000&currency=eur&destination=ba_1&method=standard&statement_descriptor=ACME",
      ),
      list_payouts: pages(
        "/v1/payouts",
        { status: "paid", destination: "ba_1" },
        "status=paid&destination=ba_1&",
        payout,
      ),
      list_balance_transactions: pages(
        "/v1/balance_transactions",
        { payout: "po_1", type: "charge", currency: "eur" },
        "payout=po_1&type=charge&currency=eur&",
        balanceTransaction,
      ),
      create_transfer: one(
        { ...money, destination: "acct_2", transfer_group: "order_7" },
        "POST /v1/transfers",
        transfer,
        "amount=48000&currency=eur&destination=acct_2&transfer_group=order_7",
      ),
    },
    inbound: {
      header: "Stripe-Signature",
      toleranceMs: 300_000,
      bodies: Object.fromEntries(stripeEventTypes.map(({ type, sample }) => [type, bodyOf(sample as JsonObject)])),
      sign: (body, { nowMs, secrets }) => ({
        "Stripe-Signature": signed(body, Math.floor(nowMs / 1_000), secrets["webhookSecret"] ?? ""),
      }),
      misplaced: { body: JSON.stringify({ ...begun, livemode: true }) },
      list: {
        ...{ fromMs: at * 1_000 - 60_500, toMs: at * 1_000, types: ["payout.paid", "payout.failed"] },
        exchanges: [
          { request: listed, answer: page("/v1/events", [payoutEvent("evt_2")], true) },
          { request: `${listed}&starting_after=evt_2`, answer: page("/v1/events", [payoutEvent("evt_1")], false) },
        ],
        ids: ["evt_2", "evt_1"],
      },
    },
  };
}

/** The event as Stripe sends it, with the secret that no sample shows. */
function bodyOf(sample: JsonObject): string {
  return JSON.stringify(sample).replace('"client_secret":"[redacted]"', '"client_secret":"pi_3QaB1c_secret_Kq3vT9"');
}

/** A header of `Stripe-Signature`, with a signature by each of the secrets. */
export function signed(body: string, seconds: number, ...secrets: readonly string[]): string {
  const signatures = secrets.map((secret) => createHmac("sha256", secret).update(`${seconds}.${body}`).digest("hex"));
  return [`t=${seconds}`, ...signatures.map((signature) => `v1=${signature}`)].join(",");
}
