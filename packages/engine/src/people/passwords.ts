import { scrypt, timingSafeEqual } from "node:crypto";
import type { Random } from "../ports/random.ts";

/** Cost of scrypt (RFC 7914). */
export interface ScryptCost {
  /** Binary logarithm of N. */
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** 32 MiB and three passes: as strong as 128 MiB and one pass, by the OWASP Password Storage Cheat Sheet. */
export const presentCost: ScryptCost = { ln: 15, r: 8, p: 3 };

const saltBytes = 16;
const hashBytes = 32;

/** Bounds of the stored costs, so that a damaged record cannot exhaust the process: at most 256 MiB. */
const maxBytes = 256 * 1024 * 1024;
const maxPasses = 16;

interface StoredPassword {
  readonly cost: ScryptCost;
  readonly salt: Uint8Array;
  readonly hash: Uint8Array;
}

const phcForm = /^\$scrypt\$ln=([1-9]\d?),r=([1-9]\d?),p=([1-9]\d?)\$([A-Za-z0-9+/]{11,86})\$([A-Za-z0-9+/]{22,86})$/;

/** Hashes a password with a new salt, as PHC text, which names the cost: `$scrypt$ln=15,r=8,p=3$salt$hash`. */
export async function hashPassword(password: string, random: Pick<Random, "bytes">): Promise<string> {
  const salt = random.bytes(saltBytes);
  return phcOf({ cost: presentCost, salt, hash: await derive(password, salt, presentCost, hashBytes) });
}

/**
 * Compares a password with a stored hash. Without a hash, or with a malformed one, it does the work of the present cost
 * all the same and answers `false`, so that the duration reveals no unknown e-mail address.
 */
export async function isPassword(password: string, phc: string | undefined): Promise<boolean> {
  const stored = phc === undefined ? undefined : readPhc(phc);
  if (stored === undefined) {
    await derive(password, new Uint8Array(saltBytes), presentCost, hashBytes);
    return false;
  }
  const hash = await derive(password, stored.salt, stored.cost, stored.hash.length);
  return timingSafeEqual(hash, stored.hash);
}

/** Whether a stored hash has another cost than new ones, so that the next sign-in replaces it. */
export function isOutdated(phc: string): boolean {
  const cost = readPhc(phc)?.cost;
  return cost?.ln !== presentCost.ln || cost.r !== presentCost.r || cost.p !== presentCost.p;
}

/** The parts of PHC text; `undefined` when it is malformed or its cost is out of bounds. */
function readPhc(phc: string): StoredPassword | undefined {
  const [, ln, r, p, salt, hash] = phcForm.exec(phc) ?? [];
  if (salt === undefined || hash === undefined) return undefined;
  const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
  if (memoryOf(cost) > maxBytes || cost.p > maxPasses) return undefined;
  return { cost, salt: Buffer.from(salt, "base64"), hash: Buffer.from(hash, "base64") };
}

/** PHC text has base64 without padding. */
export function phcOf({ cost: { ln, r, p }, salt, hash }: StoredPassword): string {
  const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64").replace(/=+$/, "");
  return `$scrypt$ln=${ln},r=${r},p=${p}$${text(salt)}$${text(hash)}`;
}

function memoryOf({ ln, r }: ScryptCost): number {
  return 128 * 2 ** ln * r;
}

/** Derives the key in a thread of its own. The password is composed (NFC), as keyboards differ in this. */
export function derive(password: string, salt: Uint8Array, cost: ScryptCost, size: number): Promise<Buffer> {
  const { ln, r, p } = cost;
  // Node also counts the blocks of each pass.
  const options = { N: 2 ** ln, r, p, maxmem: 2 * memoryOf(cost) + 128 * r * p };
  return new Promise((resolve, reject) => {
    scrypt(password.normalize("NFC"), salt, size, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
