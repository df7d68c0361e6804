import type { Change } from "./storage.ts";

/** The listeners behind `Storage.watch`, for adapters. */
export interface ChangeFeed {
  /**
   * Calls every listener. An exception of a listener affects neither the other listeners nor the caller, whose write is
   * already durable.
   */
  emit(change: Change): void;
  /** Adds a listener. The returned function removes it. */
  watch(listener: (change: Change) => void): () => void;
  /** Whether there are listeners. */
  readonly watched: boolean;
}

/** Creates the feed that notifies watchers of changes, for adapters. */
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
          // Rethrown outside the write, as an uncaught exception.
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
