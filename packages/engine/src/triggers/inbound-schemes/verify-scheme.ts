import type { InboundAuthentication } from "@procedo/contract";
import { isBasic } from "./basic.ts";
import { hmacTime } from "./hmac.ts";
import type { SchemeRequest, Verified } from "./scheme-request.ts";
import { standardWebhooksTime } from "./standard-webhooks.ts";
import { isToken } from "./token.ts";

/*
 * The schemes by which requests to a webhook trigger prove their origin. Pure.
 *
 *   verify-scheme.ts      verifies a request by the scheme of its trigger; scheme-request.ts: the parts that it reads
 *   hmac.ts, token.ts, basic.ts, standard-webhooks.ts
 *                         one scheme each
 *   same-text.ts          compares texts in constant time
 */

/**
 * Verifies a request.
 *
 * @param secrets the accepted ones. Each is tried, so that the time of the answer does not tell which one was used
 * @returns `undefined` when the request did not prove its origin
 */
export function verifyScheme(
  scheme: InboundAuthentication,
  request: SchemeRequest,
  secrets: readonly string[],
): Verified | undefined {
  const [verified] = secrets
    .map((secret) => verifyBy(scheme, request, secret))
    .filter((one): one is Verified => one !== undefined);
  return verified;
}

function verifyBy(scheme: InboundAuthentication, request: SchemeRequest, secret: string): Verified | undefined {
  switch (scheme.scheme) {
    case "hmac":
      return hmacTime(scheme, request, secret);
    case "token":
      return isToken(scheme, request, secret) ? { signedAtMs: undefined } : undefined;
    case "basic":
      return isBasic(request, secret) ? { signedAtMs: undefined } : undefined;
    case "standard_webhooks":
      return standardWebhooksTime(request, secret);
  }
}

/** The headers that carry a proof or a credential. They are not stored with the event. */
export function proofHeaders(scheme: InboundAuthentication): readonly string[] {
  switch (scheme.scheme) {
    case "hmac":
    case "token":
      return [scheme.header.toLowerCase()];
    case "standard_webhooks":
      return ["webhook-signature"];
    case "basic":
      return [];
  }
}
