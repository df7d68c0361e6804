/**
 * A map of bounded size that evicts its least recently used entries. Reading and writing an entry both use it. The
 * newest entry stays, even if it alone exceeds the bound.
 */
export class LruCache<K, V> {
  readonly #maxSize: number;
  readonly #sizeOf: (value: V, key: K) => number;
  /** The most recently used entry is the last. */
  readonly #entries = new Map<K, V>();
  #size = 0;

  /** @param sizeOf the size of an entry, which must not change; `@defaultValue 1`, so that `maxSize` counts entries */
  constructor(maxSize: number, sizeOf: (value: V, key: K) => number = () => 1) {
    this.#maxSize = maxSize;
    this.#sizeOf = sizeOf;
  }

  /** The value of a key, which becomes the most recently used; `undefined` when there is none. */
  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    return value;
  }

  /** Stores or replaces a value. @returns the evicted values */
  set(key: K, value: V): readonly V[] {
    this.delete(key);
    this.#entries.set(key, value);
    this.#size += this.#sizeOf(value, key);
    const evicted: V[] = [];
    for (const [oldest, its] of this.#entries) {
      if (this.#size <= this.#maxSize || oldest === key) break;
      this.delete(oldest);
      evicted.push(its);
    }
    return evicted;
  }

  /** Removes a key and its value, if it is there. */
  delete(key: K): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#size -= this.#sizeOf(value, key);
  }

  /** Removes all entries. */
  clear(): void {
    this.#entries.clear();
    this.#size = 0;
  }

  /** The entries, least recently used first. They may be deleted during the iteration. */
  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.#entries[Symbol.iterator]();
  }
}
