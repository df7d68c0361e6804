/* The records of Stripe as those that are compared. Stripe writes currencies in lower case. */
import { z } from "@procedo/engine";
import type { Payout, Transaction } from "./payout-records.ts";

const currency = z
  .string()
  .regex(/^[a-z]{3}$/)
  .transform((code) => code.toUpperCase());

const payout = z.object({
  id: z.string(),
  amount: z.int(),
  currency,
  arrival_date: z.int(),
  automatic: z.boolean(),
});

const balanceTransaction = z.object({
  id: z.string(),
  type: z.string(),
  amount: z.int(),
  fee: z.int(),
  net: z.int(),
  currency,
});

/**
 * The payouts that arrive on a day. Stripe dates an arrival by the first second of its day in UTC.
 *
 * @throws z.ZodError if an item is not a payout of Stripe
 */
export function readPayouts(items: unknown, day: string): Payout[] {
  return z
    .array(payout)
    .parse(items)
    .filter(({ arrival_date }) => new Date(arrival_date * 1_000).toISOString().startsWith(day))
    .map(({ id, amount, automatic, ...rest }) => ({
      payoutId: id,
      amountMinor: amount,
      currency: rest.currency,
      isAutomatic: automatic,
    }));
}

/** @throws z.ZodError if an item is not a balance transaction of Stripe */
export function readTransactions(items: unknown, payoutId: string): Transaction[] {
  return z
    .array(balanceTransaction)
    .parse(items)
    .map(({ id, amount, fee, net, ...rest }) => ({
      transactionId: id,
      payoutId,
      amountMinor: amount,
      feeMinor: fee,
      netMinor: net,
      ...rest,
    }));
}
