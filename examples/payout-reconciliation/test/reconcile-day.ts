import { testProcedure, type FakeOutcome, type FakeReply } from "@procedo/engine/testing";
import type { SamplePayout } from "../src/fakes/stripe-samples.ts";
import type { Credit } from "../src/payout-records.ts";
import { channel, day, document, input, reconciliationConnections } from "./reconciliation-setup.ts";

/** Slack's answer to a message. */
export const posted = { ok: true, channel, ts: "1795800000.000001" };

/** A run on a day with these payouts and credits. */
export function reconcileDay(
  { payouts = [], credits = [] }: { payouts?: readonly SamplePayout[]; credits?: readonly Credit[] },
  ...[reply = posted, secondReply = posted]: readonly FakeReply[]
) {
  const postings = [reply, secondReply];
  const items = payouts.map(({ payout }) => payout);
  const transactionsOf = ({ payout }: { payout: string }) => ({
    items: payouts.find((one) => one.payout.id === payout)?.transactions ?? [],
    ...{ pages: 1, hasMore: false },
  });
  return testProcedure({
    ...{ document, input, ...reconciliationConnections() },
    actions: {
      stripe: {
        list_payouts: () => ({ items, pages: 1, hasMore: false }),
        list_balance_transactions: transactionsOf,
      },
      bank: { list_credits: () => ({ data: credits }) },
      slack: { post_message: () => postings.shift() as FakeOutcome },
    },
  });
}

export const credit = (creditId: string, amountMinor: number, reference: string | null, currency = "EUR"): Credit => ({
  ...{ creditId, amountMinor, currency, reference },
});
export const message = (text: string) => ({
  connection: "slack",
  action: "post_message",
  arguments: { channel, text: `Payouts of ${day}: ${text}` },
});
