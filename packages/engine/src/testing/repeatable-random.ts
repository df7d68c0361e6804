import type { Random } from "../ports/random.ts";

/** Deterministic randomness (Mulberry32): a test's ids and the jitter of its retries are the same each time. */
export interface RepeatableRandom extends Random {
  /** Restarts with another seed: later values do not depend on the values drawn before. */
  beginRuns(): void;
}

export function repeatableRandom(): RepeatableRandom {
  let state = 0;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    uniform,
    bytes: (size) => Uint8Array.from({ length: size }, () => Math.floor(uniform() * 256)),
    beginRuns: () => {
      state = 1_000_000_007;
    },
  };
}
