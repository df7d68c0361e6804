import { expectTypeOf, test } from "vitest";
import type Stripe from "stripe";
import type * as z from "zod";
import type {
  balanceTransaction,
  created,
  customer,
  invoice,
  listed,
  paymentIntent,
  payout,
  refund,
  stripeVersion,
  transfer,
} from "./stripe-objects.ts";
import type { stripeSamples, stripeTypes } from "./stripe-event-types.ts";

/** The members that a loose object names. */
type Named<Schema extends z.ZodObject> = {
  [Name in keyof Schema["shape"]]: z.output<Schema["shape"][Name]>;
};

/** Members that are sent at all: `undefined` is left out of a request. */
type Sent<Schema extends z.ZodObject> = {
  [Name in keyof Schema["shape"]]: NonNullable<z.output<Schema["shape"][Name]>>;
};

/** Those of Stripe's members, for arguments of these names. */
type Taken<Params, Schema extends z.ZodObject> = {
  [Name in keyof Schema["shape"]]: Name extends keyof Params ? NonNullable<Params[Name]> : never;
};

/** Those of Stripe's members that the schema names. Objects are answered as ids, for none is asked to be expanded. */
type Answered<Object, Schema extends z.ZodObject> = {
  [Name in keyof Schema["shape"]]: Name extends keyof Object ? Unexpanded<Object[Name]> : Missing<Name>;
};

/** Fits no member, unlike `never`. */
interface Missing<Name> {
  readonly missing: Name;
}

type Unexpanded<Value> = string extends Value ? Exclude<Value, { readonly id: string }> : Value;

test("requests ask for the version that the SDK's types describe", () => {
  expectTypeOf<typeof stripeVersion>().toEqualTypeOf<Stripe.LatestApiVersion>();
});

test("arguments are parameters of Stripe, of their types", () => {
  type Created = typeof created;
  type Refund = Created["refund"];
  expectTypeOf<Sent<Refund>>().toExtend<Taken<Stripe.RefundCreateParams, Refund>>();
  type Customer = Created["customer"];
  expectTypeOf<Sent<Customer>>().toExtend<Taken<Stripe.CustomerCreateParams, Customer>>();
  type Intent = Created["paymentIntent"];
  expectTypeOf<Sent<Intent>>().toExtend<Taken<Stripe.PaymentIntentCreateParams, Intent>>();
  type Payout = Created["payout"];
  expectTypeOf<Sent<Payout>>().toExtend<Taken<Stripe.PayoutCreateParams, Payout>>();
  type Transfer = Created["transfer"];
  expectTypeOf<Sent<Transfer>>().toExtend<Taken<Stripe.TransferCreateParams, Transfer>>();
});

test("a parameter that Stripe no longer takes is not one", () => {
  type Removed = z.ZodObject<{ payment_method_types: z.ZodArray<z.ZodString> }>;
  expectTypeOf<Sent<Removed>>().not.toExtend<Taken<Stripe.PaymentIntentCreateParams, Removed>>();
});

test("a member that Stripe's objects do not have is not one", () => {
  type Removed = z.ZodObject<{ invoice: z.ZodNullable<z.ZodString> }>;
  expectTypeOf<Answered<Stripe.PaymentIntent, Removed>>().not.toExtend<Named<Removed>>();
});

test("filters of lists are parameters of Stripe", () => {
  type Listed = typeof listed;
  expectTypeOf<keyof Listed["customers"]["shape"]>().toExtend<keyof Stripe.CustomerListParams>();
  expectTypeOf<keyof Listed["invoices"]["shape"]>().toExtend<keyof Stripe.InvoiceListParams>();
  expectTypeOf<keyof Listed["payouts"]["shape"]>().toExtend<keyof Stripe.PayoutListParams>();
  expectTypeOf<keyof Listed["balanceTransactions"]["shape"]>().toExtend<keyof Stripe.BalanceTransactionListParams>();
});

test("outputs have the members of Stripe's objects, of their types", () => {
  expectTypeOf<Answered<Stripe.Refund, typeof refund>>().toExtend<Named<typeof refund>>();
  expectTypeOf<Answered<Stripe.Payout, typeof payout>>().toExtend<Named<typeof payout>>();
  expectTypeOf<Answered<Stripe.Transfer, typeof transfer>>().toExtend<Named<typeof transfer>>();
  expectTypeOf<Answered<Stripe.PaymentIntent, typeof paymentIntent>>().toExtend<Named<typeof paymentIntent>>();
  expectTypeOf<Answered<Stripe.Invoice, typeof invoice>>().toExtend<Named<typeof invoice>>();
  type Transaction = typeof balanceTransaction;
  expectTypeOf<Answered<Stripe.BalanceTransaction, Transaction>>().toExtend<Named<Transaction>>();
  type Found = Stripe.Customer & { readonly deleted?: boolean };
  expectTypeOf<Answered<Found, typeof customer>>().toExtend<Named<typeof customer>>();
});

test("events have types and objects of Stripe", () => {
  expectTypeOf<keyof typeof stripeTypes>().toExtend<Stripe.Event["type"]>();
  type Samples = typeof stripeSamples;
  expectTypeOf<keyof Samples["paymentIntent"]>().toExtend<keyof Stripe.PaymentIntent>();
  expectTypeOf<keyof Samples["charge"]>().toExtend<keyof Stripe.Charge>();
  expectTypeOf<keyof Samples["refund"]>().toExtend<keyof Stripe.Refund>();
  expectTypeOf<keyof Samples["payout"]>().toExtend<keyof Stripe.Payout>();
  expectTypeOf<keyof Samples["invoice"]>().toExtend<keyof Stripe.Invoice>();
  expectTypeOf<keyof Samples["dispute"]>().toExtend<keyof Stripe.Dispute>();
});
