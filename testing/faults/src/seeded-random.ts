/** Randomness that a seed reproduces. All random choices of tests and proofs are made with one of these. */
export interface SeededRandom {
  /** Uniform in [0, 1). */
  uniform(): number;
  /** An integer from `least` to `most`, both included. */
  between(least: number, most: number): number;
  /** An integer from 0 to `limit` - 1. */
  below(limit: number): number;
  /** `true` with the given probability. */
  chance(probability: number): boolean;
  /** One of the items. @throws RangeError if there is none */
  pick<T>(items: readonly T[]): T;
  bytes(size: number): Uint8Array;
  /** `length` hexadecimal digits. */
  hex(length: number): string;
  /** A UUID of version 4. */
  uuid(): string;
  /**
   * An independent source. It depends on the seed and the names alone: draws from this source do not change it, and a
   * second fork of one name draws the same values.
   */
  fork(name: string): SeededRandom;
}

/** The generator sfc32; its state is a hash of the seed and the name. */
export function seededRandom(seed: number, name = ""): SeededRandom {
  let [a, b, c, d] = initialState(`${seed}/${name}`);
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
  const below = (limit: number): number => Math.floor(uniform() * limit);
  const bytes = (size: number): Uint8Array => Uint8Array.from({ length: size }, () => word() & 255);
  const hex = (length: number): string =>
    Buffer.from(bytes(Math.ceil(length / 2)))
      .toString("hex")
      .slice(0, length);

  return {
    uniform,
    between: (least, most) => least + below(most - least + 1),
    below,
    chance: (probability) => uniform() < probability,
    pick<T>(items: readonly T[]): T {
      if (items.length === 0) throw new RangeError("Cannot pick from an empty list.");
      return items[below(items.length)] as T;
    },
    bytes,
    hex,
    uuid: () => {
      const digits = hex(32);
      return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-a${digits.slice(17, 20)}-${digits.slice(20)}`;
    },
    fork: (forkName) => seededRandom(seed, `${name}/${forkName}`),
  };
}

/** Four words by FNV-1a over the text, each with a basis of its own. */
function initialState(text: string): [number, number, number, number] {
  const word = (basis: number): number => {
    let hash = basis;
    for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    return hash | 0;
  };
  return [word(0x811c9dc5), word(0x050c5d1f), word(0x1b873593), word(0x7ed55d16)];
}
