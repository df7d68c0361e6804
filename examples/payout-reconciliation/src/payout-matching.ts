import { ActionError, defineAction, defineIntegration, z } from "@procedo/engine";
import { creditSchema, differenceSchema, payoutSchema, totalSchema, transactionSchema } from "./payout-records.ts";
import { readPayouts, readTransactions } from "./read-stripe.ts";
import { reconcile } from "./reconcile.ts";

/** A list that an action of Stripe has read. */
const listSchema = z.object({ items: z.array(z.json()), hasMore: z.boolean() });

/**
 * The calculations of the procedure, as an integration. Its actions compute their output from their arguments alone, so
 * that they need no connection, and are recorded in the run like any other call.
 */
export const payoutMatching = defineIntegration({
  name: "payout_matching",
  title: "Payout matching",
  category: "reconciliation",
  actions: {
    select_arriving: defineAction({
      description: "Selects the payouts that arrive on a day.",
      effect: "read",
      input: z.object({ list: listSchema, day: z.iso.date() }),
      output: z.object({
        payouts: z.array(payoutSchema),
        automaticIds: z.array(z.string()).meta({ description: "Payouts whose transactions Stripe knows." }),
      }),
      run: ({ list, day }) => {
        refuseCutList(list, "The list of payouts");
        const payouts = readPayouts(list.items, day);
        const automaticIds = payouts.flatMap(({ payoutId, isAutomatic }) => (isAutomatic ? [payoutId] : []));
        return { payouts, automaticIds };
      },
    }),
    collect_transactions: defineAction({
      description: "Adds the transactions of one payout to those of the payouts before it.",
      effect: "read",
      input: z.object({
        payoutId: z.string(),
        list: listSchema,
        collected: z.object({ payoutIds: z.array(z.string()), transactions: z.array(transactionSchema) }),
      }),
      output: z.object({ payoutIds: z.array(z.string()), transactions: z.array(transactionSchema) }),
      run: ({ payoutId, list, collected }) => {
        refuseCutList(list, `The list of transactions of payout "${payoutId}"`);
        return {
          payoutIds: [...collected.payoutIds, payoutId],
          transactions: [...collected.transactions, ...readTransactions(list.items, payoutId)],
        };
      },
    }),
    reconcile: defineAction({
      description: "Compares payouts with their transactions and with the credits of the bank.",
      effect: "read",
      input: z.object({
        payouts: z.array(payoutSchema),
        transactions: z.array(transactionSchema),
        credits: z.array(creditSchema),
      }),
      output: z.object({ differences: z.array(differenceSchema), totals: z.array(totalSchema) }),
      run: ({ payouts, transactions, credits }) => reconcile(payouts, transactions, credits),
    }),
  },
});

/** Sums over a part of a list would be wrong. */
function refuseCutList({ items, hasMore }: z.infer<typeof listSchema>, subject: string): void {
  if (!hasMore) return;
  const message = `${subject} has more than the ${items.length} items that were read. Reconcile this day by hand.`;
  throw new ActionError(message, { outcome: "refused" });
}
