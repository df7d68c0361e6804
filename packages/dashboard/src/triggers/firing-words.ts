/* How firings went, in words. */
import type { Firing } from "../api/models.ts";

type Reason = NonNullable<Firing["reason"]>;

export const firingStatuses = [
  "pending",
  "waiting",
  "started",
  "skipped",
  "failed",
] as const satisfies readonly Firing["status"][];

export const firingStatusWords: Readonly<Record<Firing["status"], string>> = {
  pending: "Starting",
  waiting: "Waiting",
  started: "Run started",
  skipped: "Skipped",
  failed: "Failed",
};

const reasons: Readonly<Record<Reason, string>> = {
  filtered: "The condition was not met.",
  overlap: "A run of this trigger was still open.",
  superseded: "A newer occurrence took its place while it waited.",
  missed: "The service was not running at this time.",
  too_old: "The event happened too long ago to be told from a repetition.",
  paused: "The trigger was paused.",
  deleted: "The trigger was deleted before the run started.",
  restored: "The database was restored from a copy, and its original may have started this run.",
  mapping_failed: "The input of the run could not be made.",
  input_invalid: "The procedure does not accept the input.",
  procedure_not_found: "The procedure does not exist.",
  version_not_found: "The procedure has no such version.",
  permission_denied: "The person for whom its runs start may not start runs any more.",
  chain_too_deep: "Too many procedures started each other in a row.",
  start_failed: "The service could not start the run for a day.",
};

/** Why a firing started no run, or none yet; `undefined` for one that started its run. */
export function firingReason({
  status,
  reason,
  count,
}: Pick<Firing, "status" | "reason" | "count">): string | undefined {
  if (reason !== undefined) {
    return count === 1 ? reasons[reason] : `${reasons[reason]} It stands for ${count.toLocaleString("en-GB")} times.`;
  }
  if (status === "pending") return "Its run starts soon.";
  return status === "waiting" ? "It waits for an open run, or until the trigger is resumed." : undefined;
}

/** Whether the event of a firing may be fired again without a doubt: it started no run, and its trigger is there. */
export function mayRefire({ status, reason }: Pick<Firing, "status" | "reason">): boolean {
  return (status === "skipped" || status === "failed") && reason !== "deleted";
}

/** The event of a firing. A request without an id of its own is known by a digest, which tells a person nothing. */
export function firingEvent({ type, id }: NonNullable<Firing["event"]>): {
  readonly type: string;
  readonly id: string | undefined;
} {
  return { type: type === "webhook" ? "Request" : type, id: /^[0-9a-f]{64}$/.test(id) ? undefined : id };
}
