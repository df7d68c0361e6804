import type { Random } from "../ports/random.ts";
import type { InboundSecret, TriggerSecrets } from "./trigger-record.ts";

/** How long a secret is accepted after it was replaced. */
export const oldSecretForMs = 24 * 3_600_000;
/** Each accepted secret costs a hash of every request. */
const maxOldSecrets = 5;

/** Replaces the present secret, which is accepted for 24 hours more, unless five others are replaced after it. */
export function replacedSecret(
  secrets: Pick<TriggerSecrets, "seal" | "sealOld" | "open">,
  before: InboundSecret,
  secret: string,
  nowMs: number,
): InboundSecret {
  const [{ secret: replaced } = { secret: "" }] = secrets.open(before);
  const newest = { secret: secrets.sealOld(replaced), expiresAtMs: nowMs + oldSecretForMs };
  const older = (before.oldSecrets ?? []).filter(({ expiresAtMs }) => expiresAtMs > nowMs);
  return { ...before, secret: secrets.seal(secret), oldSecrets: [newest, ...older].slice(0, maxOldSecrets) };
}

/**
 * A new secret of a webhook trigger: 240 random bits as base64, which needs no padding. Its form is that of Standard
 * Webhooks, so that their libraries take it as it is.
 */
export function newInboundSecret(random: Pick<Random, "bytes">): string {
  return `whsec_${Buffer.from(random.bytes(30)).toString("base64")}`;
}
