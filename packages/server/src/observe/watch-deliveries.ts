import type { DeliverySettlement, Storage } from "@procedo/storage";

/** What came of an attempt to deliver: the receiver took it, it is tried again, or it was the last attempt. */
export type DeliveryOutcome = "delivered" | "retried" | "failed";

/** The same storage, which tells of each attempt to deliver a webhook once it is settled. */
export function watchDeliveries(storage: Storage, tell: (outcome: DeliveryOutcome) => void): Storage {
  const { runs, inbox, reviews, invocations, budgets, workers } = storage;
  const { deliveries, procedures, records, audit, retention } = storage;
  return {
    runs,
    inbox,
    reviews,
    invocations,
    budgets,
    workers,
    procedures,
    records,
    audit,
    retention,
    deliveries: {
      ...deliveries,
      settle: async (items) => {
        const results = await deliveries.settle(items);
        for (const [index, item] of items.entries()) {
          const outcome = outcomeOf(item);
          if (outcome !== undefined && results[index]?.status === "settled") tell(outcome);
        }
        return results;
      },
    },
    watch: (listener) => storage.watch(listener),
    close: () => storage.close(),
  };
}

/** Nothing, when nothing has left: the delivery was given back. */
function outcomeOf({ attempt, error, then }: DeliverySettlement): DeliveryOutcome | undefined {
  if (attempt === undefined) return undefined;
  if (error === undefined) return "delivered";
  return then.status === "pending" ? "retried" : "failed";
}
