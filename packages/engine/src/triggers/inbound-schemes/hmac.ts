import type { InboundAuthentication } from "@procedo/contract";
import { isSignature, signedAtMs } from "../../integrations/signatures.ts";
import { onlyLine, type SchemeRequest, type Verified } from "./scheme-request.ts";

type Hmac = Extract<InboundAuthentication, { readonly scheme: "hmac" }>;

/** A signature over the body, or over `<time>.<body>` with a time header. The key is the secret's text. */
export function hmacTime(scheme: Hmac, request: SchemeRequest, secret: string): Verified | undefined {
  const { header, prefix, algorithm, encoding, timestampHeader } = scheme;
  const signature = onlyLine(request, header);
  if (signature?.startsWith(prefix) !== true) return undefined;
  const form = { secret, algorithm, encoding };
  if (timestampHeader === null) {
    return isSignature(signature.slice(prefix.length), [request.body], form) ? { signedAtMs: undefined } : undefined;
  }
  const seconds = onlyLine(request, timestampHeader) ?? "";
  const isSigned = isSignature(signature.slice(prefix.length), [`${seconds}.`, request.body], form);
  const atMs = signedAtMs(seconds, request.nowMs);
  return isSigned && atMs !== undefined ? { signedAtMs: atMs } : undefined;
}
