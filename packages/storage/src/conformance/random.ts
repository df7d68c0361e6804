/** Seeded choices, so that a failing sequence can be repeated. */
export interface Random {
  /** 0 to `below` - 1 */
  integer(below: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly [T, ...T[]]): T;
  /** `true` with the given probability. */
  some<T>(from: readonly T[], probability: number): readonly T[];
}

/** The mulberry32 generator. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;

  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  const integer = (below: number): number => Math.floor(next() * below);
  const chance = (probability: number): boolean => next() < probability;
  return {
    integer,
    chance,
    pick: (from) => from[integer(from.length)] ?? from[0],
    some: (from, probability) => from.filter(() => chance(probability)),
  };
}
