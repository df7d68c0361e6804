import type { Random } from "@procedo/engine";

/** Randomness that a seed makes again (Mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return { uniform, bytes: (size) => Uint8Array.from({ length: size }, () => Math.floor(uniform() * 256)) };
}
