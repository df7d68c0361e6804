/* Five days of payouts and credits. On each day but the 25th, all of them match. */
import type { BookedCredit } from "./fake-bank.ts";
import { samplePayout, type SamplePart, type SamplePayout } from "./stripe-samples.ts";

/** The days of the scenario. */
export const days = {
  matching: "2026-11-24",
  differing: "2026-11-25",
  limited: "2026-11-26",
  lost: "2026-11-27",
  ended: "2026-11-30",
} as const;

const charge = (amountMinor: number, feeMinor: number): SamplePart => ({ type: "charge", amountMinor, feeMinor });
const refund = (amountMinor: number): SamplePart => ({ type: "refund", amountMinor: -amountMinor, feeMinor: 0 });

/** Newest first, as Stripe lists them. */
export const samplePayouts: readonly SamplePayout[] = [
  samplePayout({ id: "po_1Q30eur", day: days.ended, currency: "eur", parts: [charge(51_000, 790)] }),
  samplePayout({ id: "po_1Q27eur", day: days.lost, currency: "eur", parts: [charge(64_000, 985)] }),
  samplePayout({ id: "po_1Q26eur", day: days.limited, currency: "eur", parts: [charge(22_000, 355)] }),
  samplePayout({ id: "po_1Q25usd", day: days.differing, currency: "usd", parts: [charge(30_000, 900)] }),
  samplePayout({ id: "po_1Q25eur", day: days.differing, currency: "eur", parts: [charge(81_000, 1_240)] }),
  samplePayout({ id: "po_1Q24usd", day: days.matching, currency: "usd", parts: [charge(18_000, 552)] }),
  samplePayout({
    ...{ id: "po_1Q24eur", day: days.matching, currency: "eur" },
    parts: [charge(48_000, 745), charge(125_000, 1_900), refund(12_500)],
  }),
];

/** On the 25th the bank kept 15.00 EUR of one payout, has not received the other, and received money of unknown origin. */
export const sampleCredits: readonly BookedCredit[] = [
  credit("cr_2401", days.matching, 157_855, "EUR", "po_1Q24eur"),
  credit("cr_2402", days.matching, 17_448, "USD", null),
  credit("cr_2501", days.differing, 78_260, "EUR", "po_1Q25eur"),
  credit("cr_2502", days.differing, 4_200, "EUR", "REFUND 88"),
  credit("cr_2601", days.limited, 21_645, "EUR", "po_1Q26eur"),
  credit("cr_2701", days.lost, 63_015, "EUR", "po_1Q27eur"),
  credit("cr_3001", days.ended, 50_210, "EUR", "po_1Q30eur"),
];

function credit(
  creditId: string,
  bookedOn: string,
  amountMinor: number,
  currency: string,
  reference: string | null,
): BookedCredit {
  return { creditId, bookedOn, amountMinor, currency, reference };
}
