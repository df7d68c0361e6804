/** Serializes work with the same key in order of arrival. Work with different keys runs concurrently. */
export interface KeyQueue {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** Creates an empty queue. */
export function createKeyQueue(): KeyQueue {
  const tails = new Map<string, Promise<unknown>>();
  return {
    run(key, work) {
      const result = (tails.get(key) ?? Promise.resolve()).then(work);
      const tail = result
        .catch(() => undefined)
        .finally(() => {
          if (tails.get(key) === tail) tails.delete(key);
        });
      tails.set(key, tail);
      return result;
    },
  };
}
