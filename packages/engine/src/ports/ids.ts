import type { Clock } from "./clock.ts";
import type { Random } from "./random.ts";

/** Prefixes of the ids that the engine creates. */
export type IdPrefix = "run" | "rev" | "dec" | "con" | "whk" | "trg" | "evt" | "key" | "per" | "ssn" | "wrk" | "arc";

/** Creates ids: the prefix, `_`, and 26 characters that sort by time, 80 bits of them random. */
export type Ids = (prefix: IdPrefix) => string;

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

const timeChars = 10;
const randomChars = 16;
const randomBytes = 10;

export function createIds(clock: Clock, random: Random): Ids {
  // Built from bytes: V8 represents a string that is concatenated character by character as a tree until it is read.
  const codes = Buffer.from(alphabet, "latin1");
  const text = Buffer.alloc(timeChars + randomChars);

  /** Writes 48 bits of milliseconds. */
  const writeTime = (nowMs: number): void => {
    let rest = Math.floor(nowMs);
    for (let place = timeChars - 1; place >= 0; place--) {
      text[place] = codes[rest & 31] ?? 0;
      rest = Math.floor(rest / 32);
    }
  };

  /** Writes 80 bits, 5 per character. */
  const writeRandom = (bytes: Uint8Array): void => {
    if (bytes.length !== randomBytes)
      throw new Error(`${bytes.length} random bytes were returned, and ${randomBytes} were requested.`);
    let place = timeChars;
    let bits = 0;
    let held = 0;
    for (const byte of bytes) {
      held = (held << 8) | byte;
      bits += 8;
      while (bits >= 5) {
        bits -= 5;
        text[place++] = codes[(held >> bits) & 31] ?? 0;
      }
      held &= 31;
    }
  };

  return (prefix) => {
    writeTime(clock.now());
    writeRandom(random.bytes(randomBytes));
    return `${prefix}_${text.toString("latin1")}`;
  };
}
