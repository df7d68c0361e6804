/**
 * The sum of whole numbers.
 *
 * @throws RangeError if a double cannot hold the sum exactly
 */
export function exactSum(amountsMinor: readonly number[]): number {
  const sum = Number(amountsMinor.reduce((total, amountMinor) => total + BigInt(amountMinor), 0n));
  if (Number.isSafeInteger(sum)) return sum;
  throw new RangeError(`The sum of ${amountsMinor.length} amounts is beyond 2^53. Reconcile fewer payouts at a time.`);
}
