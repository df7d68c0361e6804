import * as z from "zod";

const money = z.number().nullable();

/** An account of an item. */
export const account = z.looseObject({
  account_id: z.string(),
  name: z.string(),
  official_name: z.string().nullable(),
  mask: z.string().nullable().meta({ description: "The last characters of its number." }),
  type: z.string(),
  subtype: z.string().nullable(),
  balances: z.looseObject({ available: money, current: money, iso_currency_code: z.string().nullable() }),
});

export const itemOutput = z.looseObject({
  item_id: z.string(),
  institution_id: z.string().nullish(),
  institution_name: z.string().nullish(),
  error: z
    .looseObject({ error_code: z.string() })
    .nullable()
    .meta({ description: "The reason why it cannot be used." }),
  consent_expiration_time: z.string().nullable(),
});

export const accountsOutput = z.looseObject({ accounts: z.array(account) });

export const numbersOutput = accountsOutput.extend({
  numbers: z.looseObject({
    ach: z.array(
      z.looseObject({
        account_id: z.string(),
        account: z.string(),
        routing: z.string(),
        wire_routing: z.string().nullable(),
      }),
    ),
    international: z.array(z.looseObject({ account_id: z.string(), iban: z.string(), bic: z.string() })),
  }),
});

export const identityOutput = z.looseObject({
  accounts: z.array(
    account.extend({
      owners: z.array(
        z.looseObject({
          names: z.array(z.string()),
          emails: z.array(z.looseObject({ data: z.string() })),
        }),
      ),
    }),
  ),
});

/** A transaction of an account. */
export const transaction = z.looseObject({
  transaction_id: z.string(),
  account_id: z.string(),
  amount: z.number().meta({ description: "Positive when money leaves the account." }),
  iso_currency_code: z.string().nullable(),
  date: z.string(),
  name: z.string(),
  merchant_name: z.string().nullish(),
  pending: z.boolean(),
  pending_transaction_id: z.string().nullable(),
});

/** A transaction that no longer exists. */
export const removedTransaction = z.looseObject({ transaction_id: z.string(), account_id: z.string() });

export const transactionsOutput = z.object({
  added: z.array(transaction),
  modified: z.array(transaction),
  removed: z.array(removedTransaction),
  next_cursor: z.string().meta({ description: "Keep it for the next call, once these changes are processed." }),
  has_more: z.boolean().meta({ description: "Whether there are more changes: call again with `next_cursor`." }),
});

export const identityVerificationOutput = z.looseObject({
  id: z.string(),
  status: z.enum(["active", "success", "failed", "expired", "canceled", "pending_review"]),
  shareable_url: z.string().nullable(),
  completed_at: z.string().nullable(),
  watchlist_screening_id: z.string().nullable(),
});

export const screeningOutput = z.looseObject({
  id: z.string(),
  status: z.enum(["rejected", "pending_review", "cleared"]),
  client_user_id: z.string().nullable(),
});

export const authorizationOutput = z.looseObject({
  id: z.string(),
  decision: z.enum(["approved", "declined", "user_action_required"]),
  decision_rationale: z
    .looseObject({ code: z.string(), description: z.string() })
    .nullable()
    .meta({ description: "Set for a refusal, and where Plaid approves without having checked the account." }),
});

export const transferOutput = z.looseObject({
  id: z.string(),
  authorization_id: z.string(),
  status: z.enum(["pending", "posted", "settled", "funds_available", "cancelled", "failed", "returned"]),
  type: z.enum(["debit", "credit"]),
  amount: z.string(),
  iso_currency_code: z.string(),
  failure_reason: z.looseObject({}).nullable(),
});
