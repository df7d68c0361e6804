import { createHmac, timingSafeEqual } from "node:crypto";

/** How a signature was made and written. */
export interface SignatureForm {
  /** The key: text in UTF-8, or bytes. */
  readonly secret: string | Uint8Array;
  /** The hash function of the HMAC. @defaultValue "sha256" */
  readonly algorithm?: "sha256" | "sha512" | "sha1";
  /** How its bytes are written. @defaultValue "hex", in either case */
  readonly encoding?: "hex" | "base64";
}

/**
 * Whether a text is the signature of a message: its HMAC (RFC 2104). Compares in constant time. A text in another form
 * than the whole signature is none: shortened, with a character that is not of its encoding, or without its padding.
 *
 * @param message the signed bytes, in parts
 */
export function isSignature(text: string, message: readonly (string | Uint8Array)[], form: SignatureForm): boolean {
  const { secret, algorithm = "sha256", encoding = "hex" } = form;
  const hmac = createHmac(algorithm, secret);
  for (const part of message) hmac.update(part);
  const expected = hmac.digest();
  const given = Buffer.from(text, encoding);
  // Buffer.from leaves out or stops at characters that are not of the encoding.
  const isWhole = given.toString(encoding) === (encoding === "hex" ? text.toLowerCase() : text);
  return isWhole && given.length === expected.length && timingSafeEqual(given, expected);
}

/** How far the time of a signature may be from the present one, in either direction. */
const toleranceMs = 5 * 60_000;

/**
 * The time of a signature, in milliseconds since the epoch; `undefined` unless the text is a number of seconds within
 * five minutes of the present time, before or after it.
 */
export function signedAtMs(seconds: string, nowMs: number): number | undefined {
  if (!/^\d{1,12}$/.test(seconds)) return undefined;
  const ms = Number(seconds) * 1_000;
  return Math.abs(nowMs - ms) <= toleranceMs ? ms : undefined;
}
