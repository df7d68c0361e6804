/*
 * The objects and arguments of Stripe, as far as procedures use them. Each member is in Stripe's document of 2022 and in
 * the types of its SDK for `stripeVersion`. Amounts are in the smallest unit of their currency; times are in seconds.
 */
import * as z from "zod";

/** The version of Stripe's interface that requests ask for. The types of Stripe's SDK describe it. */
export const stripeVersion = "2026-10-28.endive";

const id = z.string().min(1).max(255);
const metadata = z.record(z.string(), z.string());
const seconds = z.int().meta({ description: "Seconds since 1970-01-01T00:00:00Z." });
const money = { amount: z.int(), currency: z.string() };
/** An object of Stripe, by its id. */
const reference = z.string().nullable();

/** A customer. A deleted one has the member `deleted`, and few others. */
export const customer = z.looseObject({
  id: z.string(),
  email: z.string().nullish(),
  name: z.string().nullish(),
  phone: z.string().nullish(),
  description: z.string().nullish(),
  balance: z.int().optional(),
  currency: z.string().nullish(),
  delinquent: z.boolean().nullish(),
  metadata: metadata.optional(),
  created: seconds.optional(),
  deleted: z.boolean().optional(),
});

/** The collection of one payment. Its client secret is never recorded. */
export const paymentIntent = z.looseObject({
  id: z.string(),
  ...money,
  amount_received: z.int(),
  amount_capturable: z.int(),
  status: z.string(),
  customer: reference,
  description: reference,
  payment_method: reference,
  receipt_email: reference,
  canceled_at: z.int().nullable(),
  metadata,
  created: seconds,
});

/** A refund. */
export const refund = z.looseObject({
  id: z.string(),
  ...money,
  status: z.string().nullable(),
  payment_intent: reference,
  charge: reference,
  reason: z.string().nullable(),
  failure_reason: z.string().optional(),
  balance_transaction: reference,
  metadata: metadata.nullable(),
  created: seconds,
});

/** Money that is sent from the balance to a bank account or card of the account itself. */
export const payout = z.looseObject({
  id: z.string(),
  ...money,
  status: z.string(),
  arrival_date: seconds,
  automatic: z.boolean(),
  method: z.string(),
  destination: reference,
  description: reference,
  failure_code: reference,
  failure_message: reference,
  balance_transaction: reference,
  metadata: metadata.nullable(),
  created: seconds,
});

/** Money that is moved to a connected account. */
export const transfer = z.looseObject({
  id: z.string(),
  ...money,
  amount_reversed: z.int(),
  reversed: z.boolean(),
  destination: reference,
  description: reference,
  source_transaction: reference,
  transfer_group: reference,
  balance_transaction: reference,
  metadata,
  created: seconds,
});

/** A movement of the balance. */
export const balanceTransaction = z.looseObject({
  id: z.string(),
  ...money,
  fee: z.int(),
  net: z.int(),
  type: z.string(),
  reporting_category: z.string(),
  status: z.string(),
  source: reference,
  description: reference,
  exchange_rate: z.number().nullable(),
  available_on: seconds,
  created: seconds,
});

/** An invoice to a customer. */
export const invoice = z.looseObject({
  id: z.string(),
  number: z.string().nullable(),
  status: z.string().nullable(),
  customer: reference,
  customer_email: reference,
  customer_name: reference,
  currency: z.string(),
  total: z.int(),
  amount_due: z.int(),
  amount_paid: z.int(),
  amount_remaining: z.int(),
  attempt_count: z.int(),
  due_date: z.int().nullable(),
  hosted_invoice_url: z.string().nullish(),
  metadata: metadata.nullable(),
  created: seconds,
});

const amount = z.int().min(1).meta({ description: "In the smallest unit of the currency, such as cents." });
const currency = z
  .string()
  .regex(/^[a-z]{3}$/)
  .meta({ description: "ISO 4217 code in lower case, such as `eur`." });
const description = z.string().max(1_000).optional();
const labels = metadata.optional().meta({ description: "Names and values of your own, kept with the object." });
const period = z
  .object({ gte: seconds.optional(), lt: seconds.optional() })
  .optional()
  .meta({ description: "Only those created from `gte` on, and before `lt`." });

/** The arguments of the actions that change something: the names of Stripe's own parameters. */
export const created = {
  customer: z.object({
    email: z.email().max(512).optional(),
    name: z.string().min(1).max(256).optional(),
    phone: z.string().min(1).max(20).optional(),
    description,
    metadata: labels,
  }),
  paymentIntent: z.object({
    amount,
    currency,
    customer: id.optional().meta({ description: "Id of the customer who pays: `cus_…`." }),
    payment_method: id.optional().meta({ description: "Id of a payment method of the customer: `pm_…`." }),
    confirm: z.boolean().optional().meta({
      description: "Collects the payment at once. Needs `off_session`, since no page waits for the customer's return.",
    }),
    off_session: z
      .boolean()
      .optional()
      .meta({ description: "The customer is not there to approve the payment. Only with `confirm`." }),
    capture_method: z
      .enum(["automatic", "manual"])
      .optional()
      .meta({ description: "`manual` reserves the amount until it is captured at Stripe." }),
    description,
    receipt_email: z.email().optional(),
    metadata: labels,
  }),
  refund: z.object({
    payment_intent: id.optional().meta({ description: "The payment to refund: `pi_…`. Either this or `charge`." }),
    charge: id.optional().meta({ description: "The charge to refund: `ch_…`." }),
    amount: amount.optional().meta({ description: "Left out: all that is not refunded yet." }),
    reason: z.enum(["duplicate", "fraudulent", "requested_by_customer"]).optional(),
    metadata: labels,
  }),
  payout: z.object({
    amount,
    currency,
    destination: id.optional().meta({ description: "Id of the bank account or card. Left out: the default one." }),
    method: z.enum(["standard", "instant"]).optional(),
    description,
    statement_descriptor: z.string().min(1).max(22).optional(),
    metadata: labels,
  }),
  transfer: z.object({
    amount,
    currency,
    destination: id.meta({ description: "Id of the connected account: `acct_…`." }),
    source_transaction: id
      .optional()
      .meta({ description: "The charge whose money is moved: the transfer waits until it is available." }),
    transfer_group: z.string().min(1).max(255).optional(),
    description,
    metadata: labels,
  }),
};

/** The arguments of the lists. */
export const listed = {
  customers: z.object({ email: z.string().min(1).max(512).optional(), created: period }),
  invoices: z.object({
    customer: id.optional(),
    status: z.enum(["draft", "open", "paid", "uncollectible", "void"]).optional(),
    created: period,
  }),
  payouts: z.object({
    status: z.enum(["pending", "paid", "failed", "canceled"]).optional(),
    destination: id.optional(),
    created: period,
  }),
  balanceTransactions: z.object({
    payout: id.optional().meta({ description: "Only those that this payout paid out: for its reconciliation." }),
    source: id.optional().meta({ description: "Only those of this charge, refund, payout and so on." }),
    type: z.string().min(1).max(255).optional(),
    currency: currency.optional(),
    created: period,
  }),
};

/** The id of an object in a path. */
export const identified = z.object({ id });
