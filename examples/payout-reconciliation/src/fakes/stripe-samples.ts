/* Payouts and balance transactions in the form in which Stripe lists them. */

/** A payout of Stripe, as far as the handlers read it. */
export interface StripePayout {
  readonly id: string;
  readonly amount: number;
  readonly currency: string;
  readonly status: string;
  readonly automatic: boolean;
  /** Seconds since 1970. */
  readonly created: number;
  /** Seconds since 1970, at the start of the day in UTC. */
  readonly arrival_date: number;
  readonly [member: string]: unknown;
}

/** A balance transaction of Stripe, as far as the handlers read it. */
export interface StripeTransaction {
  readonly id: string;
  readonly net: number;
  readonly [member: string]: unknown;
}

/** A payout with the transactions that it pays out. */
export interface SamplePayout {
  readonly payout: StripePayout;
  /** Newest first: the payout itself, then its parts. */
  readonly transactions: readonly StripeTransaction[];
}

/** A part of a payout. A refund has a negative amount. */
export interface SamplePart {
  readonly type: "charge" | "refund";
  readonly amountMinor: number;
  readonly feeMinor: number;
}

const secondsPerDay = 86_400;

/** An automatic payout that arrives on a day and was created two days before. Its amount is the net sum of its parts. */
export function samplePayout({
  id,
  day,
  currency,
  parts,
}: {
  readonly id: string;
  readonly day: string;
  /** In lower case, as Stripe writes it. */
  readonly currency: string;
  readonly parts: readonly SamplePart[];
}): SamplePayout {
  const arrival = Date.parse(day) / 1_000;
  const created = arrival - 2 * secondsPerDay;
  const name = id.slice("po_".length);
  const sold = parts.map(({ type, amountMinor, feeMinor }, index) => {
    const source = `${type === "refund" ? "re" : "ch"}_${name}_${index}`;
    return transaction({
      id: `txn_${name}_${index}`,
      type,
      amount: amountMinor,
      fee: feeMinor,
      source,
      currency,
      created,
    });
  });
  const amount = sold.reduce((sum, { net }) => sum + net, 0);
  const balanceId = `txn_${name}`;
  const paidOut = transaction({
    id: balanceId,
    type: "payout",
    amount: -amount,
    fee: 0,
    source: id,
    currency,
    created,
  });
  const payout = {
    ...{ id, object: "payout", amount, arrival_date: arrival, automatic: true, balance_transaction: balanceId },
    ...{ created, currency, description: "STRIPE PAYOUT", destination: "ba_1QaB1c", failure_code: null },
    ...{ failure_message: null, livemode: false, metadata: {}, method: "standard" },
    ...{ status: "paid", type: "bank_account" },
  };
  return { payout, transactions: [paidOut, ...sold] };
}

/** The members that differ between transactions, and those that do not. */
function transaction(given: {
  readonly id: string;
  readonly type: string;
  readonly amount: number;
  readonly fee: number;
  readonly source: string;
  readonly currency: string;
  readonly created: number;
}): StripeTransaction {
  const { type, amount, fee, created } = given;
  return {
    ...{ ...given, object: "balance_transaction", net: amount - fee, available_on: created, reporting_category: type },
    ...{ description: null, exchange_rate: null, status: "available" },
  };
}
