import { createHmac } from "node:crypto";

/** The header with the time and the signatures of a request. */
export const signatureHeader = "Ledger-Signature";

/**
 * The value of {@link signatureHeader}: `t=<seconds>,v1=<hex>`, with one `v1` for each secret. A signature is the
 * HMAC-SHA256 of `<seconds>.<body>`, so a receiver can refuse an old request that is sent again.
 */
export function signEvent(request: {
  readonly body: string;
  readonly secrets: readonly string[];
  readonly now: Date;
}): string {
  const seconds = Math.floor(request.now.getTime() / 1000);
  const signatures = request.secrets.map((secret) => {
    return `v1=${createHmac("sha256", secret).update(`${seconds}.${request.body}`).digest("hex")}`;
  });
  return [`t=${seconds}`, ...signatures].join(",");
}
