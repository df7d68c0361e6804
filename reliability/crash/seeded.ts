/** Chance that a seed decides: the same seed, the same sequence. */
export interface Seeded {
  /** A whole number from 0 to `below` - 1. */
  below(below: number): number;
  /** Whether something of this probability happens. */
  chance(probability: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** `length` hexadecimal digits. */
  hex(length: number): string;
  /** Another sequence, which does not depend on how much of this one is drawn later. */
  fork(): Seeded;
}

/** mulberry32: 32 bits of state are plenty for choosing among faults. */
export function seeded(seed: number): Seeded {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (bound: number): number => Math.floor(next() * bound);
  return {
    below,
    chance: (probability) => next() < probability,
    pick: (items) => {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error("There is nothing to pick from.");
      return item;
    },
    hex: (length) => Array.from({ length }, () => below(16).toString(16)).join(""),
    fork: () => seeded(below(2 ** 32)),
  };
}

/** A UUID version 4 with chosen digits. */
export function seededUuid(random: Seeded): string {
  const digits = random.hex(30);
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(12, 15)}-8${digits.slice(15, 18)}-${digits.slice(18)}`;
}
