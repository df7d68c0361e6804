/** Randomness that a seed makes again: whatever a simulation decides by chance, it decides with one of these. */
export interface SeededRandom {
  /** In [0, 1). */
  uniform(): number;
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number;
  chance(probability: number): boolean;
  /** One of the items; there has to be one. */
  pick<T>(items: readonly T[]): T;
  bytes(size: number): Uint8Array;
  /** A source of its own, so that what one part draws does not change what another part gets. */
  fork(name: string): SeededRandom;
}

/** sfc32, seeded by a hash of the seed and a name. */
export function seededRandom(seed: number, name = ""): SeededRandom {
  let [a, b, c, d] = stateOf(`${seed}/${name}`);
  const word = (): number => {
    const sum = (((a + b) | 0) + d) | 0;
    d = (d + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (c << 21) | (c >>> 11);
    c = (c + sum) | 0;
    return sum >>> 0;
  };
  for (let warmUp = 0; warmUp < 12; warmUp++) word();
  const uniform = (): number => word() / 2 ** 32;
  const between = (least: number, most: number): number => least + Math.floor(uniform() * (most - least + 1));

  return {
    uniform,
    between,
    chance: (probability) => uniform() < probability,
    pick<T>(items: readonly T[]): T {
      if (items.length === 0) throw new RangeError("There is nothing to pick from.");
      return items[between(0, items.length - 1)] as T;
    },
    bytes: (size) => Uint8Array.from({ length: size }, () => word() & 255),
    fork: (forkName) => seededRandom(seed, `${name}/${forkName}`),
  };
}

/** Four words by FNV-1a over the text, each with a basis of its own. */
function stateOf(text: string): [number, number, number, number] {
  const word = (basis: number): number => {
    let hash = basis;
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    return hash | 0;
  };
  return [word(0x811c9dc5), word(0x050c5d1f), word(0x1b873593), word(0x7ed55d16)];
}
