/**
 * A `Map` for thousands of insertions and deletions per second. A `Map` that is rehashed leaves its old table behind.
 * The old table keeps its values alive until the next full garbage collection, and so do all later tables: nearly every
 * ended run would outlive the minor collections. Here a table holds places, and a place is emptied when its value is
 * deleted.
 */
export interface TransientMap<V> {
  readonly size: number;
  get(key: string): V | undefined;
  has(key: string): boolean;
  set(key: string, value: V): void;
  delete(key: string): void;
  /** In the order in which the keys were added. Entries that are set during the iteration may be left out. */
  entries(): Iterable<readonly [string, V]>;
}

/**
 * Minimum number of deletions before the `Map` is rebuilt; it must also reach the number of entries left. A `Map` that
 * survived two minor collections allocates its later tables in the old generation, which only full collections clean.
 */
const leastDeleted = 64;

interface Place<V> {
  value: V | undefined;
}

export function createTransientMap<V extends object>(): TransientMap<V> {
  let places = new Map<string, Place<V>>();
  /** Deletions since the `Map` was built. */
  let deleted = 0;
  return {
    get size() {
      return places.size;
    },
    // The first lookup of a new string hashes it, which an empty map does not need.
    get: (key) => (places.size === 0 ? undefined : places.get(key)?.value),
    has: (key) => places.size > 0 && places.has(key),
    set: (key, value) => {
      const place = places.get(key);
      if (place !== undefined) {
        place.value = value;
        return;
      }
      if (deleted >= Math.max(leastDeleted, places.size)) {
        places = new Map(places);
        deleted = 0;
      }
      places.set(key, { value });
    },
    delete: (key) => {
      const place = places.get(key);
      if (place === undefined) return;
      places.delete(key);
      place.value = undefined;
      deleted++;
    },
    *entries() {
      for (const [key, { value }] of places) if (value !== undefined) yield [key, value];
    },
  };
}
