import type { ActionDefinition } from "@procedo/engine";
import * as z from "zod";
import type { Service, ServiceAction } from "../../kit/service.ts";
import type { ServiceFields } from "../../kit/service-request.ts";
import { memberOf, pagesOf } from "./gocardless-envelopes.ts";
import { conflictingResource, isCancellationRefused, type GoCardlessSecrets } from "./gocardless-http.ts";
import * as resources from "./gocardless-resources.ts";

const { amount, currency, idOf, metadata } = resources;

interface GoCardlessActions {
  readonly [name: string]: ActionDefinition<z.ZodObject, z.ZodType, unknown, GoCardlessSecrets>;
}

/** The actions of a connection to GoCardless. */
export function goCardlessActions({ action, list }: Service<unknown, GoCardlessSecrets>): GoCardlessActions {
  /** Reads an object by its id. */
  const get = (kind: string, id: z.ZodString, output: z.ZodType, description: string) =>
    action({
      description,
      effect: "read",
      input: z.object({ id }),
      output,
      request: ({ id: wanted }) => ({ path: `/${kind}/{id}`, params: { id: wanted } }),
      read: memberOf(kind),
    });

  /** Creates an object. GoCardless refuses the key of an object that exists, and names the object. */
  const create = <Input extends z.ZodObject>(
    kind: string,
    {
      fields,
      ...definition
    }: Pick<ServiceAction<Input, z.ZodType, unknown>, "description" | "input" | "output"> & {
      readonly fields: (input: z.output<Input>) => ServiceFields;
    },
  ) =>
    action({
      ...definition,
      effect: "idempotent",
      request: (input) => ({ method: "POST", path: `/${kind}`, json: { [kind]: fields(input) } }),
      read: memberOf(kind),
      earlier: {
        find: (refusal) => {
          const id = conflictingResource(refusal);
          return id === undefined ? undefined : { path: `/${kind}/{id}`, params: { id } };
        },
      },
    });

  return {
    create_customer: create("customers", {
      description: "Creates a customer: a person by given and family name, or a company by its name.",
      input: z.object({
        email: z.email().max(255),
        given_name: z.string().min(1).max(255).optional(),
        family_name: z.string().min(1).max(255).optional(),
        company_name: z.string().min(1).max(255).optional(),
        address_line1: z.string().max(255).optional(),
        address_line2: z.string().max(255).optional(),
        city: z.string().max(255).optional(),
        postal_code: z.string().max(255).optional(),
        region: z.string().max(255).optional(),
        country_code: z.string().length(2).optional().meta({ description: "ISO 3166-1 code of two letters." }),
        language: z.string().length(2).optional().meta({ description: "ISO 639-1 code of the language of notices." }),
        metadata,
      }),
      output: resources.customer,
      fields: (input) => input,
    }),
    get_customer: get("customers", idOf("CU", "customer"), resources.customer, "Reads a customer."),

    create_billing_request: create("billing_requests", {
      description: "Asks a customer for a mandate, for a first payment, or for both.",
      input: z.object({
        mandate: z
          .object({
            currency,
            scheme: z.string().max(64).optional().meta({ description: "Such as `bacs`, `sepa_core` or `ach`." }),
            description: z.string().max(255).optional(),
          })
          .optional(),
        payment: z.object({ amount, currency, description: z.string().min(1).max(255) }).optional(),
        customer: idOf("CU", "customer").optional(),
        customer_bank_account: idOf("BA", "bank account of the customer").optional(),
        metadata,
      }),
      output: resources.billingRequest,
      fields: ({ mandate, payment, customer, customer_bank_account, metadata: own }) => ({
        mandate_request: mandate,
        payment_request: payment,
        links: anyOf({ customer, customer_bank_account }),
        metadata: own,
      }),
    }),
    get_billing_request: get(
      "billing_requests",
      idOf("BRQ", "billing request"),
      resources.billingRequest,
      "Reads a billing request, with the mandate and the payment that it led to.",
    ),
    // `once`: a repeated request is refused, but GoCardless has no way to read the page that the first one created.
    create_billing_request_flow: action({
      description: "Creates the page on which a payer gives the details that a billing request asks for.",
      effect: "once",
      input: z.object({
        billing_request: idOf("BRQ", "billing request"),
        redirect_uri: z.url().optional().meta({ description: "Address to which the payer returns afterwards." }),
        exit_uri: z.url().optional().meta({ description: "Address to which the payer returns without a result." }),
      }),
      output: resources.billingRequestFlow,
      request: ({ billing_request, ...fields }) => ({
        method: "POST",
        path: "/billing_request_flows",
        json: { billing_request_flows: { ...fields, links: { billing_request } } },
      }),
      read: memberOf("billing_request_flows"),
    }),

    get_mandate: get("mandates", idOf("MD", "mandate"), resources.mandate, "Reads a mandate."),

    create_payment: create("payments", {
      description: "Collects an amount from a customer by a mandate.",
      input: z.object({
        mandate: idOf("MD", "mandate"),
        amount,
        currency,
        charge_date: z.iso.date().optional().meta({ description: "Day of collection. Left out: as soon as possible." }),
        description: z.string().max(255).optional().meta({ description: "Text for the customer's notice." }),
        reference: z.string().max(140).optional().meta({ description: "Text on the customer's bank statement." }),
        retry_if_possible: z.boolean().optional().meta({ description: "Whether GoCardless retries a failed payment." }),
        metadata,
      }),
      output: resources.payment,
      fields: ({ mandate, ...fields }) => ({ ...fields, links: { mandate } }),
    }),
    get_payment: get("payments", idOf("PM", "payment"), resources.payment, "Reads a payment."),
    cancel_payment: action({
      description: "Cancels a payment that has not been submitted to the banks yet.",
      effect: "idempotent",
      input: z.object({ id: idOf("PM", "payment") }),
      output: resources.payment,
      request: ({ id }) => ({ method: "POST", path: "/payments/{id}/actions/cancel", params: { id } }),
      read: memberOf("payments"),
      // A payment that is cancelled already is the wanted result.
      earlier: {
        find: (refusal, { id }) =>
          isCancellationRefused(refusal) ? { path: "/payments/{id}", params: { id } } : undefined,
        isResult: (body) => cancelled.safeParse(body).success,
      },
    }),

    create_refund: create("refunds", {
      description: "Refunds a payment, in whole or in part.",
      input: z.object({
        payment: idOf("PM", "payment"),
        amount,
        total_amount_confirmation: amount.optional().meta({
          description: "Sum of all refunds of the payment with this one. Protects against a refund too many.",
        }),
        reference: z.string().max(140).optional().meta({ description: "Text on the customer's bank statement." }),
        metadata,
      }),
      output: resources.refund,
      fields: ({ payment, ...fields }) => ({ ...fields, links: { payment } }),
    }),

    list_payouts: list({
      description: "Lists payouts to the account's bank, the newest first.",
      input: z.object({
        status: z.enum(["pending", "paid", "bounced"]).optional(),
        currency: currency.optional(),
        created_from: z.iso.datetime().optional().meta({ description: "Earliest time of creation." }),
        created_before: z.iso.datetime().optional().meta({ description: "Time of creation before which they are." }),
      }),
      item: resources.payout,
      request: ({ created_from: gte, created_before: lt, ...filters }) => ({
        path: "/payouts",
        query: { ...filters, created_at: anyOf({ gte, lt }), limit: 100 },
      }),
      ...pagesOf("payouts"),
    }),
    list_payout_items: list({
      description: "Lists the payments, refunds and fees that a payout consists of.",
      input: z.object({ payout: idOf("PO", "payout") }),
      item: resources.payoutItem,
      request: ({ payout }) => ({ path: "/payout_items", query: { payout, limit: 100 } }),
      ...pagesOf("payout_items"),
    }),

    create_outbound_payment: create("outbound_payments", {
      description: "Sends money to a bank account of a customer. GoCardless sends it once it is approved there.",
      input: z.object({
        recipient_bank_account: idOf("BA", "bank account of the recipient"),
        amount,
        scheme: z.literal("faster_payments").default("faster_payments"),
        execution_date: z.iso.date().optional().meta({ description: "Day of the payment. Left out: at once." }),
        description: z.string().max(255).optional(),
        reference: z.string().max(140).optional().meta({ description: "Text on the recipient's bank statement." }),
        metadata,
      }),
      output: resources.outboundPayment,
      fields: ({ recipient_bank_account, ...fields }) => ({ ...fields, links: { recipient_bank_account } }),
    }),
    get_outbound_payment: get(
      "outbound_payments",
      idOf("OUT", "outbound payment"),
      resources.outboundPayment,
      "Reads an outbound payment, with the check of the recipient's name.",
    ),
  };
}

const cancelled = z.object({ payments: z.object({ status: z.literal("cancelled") }) });

/** The members, unless all are left out. */
function anyOf(members: ServiceFields): ServiceFields | undefined {
  return Object.values(members).every((member) => member === undefined) ? undefined : members;
}
