import { createHash } from "node:crypto";
import type { ScheduledFiring } from "./triggers.ts";

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

/**
 * The dedupe key of a schedule's firing. Skipped times have a key of another form than the time that they end with: a
 * backfill may still fire that time.
 */
export function scheduledDedupeKey({ scheduledAtMs, skipped }: ScheduledFiring): string {
  return `${skipped?.reason ?? "schedule"} ${scheduledAtMs}`;
}

/**
 * The dedupe key of the firings of a stored event, for adapters. The time of its arrival belongs to it: after its
 * `dedupeForMs`, the same event is stored again, and fires again.
 */
export function eventDedupeKey(source: string, dedupeKey: string, receivedAtMs: number): string {
  return JSON.stringify(["event", source, dedupeKey, receivedAtMs]);
}
