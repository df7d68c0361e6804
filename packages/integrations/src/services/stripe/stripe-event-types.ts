/*
 * The types of Stripe's events, each with a sample. The samples are written for this file in the form that Stripe's
 * document and SDK types describe.
 */
import type { JsonObject } from "@procedo/contract";
import type { InboundEventType } from "@procedo/engine";
import * as z from "zod";
import { stripeVersion } from "./stripe-objects.ts";

const createdAt = 1_795_770_000;

/** The parts of every event that do not depend on its type. */
export const stripeEvent = z.looseObject({
  id: z.string().min(1),
  object: z.literal("event"),
  type: z.string().min(1),
  created: z.int(),
  livemode: z.boolean(),
  data: z.looseObject({ object: z.looseObject({ object: z.string() }) }),
});

const paymentIntent = {
  ...{ id: "pi_3QaB1c", object: "payment_intent", amount: 48_000, amount_capturable: 0, amount_received: 0 },
  ...{ canceled_at: null, capture_method: "automatic", client_secret: "[redacted]", created: createdAt - 60 },
  ...{ currency: "eur", customer: "cus_R1a2b3", description: "Order 1007", livemode: false },
  ...{ metadata: { order: "1007" }, payment_method: "pm_1QaB1c", receipt_email: null, status: "requires_confirmation" },
};
const charge = {
  ...{ id: "ch_3QaB1c", object: "charge", amount: 48_000, amount_captured: 48_000, amount_refunded: 48_000 },
  ...{ captured: true, created: createdAt - 60, currency: "eur", customer: "cus_R1a2b3", disputed: false },
  ...{ livemode: false, metadata: { order: "1007" }, paid: true, payment_intent: "pi_3QaB1c", refunded: true },
  ...{ status: "succeeded" },
};
const refund = {
  ...{ id: "re_3QaB1c", object: "refund", amount: 48_000, charge: "ch_3QaB1c", created: createdAt - 60 },
  ...{ currency: "eur", metadata: {}, payment_intent: "pi_3QaB1c", reason: "requested_by_customer" },
  ...{ status: "succeeded" },
};
const payout = {
  ...{ id: "po_1QaB1c", object: "payout", amount: 120_500, arrival_date: createdAt + 86_400, automatic: true },
  ...{ created: createdAt - 60, currency: "eur", description: "STRIPE PAYOUT", destination: "ba_1QaB1c" },
  ...{ failure_code: null, failure_message: null, livemode: false, metadata: {}, method: "standard" },
  ...{ status: "pending", type: "bank_account" },
};
const invoice = {
  ...{ id: "in_1QaB1c", object: "invoice", amount_due: 48_000, amount_paid: 0, amount_remaining: 48_000 },
  ...{ attempt_count: 0, created: createdAt - 60, currency: "eur", customer: "cus_R1a2b3" },
  ...{ customer_email: "ap@acme.example", customer_name: "Acme GmbH", due_date: createdAt + 1_209_600 },
  ...{ livemode: false, metadata: {}, number: "ACME-0001", status: "open", total: 48_000 },
};
const dispute = {
  ...{ id: "du_1QaB1c", object: "dispute", amount: 48_000, charge: "ch_3QaB1c", created: createdAt - 60 },
  ...{ currency: "eur", is_charge_refundable: false, livemode: false, metadata: {} },
  ...{ payment_intent: "pi_3QaB1c", reason: "product_not_received", status: "needs_response" },
};

const paidInvoice = { ...invoice, amount_paid: 48_000, amount_remaining: 0, attempt_count: 1, status: "paid" };

/** The objects that events are about. */
export const stripeSamples = { paymentIntent, charge, refund, payout, invoice, dispute };

/** Name for people of each type, and its object at that moment. */
export const stripeTypes = {
  "payment_intent.created": ["A payment is begun", paymentIntent],
  "payment_intent.processing": ["A payment is in progress", { ...paymentIntent, status: "processing" }],
  "payment_intent.requires_action": [
    "A payment waits for the customer",
    { ...paymentIntent, status: "requires_action" },
  ],
  "payment_intent.amount_capturable_updated": [
    "A payment is reserved",
    { ...paymentIntent, amount_capturable: 48_000, capture_method: "manual", status: "requires_capture" },
  ],
  "payment_intent.partially_funded": [
    "A payment is paid in part from the customer's cash balance",
    { ...paymentIntent, status: "requires_action" },
  ],
  "payment_intent.succeeded": [
    "A payment has succeeded",
    { ...paymentIntent, amount_received: 48_000, status: "succeeded" },
  ],
  "payment_intent.payment_failed": [
    "A payment has failed",
    { ...paymentIntent, payment_method: null, status: "requires_payment_method" },
  ],
  "payment_intent.canceled": [
    "A payment is cancelled",
    { ...paymentIntent, canceled_at: createdAt, status: "canceled" },
  ],
  "charge.refunded": ["A charge is refunded", charge],
  "charge.refund.updated": ["A refund has changed", refund],
  "charge.dispute.created": ["A payment is disputed", dispute],
  "charge.dispute.updated": ["A dispute has changed", { ...dispute, status: "under_review" }],
  "charge.dispute.funds_withdrawn": ["The money of a dispute is withdrawn", dispute],
  "charge.dispute.funds_reinstated": ["The money of a dispute is returned", { ...dispute, status: "won" }],
  "charge.dispute.closed": ["A dispute is closed", { ...dispute, status: "lost" }],
  "payout.created": ["A payout is made", payout],
  "payout.updated": ["A payout has changed", payout],
  "payout.paid": ["A payout should have arrived", { ...payout, status: "paid" }],
  "payout.failed": [
    "A payout has failed",
    {
      ...{ ...payout, failure_code: "account_closed", failure_message: "The bank account is closed." },
      status: "failed",
    },
  ],
  "payout.canceled": ["A payout is cancelled", { ...payout, status: "canceled" }],
  "invoice.created": ["An invoice is drafted", { ...invoice, number: null, status: "draft" }],
  "invoice.updated": ["An invoice has changed", invoice],
  "invoice.finalized": ["An invoice is final", invoice],
  "invoice.finalization_failed": ["An invoice could not be made final", { ...invoice, number: null, status: "draft" }],
  "invoice.sent": ["An invoice is sent", invoice],
  "invoice.paid": ["An invoice is paid, or marked as paid", paidInvoice],
  "invoice.payment_succeeded": ["The payment of an invoice has succeeded", paidInvoice],
  "invoice.payment_failed": ["The payment of an invoice has failed", { ...invoice, attempt_count: 1 }],
  "invoice.payment_action_required": ["The payment of an invoice waits for the customer", invoice],
  "invoice.marked_uncollectible": ["An invoice is marked as uncollectible", { ...invoice, status: "uncollectible" }],
  "invoice.voided": ["An invoice is void", { ...invoice, status: "void" }],
  "invoice.deleted": ["A draft of an invoice is deleted", { ...invoice, number: null, status: "draft" }],
} satisfies { readonly [type: string]: readonly [title: string, object: JsonObject] };

const schema = z.toJSONSchema(stripeEvent, { io: "input" }) as JsonObject;

/** The types that triggers can choose. */
export const stripeEventTypes: readonly InboundEventType[] = Object.entries(stripeTypes).map(
  ([type, [title, object]]) => {
    const about = { id: `evt_1${type.replaceAll(/[^a-z]/g, "")}`, object: "event", api_version: stripeVersion };
    const sample = { ...about, created: createdAt, data: { object }, livemode: false, pending_webhooks: 1 };
    return { type, title, schema, sample: { ...sample, request: { id: null, idempotency_key: null }, type } };
  },
);
