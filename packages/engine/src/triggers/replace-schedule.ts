import type { ScheduleSource, TriggerSource } from "@procedo/contract";
import type { TriggerGate } from "@procedo/storage";
import { accountUntil, isReadable, type AccountPorts } from "./account-until.ts";
import { pausedAt, scheduleFrom } from "./new-trigger.ts";
import type { StoredTrigger } from "./stored-triggers.ts";

/**
 * The place in time of a schedule after a change, to be stored with it.
 *
 * The times up to now belong to the schedule before. They are accounted for by its own rules first, so that none is
 * lost; one that its spread delays fires now. The times after now belong to the changed schedule. When both have the
 * same times, the place stays.
 *
 * @param nowMs by storage's clock
 */
export async function replacedSchedule(
  ports: AccountPorts,
  before: StoredTrigger,
  source: TriggerSource,
  nowMs: number,
): Promise<TriggerGate["schedule"]> {
  const { triggerId, body } = before;
  if (source.kind !== "schedule" || body.source.kind !== "schedule") return "kept";
  if (haveSameTimes(source, body.source)) {
    if (body.paused !== undefined) return "kept";
    const accounted = await accountUntil(ports, before, nowMs);
    // Due at once: the pump finds the due time by the changed spread.
    return accounted === undefined ? "kept" : { accountedAtMs: accounted.untilMs, dueAtMs: nowMs };
  }
  if (isReadable(body.source)) await accountUntil(ports, endedAt(before, body.source, nowMs), nowMs);
  return body.paused === undefined ? scheduleFrom(source, triggerId, nowMs) : pausedAt(nowMs);
}

/** A trigger whose schedule fires all its times up to now. Those of a pause are counted as if it ended now. */
function endedAt(trigger: StoredTrigger, source: ScheduleSource, nowMs: number): StoredTrigger {
  const { paused, ...body } = trigger.body;
  return {
    ...trigger,
    body: { ...body, source: { ...source, spread: "PT0S" }, ...(paused !== undefined && { resumedAtMs: nowMs }) },
  };
}

function haveSameTimes(one: ScheduleSource, other: ScheduleSource): boolean {
  return (["cron", "timeZone", "startsAt", "endsAt"] as const).every((field) => one[field] === other[field]);
}
