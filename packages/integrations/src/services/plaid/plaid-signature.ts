import { createHash, createPublicKey, timingSafeEqual, verify } from "node:crypto";
import type { JsonValue } from "@procedo/contract";
import { signedAtMs, type InboundMessage } from "@procedo/engine";
import * as z from "zod";

/** The header of Plaid's signatures: a JSON Web Token of the body's digest. */
export const signatureHeader = "Plaid-Verification";

const tokenHeader = z.object({ alg: z.literal("ES256"), kid: z.uuid() });
const claims = z.object({ iat: z.int(), request_body_sha256: z.string() });
const publicKey = z.object({ kty: z.literal("EC"), crv: z.literal("P-256"), x: z.string(), y: z.string() });

/** The id of the key that a request says it is signed with; `undefined` without a token of Plaid's form. */
export function keyIdOf({ header }: Pick<InboundMessage, "header">): string | undefined {
  const token = tokenOf(header(signatureHeader));
  const parsed = tokenHeader.safeParse(token && readJson(token.header));
  return parsed.success ? parsed.data.kid : undefined;
}

/**
 * Whether a request was signed with that key of Plaid, at most five minutes ago.
 *
 * Source: https://plaid.com/docs/api/webhooks/webhook-verification/
 */
export function isSigned({ header, body, key, nowMs }: InboundMessage<unknown, unknown>): boolean {
  const token = tokenOf(header(signatureHeader));
  const jwk = publicKey.safeParse(key);
  if (token === undefined || !jwk.success) return false;
  const ecKey = createPublicKey({ key: jwk.data, format: "jwk" });
  const signed = Buffer.from(`${token.header}.${token.payload}`);
  if (!verify("sha256", signed, { key: ecKey, dsaEncoding: "ieee-p1363" }, token.signature)) return false;
  const parsed = claims.safeParse(readJson(token.payload));
  if (!parsed.success || signedAtMs(String(parsed.data.iat), nowMs) === undefined) return false;
  const digest = Buffer.from(createHash("sha256").update(body).digest("hex"));
  const given = Buffer.from(parsed.data.request_body_sha256);
  return given.length === digest.length && timingSafeEqual(given, digest);
}

interface Token {
  readonly header: string;
  readonly payload: string;
  readonly signature: Buffer;
}

/** The parts of a token in the compact form (RFC 7515, section 7.1), written as its signer writes them. */
function tokenOf([text, ...more]: readonly string[]): Token | undefined {
  const [header, payload, signature, ...rest] = text?.split(".") ?? [];
  if (header === undefined || payload === undefined || signature === undefined) return undefined;
  if (more.length + rest.length > 0) return undefined;
  const bytes = Buffer.from(signature, "base64url");
  // Buffer.from leaves out characters that are not of the encoding.
  return bytes.toString("base64url") === signature ? { header, payload, signature: bytes } : undefined;
}

function readJson(part: string): JsonValue | undefined {
  try {
    return JSON.parse(Buffer.from(part, "base64url").toString()) as JsonValue;
  } catch {
    return undefined;
  }
}
