import { exactSum } from "./exact-sum.ts";
import { matchCredits } from "./match-credits.ts";
import type { Credit, Difference, Payout, Total, Transaction } from "./payout-records.ts";

/** The result of a reconciliation. */
export interface Reconciliation {
  readonly differences: Difference[];
  /** One total for each currency, in the order of the payouts. */
  readonly totals: Total[];
}

/**
 * Compares the payouts of a day with their transactions and with the bank's credits. Pure. Only amounts of one currency
 * are compared or added. A record that a list repeats counts once.
 */
export function reconcile(
  payouts: readonly Payout[],
  transactions: readonly Transaction[],
  credits: readonly Credit[],
): Reconciliation {
  const distinct = distinctBy(payouts, ({ payoutId }) => payoutId);
  const byPayout = Map.groupBy(
    distinctBy(transactions, ({ transactionId }) => transactionId),
    ({ payoutId }) => payoutId,
  );
  const unexplained = distinct
    .filter(({ isAutomatic }) => isAutomatic)
    .flatMap((payout) => differenceWithin(payout, byPayout.get(payout.payoutId) ?? []));
  const unmatched = matchCredits(
    distinct,
    distinctBy(credits, ({ creditId }) => creditId),
  );
  return { differences: [...unexplained, ...unmatched], totals: totalsOf(distinct) };
}

/** Compares a payout with the sum of its transactions: charges minus refunds and fees. */
function differenceWithin(
  { payoutId, currency, amountMinor }: Payout,
  transactions: readonly Transaction[],
): readonly Difference[] {
  // Stripe lists the payout itself among its transactions, as the movement out of the balance.
  const parts = transactions.filter(({ type }) => type !== "payout");
  const faulty = parts.filter(
    (part) => part.currency !== currency || part.netMinor !== part.amountMinor - part.feeMinor,
  );
  const foundMinor = exactSum(parts.filter((part) => part.currency === currency).map(({ netMinor }) => netMinor));
  if (faulty.length === 0 && foundMinor === amountMinor) return [];
  const recordIds = [payoutId, ...faulty.map(({ transactionId }) => transactionId)];
  return [{ kind: "transactions_do_not_add_up", recordIds, currency, expectedMinor: amountMinor, foundMinor }];
}

function totalsOf(payouts: readonly Payout[]): Total[] {
  return [...Map.groupBy(payouts, ({ currency }) => currency)].map(([currency, group]) => ({
    currency,
    amountMinor: exactSum(group.map(({ amountMinor }) => amountMinor)),
    payoutCount: group.length,
  }));
}

function distinctBy<Item>(items: readonly Item[], keyOf: (item: Item) => string): readonly Item[] {
  return [...new Map(items.map((item) => [keyOf(item), item])).values()];
}
