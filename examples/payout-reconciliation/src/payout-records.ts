/*
 * The records that are compared. All amounts are whole numbers of minor units; currencies are ISO 4217 codes in upper
 * case.
 */
import { z } from "@procedo/engine";

const money = {
  amountMinor: z.int(),
  currency: z.string().regex(/^[A-Z]{3}$/),
};

/** A payout that Stripe reports as paid. */
export const payoutSchema = z.object({
  payoutId: z.string(),
  ...money,
  /** Stripe knows which transactions an automatic payout consists of, and not those of a manual one. */
  isAutomatic: z.boolean(),
});

/** A movement of Stripe's balance that a payout pays out: a charge, a refund, a fee and so on. */
export const transactionSchema = z.object({
  transactionId: z.string(),
  payoutId: z.string(),
  type: z.string(),
  ...money,
  feeMinor: z.int(),
  netMinor: z.int(),
});

/** Money that the bank account received. */
export const creditSchema = z.object({
  creditId: z.string(),
  ...money,
  /** The payment reference: the id of the payout, where the bank passes it on. */
  reference: z.string().nullable(),
});

/** A difference between the records that a person has to judge. */
export const differenceSchema = z.object({
  kind: z.enum(["missing_in_ledger", "amount_differs", "missing_in_stripe", "transactions_do_not_add_up"]),
  /** The payout, the credit or the transactions concerned. */
  recordIds: z.array(z.string()).min(1),
  currency: money.currency,
  expectedMinor: z.int(),
  foundMinor: z.int(),
});

/** The sum of the payouts in one currency. */
export const totalSchema = z.object({ ...money, payoutCount: z.int() });

export type Payout = z.infer<typeof payoutSchema>;
export type Transaction = z.infer<typeof transactionSchema>;
export type Credit = z.infer<typeof creditSchema>;
export type Difference = z.infer<typeof differenceSchema>;
export type Total = z.infer<typeof totalSchema>;
