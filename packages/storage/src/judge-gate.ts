import { ProcedoError } from "@procedo/contract";
import type { NewRecord } from "./records.ts";
import type { TriggerGate } from "./triggers.ts";

/** How many firings of a trigger are under way. */
export interface GateLoad {
  /** Firings under a lease that has not ended. */
  readonly leased: number;
  /** Firings whose run has not ended. */
  readonly open: number;
}

/** What becomes of the pending and waiting firings of a trigger that no person asked for. */
export type GateVerdict =
  /** This many of those that are due are claimed, the oldest first. The others are `waiting`. */
  | { readonly kind: "some"; readonly most: number }
  /** The oldest is claimed once it is due. The others stay as they are. */
  | { readonly kind: "oldest" }
  /** The older ones are superseded. The newest is claimed once it is due if it `passes`, and is `waiting` otherwise. */
  | { readonly kind: "newest"; readonly passes: boolean }
  /** All stay as they are. */
  | { readonly kind: "none" }
  /** All are skipped for `overlap`. */
  | { readonly kind: "skip" };

/** The rule of `triggers.claim` for one trigger, for adapters. */
export function judgeGate(
  { overlap, maxOpenRuns = Infinity, isHeld }: Omit<TriggerGate, "schedule">,
  { leased, open }: GateLoad,
): GateVerdict {
  if (isHeld) return { kind: "some", most: 0 };
  if (overlap === "allow") return { kind: "some", most: Math.max(0, maxOpenRuns - leased - open) };
  if (leased > 0) return { kind: "none" };
  if (overlap === "queue_one") return { kind: "newest", passes: open === 0 };
  if (open === 0) return { kind: "oldest" };
  return overlap === "skip" ? { kind: "skip" } : { kind: "some", most: 0 };
}

/**
 * Refuses a record of kind `trigger` without a gate or environment, and a gate of another record. For adapters.
 *
 * @throws ProcedoError `internal`
 */
export function assertGate({ kind, id, environment, trigger }: NewRecord): void {
  const isTrigger = kind === "trigger";
  if (isTrigger === (trigger !== undefined) && (!isTrigger || environment !== undefined)) return;
  const message = `Record "${id}" of kind "${kind}": a trigger, and no other record, has a gate and an environment.`;
  throw new ProcedoError("internal", message);
}
