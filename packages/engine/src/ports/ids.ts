import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";

/** Prefixes of the ids that the engine gives out. */
export type IdPrefix = "run" | "rev" | "dec" | "con" | "whk" | "evt" | "key" | "wrk" | "arc";

/** Makes ids: `run_` and 26 characters that sort by time, 80 bits of them random. */
export type Ids = (prefix: IdPrefix) => string;

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

export function createIds(clock: Clock, random: Random): Ids {
  return (prefix) => `${prefix}_${timePart(clock.now())}${randomPart(random.bytes(10))}`;
}

/** 48 bits of milliseconds as 10 characters. */
function timePart(nowMs: number): string {
  let rest = nowMs;
  let text = "";
  for (let place = 0; place < 10; place++) {
    text = alphabet.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** 80 bits as 16 characters, 5 bits each. */
function randomPart(bytes: Uint8Array): string {
  let text = "";
  let bits = 0;
  let held = 0;
  for (const byte of bytes) {
    held = (held << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet.charAt((held >> bits) & 31);
    }
    held &= 31;
  }
  return text;
}
