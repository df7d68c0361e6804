import { WebhookError } from "./webhook-error.ts";

/** Header that carries the signature by the webhook's secret. Header names have no case. */
export const signatureHeader = "X-Service-Signature";

/** Header that carries, for 24 hours after a rotation that keeps the old secret, the signature by that one. */
export const oldSignatureHeader = "X-Service-Signature-Old";

/** A header's value as servers hand it over: Node gives `string | string[] | undefined`, `Headers` gives `string | null`. */
export type SignatureHeaderValue = string | readonly string[] | null | undefined;

/**
 * Why a header's value cannot be a signature. Exact: lower-case hex only, as it is sent, and nothing before or after,
 * since decoders of hex and base64 skip characters that they do not know.
 */
export function signatureFault(value: unknown): "missing_signature" | "malformed_signature" | undefined {
  if (value === undefined || value === null || value === "") return "missing_signature";
  return typeof value === "string" && value.length === 71 && /^sha256=[0-9a-f]{64}$/.test(value)
    ? undefined
    : "malformed_signature";
}

/** The hex digits of the headers' values; values with a fault give none. */
export function hexDigests(...values: readonly SignatureHeaderValue[]): readonly string[] {
  return values
    .filter((value): value is string => signatureFault(value) === undefined)
    .map((value) => value.slice("sha256=".length));
}

const reasons = {
  missing_signature: `The request has no ${signatureHeader} header.`,
  malformed_signature:
    `The signature is not "sha256=" and 64 lower-case hex digits. ` +
    `Servers join a header that was sent twice by a comma; such a request is refused.`,
  wrong_signature:
    "The signature is not of this body by this secret. " +
    "Likely causes: the secret is of another webhook or was rotated, or something parsed and rewrote the body.",
} as const;

export function refused(code: keyof typeof reasons): WebhookError {
  return new WebhookError(code, reasons[code]);
}
