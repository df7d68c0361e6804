import type { Random } from "../ports/random.ts";

/** How long the old secret of an address is accepted after a rotation. */
export const oldSecretForMs = 24 * 3_600_000;

/**
 * A new secret of a webhook trigger: 240 random bits as base64, which needs no padding. Its form is that of Standard
 * Webhooks, so that their libraries take it as it is.
 */
export function newInboundSecret(random: Pick<Random, "bytes">): string {
  return `whsec_${Buffer.from(random.bytes(30)).toString("base64")}`;
}
