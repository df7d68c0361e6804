import { createHash } from "node:crypto";

/**
 * The id of the firing of one trigger with this dedupe key, for adapters. It is derived from both, so that storing the
 * same occurrence twice cannot create a second firing.
 */
export function firingIdOf(triggerId: string, dedupeKey: string): string {
  const digest = createHash("sha256")
    .update(JSON.stringify([triggerId, dedupeKey]))
    .digest("hex");
  return `fir_${digest.slice(0, 32)}`;
}
