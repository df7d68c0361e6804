import { hash } from "node:crypto";
import { apiKeyPrefixes, type Environment } from "@procedo/contract";
import type { Random } from "../ports/random.ts";

const rawKey = /^rsk_(?:sandbox|live)_[A-Za-z0-9_-]{43}$/;

/** A key of 256 random bits. */
export function newRawKey(environment: Environment, random: Random): string {
  return apiKeyPrefixes[environment] + Buffer.from(random.bytes(32)).toString("base64url");
}

/** Whether a text has the form of a key. The form is no secret. */
export function hasFormOfKey(text: string): boolean {
  return rawKey.test(text);
}

/**
 * SHA-256 as base64url, which is stored and looked up instead of the key. A fast hash is sufficient for 256 random
 * bits. The duration of a lookup reveals at most a part of a digest, from which no key can be derived.
 */
export function digestOfKey(key: string): string {
  return hash("sha256", key, "base64url");
}
