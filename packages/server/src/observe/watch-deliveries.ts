import type { DeliverySettlement, Storage } from "@procedo/storage";

/** The result of an attempt to deliver: accepted, to be retried, or failed for good. */
export type DeliveryOutcome = "delivered" | "retried" | "failed";

/** Wraps a storage: `observe` is called with the result of each attempt, once it is settled. */
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

/** `undefined`: no attempt was made, and the delivery was given back. */
function outcomeOf({ attempt, error, next }: DeliverySettlement): DeliveryOutcome | undefined {
  if (attempt === undefined) return undefined;
  if (error === undefined) return "delivered";
  return next.status === "pending" ? "retried" : "failed";
}
