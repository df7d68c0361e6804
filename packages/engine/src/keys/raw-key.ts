import { hash } from "node:crypto";
import { apiKeyPrefixes, type Environment } from "@procedo/contract";
import type { Random } from "../ports/random.ts";

const rawKey = /^rsk_(?:sandbox|live)_[A-Za-z0-9_-]{43}$/;

/** A key of 256 random bits. */
export function newRawKey(environment: Environment, random: Random): string {
  return apiKeyPrefixes[environment] + Buffer.from(random.bytes(32)).toString("base64url");
}

/** Whether it has the form that every key has; the form is no secret. */
export function hasFormOfKey(text: string): boolean {
  return rawKey.test(text);
}

/**
 * SHA-256, base64url: what is stored and looked up. A fast hash is enough for 256 random bits, and how long looking it up
 * takes tells at most a part of a hash, from which no key can be found.
 */
export function digestOfKey(key: string): string {
  return hash("sha256", key, "base64url");
}
