import type { DeliverySettlement, Storage } from "@procedo/storage";

/** Result of a delivery attempt: accepted, retried later, or failed for good. */
export type DeliveryOutcome = "delivered" | "retried" | "failed";

/** Wraps a storage and calls `observe` with the result of each settled attempt. */
export function watchDeliveries(storage: Storage, observe: (outcome: DeliveryOutcome) => void): Storage {
  const { runs, inbox, reviews, invocations, budgets, workers } = storage;
  const { deliveries, triggers, procedures, records, sessions, audit, retention } = storage;
  return {
    runs,
    inbox,
    reviews,
    invocations,
    budgets,
    workers,
    triggers,
    procedures,
    records,
    sessions,
    audit,
    retention,
    deliveries: {
      ...deliveries,
      settle: async (items) => {
        const results = await deliveries.settle(items);
        for (const [index, item] of items.entries()) {
          const outcome = outcomeOf(item);
          if (outcome !== undefined && results[index]?.status === "settled") observe(outcome);
        }
        return results;
      },
    },
    watch: (listener) => storage.watch(listener),
    close: () => storage.close(),
  };
}

/** `undefined` when no attempt was made: the delivery was released, skipped or failed without one. */
function outcomeOf({ attempt, error, next }: DeliverySettlement): DeliveryOutcome | undefined {
  if (attempt === undefined) return undefined;
  if (error === undefined) return "delivered";
  return next.status === "pending" ? "retried" : "failed";
}
