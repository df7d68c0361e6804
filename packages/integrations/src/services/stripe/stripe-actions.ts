import type { ActionDefinition } from "@procedo/engine";
import * as z from "zod";
import type { Service, ServiceFields, ServicePages, ServiceRequest } from "../../kit/index.ts";
import {
  balanceTransaction,
  created,
  customer,
  identified,
  invoice,
  listed,
  paymentIntent,
  payout,
  refund,
  transfer,
} from "./stripe-objects.ts";

const page = z.object({ data: z.array(z.json()), has_more: z.boolean() });
const withId = z.object({ id: z.string() });

/** Stripe's pages: newest first, the next one after the last id of this one. */
export const stripePages: Pick<ServicePages, "items" | "next"> = {
  items: (body) => page.parse(body).data,
  next: (body, sent) => {
    const { data, has_more: hasMore } = page.parse(body);
    if (!hasMore || data.length === 0) return undefined;
    return { ...sent, query: { ...sent.query, starting_after: withId.parse(data.at(-1)).id } };
  },
};

/** The first request of a list, with pages of Stripe's largest size. */
export function listRequest(path: string, query: ServiceFields): ServiceRequest {
  return { path, query: { ...query, limit: 100 } };
}

/**
 * The actions of Stripe. Each one with an effect is idempotent: Stripe keeps a key and its answer for at least 24 hours,
 * the engine's default.
 *
 * Source: https://docs.stripe.com/api/idempotent_requests
 */
export function stripeActions<Secrets>({ action, list }: Service<unknown, Secrets>): {
  readonly [name: string]: ActionDefinition<z.ZodObject, z.ZodType, unknown, Secrets>;
} {
  return {
    get_customer: action({
      description: "Reads a customer.",
      effect: "read",
      input: identified,
      output: customer,
      request: ({ id }) => ({ path: "/v1/customers/{id}", params: { id } }),
    }),
    list_customers: list({
      description: "Lists customers, the newest first.",
      input: listed.customers,
      item: customer,
      request: (input) => listRequest("/v1/customers", input),
      ...stripePages,
    }),
    create_customer: action({
      description: "Creates a customer.",
      effect: "idempotent",
      input: created.customer,
      output: customer,
      request: (form) => ({ method: "POST", path: "/v1/customers", form }),
    }),
    create_payment_intent: action({
      description: "Begins to collect a payment from a customer, or collects it at once.",
      effect: "idempotent",
      input: created.paymentIntent,
      output: paymentIntent,
      request: (form) => ({ method: "POST", path: "/v1/payment_intents", form }),
    }),
    get_payment_intent: action({
      description: "Reads a payment and its status.",
      effect: "read",
      input: identified,
      output: paymentIntent,
      request: ({ id }) => ({ path: "/v1/payment_intents/{id}", params: { id } }),
    }),
    create_refund: action({
      description: "Refunds a payment, in whole or in part.",
      effect: "idempotent",
      input: created.refund,
      output: refund,
      request: (form) => ({ method: "POST", path: "/v1/refunds", form }),
    }),
    list_invoices: list({
      description: "Lists invoices, the newest first.",
      input: listed.invoices,
      item: invoice,
      request: (input) => listRequest("/v1/invoices", input),
      ...stripePages,
    }),
    create_payout: action({
      description: "Pays out money from the balance to a bank account or card of your own.",
      effect: "idempotent",
      input: created.payout,
      output: payout,
      request: (form) => ({ method: "POST", path: "/v1/payouts", form }),
    }),
    list_payouts: list({
      description: "Lists payouts, the newest first.",
      input: listed.payouts,
      item: payout,
      request: (input) => listRequest("/v1/payouts", input),
      ...stripePages,
    }),
    list_balance_transactions: list({
      description: "Lists the movements of the balance with their fees, the newest first: of a payout, or of a period.",
      input: listed.balanceTransactions,
      item: balanceTransaction,
      request: (input) => listRequest("/v1/balance_transactions", input),
      ...stripePages,
    }),
    create_transfer: action({
      description: "Moves money from the balance to a connected account.",
      effect: "idempotent",
      input: created.transfer,
      output: transfer,
      request: (form) => ({ method: "POST", path: "/v1/transfers", form }),
    }),
  };
}
