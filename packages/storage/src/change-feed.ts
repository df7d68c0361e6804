import type { Change } from "./storage.ts";

/** The listeners behind `Storage.watch`, for adapters. */
export interface ChangeFeed {
  /** Calls every listener. A listener that throws hinders neither the others nor the caller, whose write is durable. */
  emit(change: Change): void;
  watch(listener: (change: Change) => void): () => void;
  /** Whether anybody listens. */
  readonly watched: boolean;
}

/** Makes the feed that tells watchers of changes, for adapters. */
export function createChangeFeed(): ChangeFeed {
  const subscriptions = new Set<{ readonly listener: (change: Change) => void }>();

  return {
    get watched() {
      return subscriptions.size > 0;
    },

    emit(change) {
      for (const { listener } of subscriptions) {
        try {
          listener(change);
        } catch (error) {
          // Not swallowed: it surfaces as an uncaught error of its own, outside the write.
          queueMicrotask(() => {
            throw error;
          });
        }
      }
    },

    watch(listener) {
      const subscription = { listener };
      subscriptions.add(subscription);
      return () => void subscriptions.delete(subscription);
    },
  };
}
