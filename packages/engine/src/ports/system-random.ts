import { randomFillSync } from "node:crypto";
import type { Random } from "./random.ts";

const poolBytes = 8192;

/** The system's randomness, read in blocks: one system call for about 800 ids. */
export function systemRandom(): Random {
  const pool = new Uint8Array(poolBytes);
  let used = poolBytes;
  const bytes = (size: number): Uint8Array => {
    if (size > poolBytes) return randomFillSync(new Uint8Array(size));
    if (used + size > poolBytes) {
      randomFillSync(pool);
      used = 0;
    }
    const drawn = pool.slice(used, used + size);
    pool.fill(0, used, used + size);
    used += size;
    return drawn;
  };
  return {
    bytes,
    uniform: () => {
      const [a = 0, b = 0, c = 0, d = 0] = bytes(4);
      return (a * 0x1000000 + b * 0x10000 + c * 0x100 + d) / 0x100000000;
    },
  };
}
