import { isSignature, signedAtMs } from "../../integrations/signatures.ts";
import { onlyLine, type SchemeRequest, type Verified } from "./scheme-request.ts";

/**
 * Standard Webhooks (standardwebhooks.com): one of the signatures in the header covers the id, the time and the body. The
 * key is the secret without its prefix, decoded from base64.
 */
export function standardWebhooksTime(request: SchemeRequest, secret: string): Verified | undefined {
  const id = onlyLine(request, "webhook-id");
  const seconds = onlyLine(request, "webhook-timestamp") ?? "";
  const signatures = onlyLine(request, "webhook-signature")?.split(" ") ?? [];
  if (id === undefined || id === "") return undefined;
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const message = [`${id}.${seconds}.`, request.body];
  const matches = signatures.slice(0, maxSignatures).map((signature) => {
    const [version, ...rest] = signature.split(",");
    return version === "v1" && isSignature(rest.join(","), message, { secret: key, encoding: "base64" });
  });
  const atMs = signedAtMs(seconds, request.nowMs);
  return matches.includes(true) && atMs !== undefined ? { signedAtMs: atMs } : undefined;
}

/** A service that rotates its secrets sends one signature for each. */
const maxSignatures = 10;
