import { hash } from "node:crypto";
import { privateConnectionTokenPrefixes, type Environment } from "@procedo/contract";
import type { Random } from "../../ports/random.ts";

const form = /^run_(?:sandbox|live)_[A-Za-z0-9_-]{43}$/;

/** A token of 256 random bits. */
export function newToken(environment: Environment, random: Pick<Random, "bytes">): string {
  return privateConnectionTokenPrefixes[environment] + Buffer.from(random.bytes(32)).toString("base64url");
}

/** Whether a text has the form of a token. The form is no secret. */
export function hasFormOfToken(text: string): boolean {
  return form.test(text);
}

/** SHA-256 as base64url, which is stored and looked up instead of the token. */
export function digestOfToken(token: string): string {
  return hash("sha256", token, "base64url");
}
