import { hash } from "node:crypto";
import type { Random } from "../ports/random.ts";

/** A key or token of 256 random bits after its prefix. */
export function newRawToken(prefix: string, random: Pick<Random, "bytes">): string {
  return prefix + Buffer.from(random.bytes(32)).toString("base64url");
}

/** Whether a text has the form of a key or token with this prefix. The form is no secret. */
export function hasFormOfToken(prefix: string, text: string): boolean {
  return text.startsWith(prefix) && /^[A-Za-z0-9_-]{43}$/.test(text.slice(prefix.length));
}

/**
 * SHA-256 as base64url, which is stored and looked up instead of the key or token. A fast hash is sufficient for 256
 * random bits. The duration of a lookup reveals at most a part of a digest, from which no key can be derived.
 */
export function digestOf(token: string): string {
  return hash("sha256", token, "base64url");
}
