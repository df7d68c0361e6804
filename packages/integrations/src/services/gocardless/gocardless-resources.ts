import * as z from "zod";

/** An id of GoCardless, which begins with the letters of its kind. */
export function idOf(prefix: string, kind: string): z.ZodString {
  return z
    .string()
    .startsWith(prefix)
    .max(64)
    .meta({ description: `Id of a ${kind}, which begins with ${prefix}.` });
}

/** The currencies of payments. */
export const currency = z.enum(["AUD", "CAD", "DKK", "EUR", "GBP", "NZD", "SEK", "USD"]);

/** An amount in the smallest unit of its currency. */
export const amount = z
  .int()
  .min(1)
  .max(1_000_000_000_000)
  .meta({ description: "Amount in the smallest unit of the currency: pence, cents, öre." });

/** Members for the account's own use. */
export const metadata = z
  .record(z.string().min(1).max(50), z.string().max(500))
  .refine((members) => Object.keys(members).length <= 3, "has more than 3 members")
  .optional()
  .meta({ description: "Up to 3 texts of your own, by name." });

const facts = { id: z.string(), created_at: z.string(), metadata: z.json().optional() };
const links = z.record(z.string(), z.string()).meta({ description: "Ids of related objects, by their kind." });
const money = { amount: z.int(), currency: z.string() };

/** A customer, as far as procedures use it. */
export const customer = z.looseObject({
  ...facts,
  email: z.string().nullable(),
  given_name: z.string().nullable(),
  family_name: z.string().nullable(),
  company_name: z.string().nullable(),
  country_code: z.string().nullable(),
});

/** A mandate. */
export const mandate = z.looseObject({
  ...facts,
  reference: z.string().nullable(),
  scheme: z.string().nullable(),
  status: z.string().meta({ description: "`pending_submission`, `submitted`, `active`, `cancelled` and so on." }),
  next_possible_charge_date: z.string().nullable(),
  links,
});

/** A billing request. */
export const billingRequest = z.looseObject({
  ...facts,
  status: z.string().meta({ description: "`pending`, `ready_to_fulfil`, `fulfilling`, `fulfilled` or `cancelled`." }),
  mandate_request: z.json().optional(),
  payment_request: z.json().optional(),
  links,
});

/** The page on which a payer gives the details of a billing request. */
export const billingRequestFlow = z.looseObject({
  id: z.string(),
  authorisation_url: z.string().meta({ description: "Address of the page, for the payer." }),
  expires_at: z.string(),
  links,
});

/** A payment by bank debit. */
export const payment = z.looseObject({
  ...facts,
  ...money,
  charge_date: z.string().nullable(),
  description: z.string().nullable(),
  reference: z.string().nullable(),
  status: z.string().meta({ description: "`pending_submission`, `submitted`, `confirmed`, `paid_out`, `failed` …" }),
  amount_refunded: z.int(),
  links,
});

/** A refund. */
export const refund = z.looseObject({
  ...facts,
  ...money,
  reference: z.string().nullable(),
  status: z.string().meta({ description: "`created`, `pending_submission`, `submitted`, `paid`, `bounced` …" }),
  links,
});

/** A payout to the account's bank. */
export const payout = z.looseObject({
  ...facts,
  ...money,
  arrival_date: z.string().nullable(),
  deducted_fees: z.int(),
  payout_type: z.string(),
  reference: z.string(),
  status: z.string().meta({ description: "`pending`, `paid` or `bounced`." }),
  links,
});

/** An item of a payout. */
export const payoutItem = z.looseObject({
  amount: z.string().meta({ description: "Amount in the smallest unit, with decimals, negative for a deduction." }),
  type: z.string().meta({ description: "`payment_paid_out`, `payment_refunded`, `gocardless_fee` and so on." }),
  links,
});

/** A payment that sends money. */
export const outboundPayment = z.looseObject({
  ...facts,
  ...money,
  description: z.string(),
  execution_date: z.string(),
  reference: z.string(),
  status: z.string().meta({ description: "`verifying`, `pending_approval`, `scheduled`, `executed`, `failed` …" }),
  verifications: z.json().optional(),
  links,
});
