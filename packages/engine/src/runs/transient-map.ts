/**
 * A `Map` for what comes and goes thousands of times a second. When a `Map` makes room it leaves its old table behind,
 * which holds whatever was in it until the next full collection, and so do all tables that follow: nearly every run that
 * ended would outlive the collections which are made for what dies young. Here a table holds places, and a place is
 * emptied when its value goes.
 */
export interface TransientMap<V> {
  readonly size: number;
  get(key: string): V | undefined;
  has(key: string): boolean;
  set(key: string, value: V): void;
  delete(key: string): void;
  /** In the order in which the keys came; what is set meanwhile may be left out. */
  entries(): Iterable<readonly [string, V]>;
}

/**
 * How many have to be deleted, and as many as are left, before the `Map` is made anew. One that has lived through two small
 * collections has each later table made where only full collections come.
 */
const leastDeleted = 64;

interface Place<V> {
  value: V | undefined;
}

export function createTransientMap<V extends object>(): TransientMap<V> {
  let places = new Map<string, Place<V>>();
  /** Since the map was made. */
  let deleted = 0;
  return {
    get size() {
      return places.size;
    },
    // A text that was made a moment ago is hashed when it is first looked for.
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
