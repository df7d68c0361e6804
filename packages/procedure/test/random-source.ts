/** Random numbers that a seed makes again, so that a failing case can be run alone. */
export interface RandomSource {
  /** A whole number from 0, below `limit`. */
  below(limit: number): number;
  chance(probability: number): boolean;
  /** One of the items; there has to be one. */
  pick<T>(items: readonly T[]): T;
}

/** Mulberry32. */
export function randomSource(seed: number): RandomSource {
  let state = seed | 0;
  function unit(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const below = (limit: number) => Math.floor(unit() * limit);
  return {
    below,
    chance: (probability) => unit() < probability,
    pick<T>(items: readonly T[]): T {
      if (items.length === 0) throw new RangeError("There is nothing to pick from.");
      return items[below(items.length)] as T;
    },
  };
}
