import type { FrozenCall, Intent, Outcome } from "@procedo/procedure";

/** What the entries before an entry have said, as far as it leaves that out. */
export interface SaidBefore {
  /** Time of the entry before, of a row's first entry the one that the row begins with. */
  readonly atMs: number;
  /** The call that was about to be made last. */
  readonly intent: Intent | undefined;
}

export const usualSendWindowMs = 5_000;
export const usualTimeoutMs = 60_000;

/** Whether an outcome is that of the call which was about to be made last, as nearly all are. */
export function isOfIntent({ nodeId, visit, call, attempt }: Outcome, intent: Intent | undefined): boolean {
  return (
    intent !== undefined &&
    intent.nodeId === nodeId &&
    intent.visit === visit &&
    intent.call === call &&
    intent.attempt === attempt
  );
}

export function isSameConnection(one: FrozenCall, other: FrozenCall | undefined): boolean {
  return other !== undefined && one.connectionId === other.connectionId && one.connection === other.connection;
}

/** Of one connection or of two: the revision tells what the action was, but for how long it may be repeated. */
export function isSameAction(one: FrozenCall, other: FrozenCall | undefined): boolean {
  return (
    other !== undefined &&
    one.action === other.action &&
    one.revision === other.revision &&
    one.idempotencyKeyTtlMs === other.idempotencyKeyTtlMs
  );
}
