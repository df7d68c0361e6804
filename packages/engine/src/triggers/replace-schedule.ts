import type { ScheduleSource, TriggerSource } from "@procedo/contract";
import type { Storage, TriggerGate } from "@procedo/storage";
import { scheduleOf } from "../schedules/schedule.ts";
import { pausedAt, scheduleFrom } from "./new-trigger.ts";
import { accountFor } from "./schedule-turn.ts";
import type { StoredTrigger } from "./stored-triggers.ts";

export interface ReplacePorts {
  readonly storage: Pick<Storage, "triggers">;
  readonly workspace: string;
}

/**
 * The place in time of a schedule after a change, to be stored with it.
 *
 * The times up to now belong to the schedule before. They are accounted for by its own rules first, so that none is
 * lost; one that its spread delays fires now. The times after now belong to the changed schedule. When both have the
 * same times, the place stays.
 */
export async function replacedSchedule(
  ports: ReplacePorts,
  before: StoredTrigger,
  source: TriggerSource,
): Promise<TriggerGate["schedule"]> {
  const { triggerId, body } = before;
  if (source.kind !== "schedule" || body.source.kind !== "schedule") return "kept";
  const nowMs = await storageTime(ports);
  if (haveSameTimes(source, body.source)) {
    if (body.paused !== undefined) return "kept";
    const accountedAtMs = await accountUntil(ports, before, nowMs);
    // Due at once: the pump finds the due time by the changed spread.
    return accountedAtMs === undefined ? "kept" : { accountedAtMs, dueAtMs: nowMs };
  }
  if (isReadable(body.source)) await accountUntil(ports, endedAt(before, body.source, nowMs), nowMs);
  return body.paused === undefined ? scheduleFrom(source, triggerId, nowMs) : pausedAt(nowMs);
}

/** The time of storage's clock, by which schedules fire, in milliseconds since the epoch. */
export async function storageTime({ storage, workspace }: ReplacePorts): Promise<number> {
  return (await storage.triggers.due({ workspace, limit: 1 })).nowMs;
}

/**
 * Accounts for the times of a schedule up to now, as the pump does.
 *
 * @returns the moment up to which they are accounted for; `undefined` when the trigger was changed or removed meanwhile
 */
async function accountUntil(
  { storage, workspace }: ReplacePorts,
  trigger: StoredTrigger,
  nowMs: number,
): Promise<number | undefined> {
  const { triggerId, environment, revision } = trigger;
  const scope = { workspace, environment };
  // The pump of a node may account for them at the same time. An answer that stays stale is that of another revision.
  for (let stale = 0; stale < maxStale;) {
    const [state] = await storage.triggers.states({ scope, triggerIds: [triggerId] });
    if (state?.schedule === undefined) return undefined;
    const accounted = accountFor(trigger, state.schedule, nowMs);
    if (accounted === undefined) return state.schedule.accountedAtMs;
    const { dueAtMs } = state.schedule;
    const [result] = await storage.triggers.advance([{ scope, triggerId, revision, dueAtMs, ...accounted }]);
    if (result === "stale") stale++;
  }
  return undefined;
}

const maxStale = 5;

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

/** Whether this node knows the zone and reads the expression. The times of another schedule cannot be told here. */
function isReadable(source: ScheduleSource): boolean {
  try {
    scheduleOf(source, undefined);
    return true;
  } catch {
    return false;
  }
}
