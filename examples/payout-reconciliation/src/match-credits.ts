import type { Credit, Difference, Payout } from "./payout-records.ts";

/**
 * Matches payouts with the bank's credits, and returns the differences. Pure. The ids within each list are distinct. Each
 * payout and each credit is matched at most once, in three rounds, so that the surest matches are made first:
 *
 *   1. the credit names the payout, and the amounts are equal
 *   2. the credit names the payout, and the amounts differ
 *   3. the credit names no payout of the day, and the amounts are equal
 */
export function matchCredits(payouts: readonly Payout[], credits: readonly Credit[]): readonly Difference[] {
  const payoutIds = new Set(payouts.map(({ payoutId }) => payoutId));
  const openPayouts = new Set(payouts);
  const openCredits = new Set(credits);
  const match = (fits: (payout: Payout, credit: Credit) => boolean): readonly (readonly [Payout, Credit])[] =>
    payouts.flatMap((payout) => {
      const credit = openPayouts.has(payout) && credits.find((one) => openCredits.has(one) && fits(payout, one));
      if (!credit) return [];
      openPayouts.delete(payout);
      openCredits.delete(credit);
      return [[payout, credit] as const];
    });

  match((payout, credit) => names(credit, payout) && hasEqualAmount(payout, credit));
  const unequal = match((payout, credit) => names(credit, payout) && payout.currency === credit.currency);
  match((payout, credit) => !payoutIds.has(credit.reference ?? "") && hasEqualAmount(payout, credit));

  return [
    ...unequal.map(([payout, credit]) => amountDiffers(payout, credit)),
    ...[...openPayouts].map(missingInLedger),
    ...[...openCredits].map(missingInStripe),
  ];
}

function names({ reference }: Credit, { payoutId }: Payout): boolean {
  return reference === payoutId;
}

function hasEqualAmount(payout: Payout, credit: Credit): boolean {
  return payout.currency === credit.currency && payout.amountMinor === credit.amountMinor;
}

function amountDiffers({ payoutId, currency, amountMinor }: Payout, credit: Credit): Difference {
  const recordIds = [payoutId, credit.creditId];
  return { kind: "amount_differs", recordIds, currency, expectedMinor: amountMinor, foundMinor: credit.amountMinor };
}

function missingInLedger({ payoutId, currency, amountMinor }: Payout): Difference {
  return { kind: "missing_in_ledger", recordIds: [payoutId], currency, expectedMinor: amountMinor, foundMinor: 0 };
}

function missingInStripe({ creditId, currency, amountMinor }: Credit): Difference {
  return { kind: "missing_in_stripe", recordIds: [creditId], currency, expectedMinor: 0, foundMinor: amountMinor };
}
