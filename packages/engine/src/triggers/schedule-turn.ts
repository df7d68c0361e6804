import type { DueSchedule, ScheduleAdvance, Storage } from "@procedo/storage";
import { account, accountForPause, type Accounted } from "../schedules/account.ts";
import { scheduleOf } from "../schedules/schedule.ts";
import { pausedAt } from "./new-trigger.ts";
import type { StoredTrigger, StoredTriggers } from "./stored-triggers.ts";

export interface ScheduleTurnPorts {
  readonly storage: Pick<Storage, "triggers">;
  readonly workspace: string;
  readonly triggers: Pick<StoredTriggers, "find">;
}

/** Schedules that are accounted for together. */
const maxSchedules = 100;

/** What remains after a turn. */
export interface ScheduleTurn {
  /** Whether more schedules are due already. */
  readonly hasMore: boolean;
  /** Milliseconds until the next one is due; `undefined` if none will be. */
  readonly nextInMs: number | undefined;
}

/** Accounts for the times of schedules that are due. */
export async function takeScheduleTurn({ storage, workspace, triggers }: ScheduleTurnPorts): Promise<ScheduleTurn> {
  const { schedules, nowMs, nextDueAtMs } = await storage.triggers.due({ workspace, limit: maxSchedules });
  const items: ScheduleAdvance[] = [];
  for (const due of schedules) {
    const trigger = await triggers.find({ environment: due.scope.environment, triggerId: due.triggerId });
    const accounted = trigger === undefined ? undefined : accountedFor(trigger, due, nowMs);
    if (accounted !== undefined) items.push(advanceOf(due, accounted));
  }
  if (items.length > 0) await storage.triggers.advance(items);
  const hasMore =
    items.length > 0 && (schedules.length === maxSchedules || items.some(({ next }) => isDue(next, nowMs)));
  return { hasMore, nextInMs: nextDueAtMs === undefined ? undefined : nextDueAtMs - nowMs };
}

/** Pure. `undefined` when nothing is to be written: the trigger has changed since. */
function accountedFor(
  { triggerId, revision, body }: StoredTrigger,
  due: DueSchedule,
  nowMs: number,
): Accounted | undefined {
  const { source, paused, resumedAtMs } = body;
  if (revision !== due.revision || source.kind !== "schedule") return undefined;
  if (paused !== undefined) return { firings: [], next: pausedAt(due.accountedAtMs) };
  const schedule = scheduleOf(source, triggerId);
  if (resumedAtMs !== undefined && resumedAtMs > due.accountedAtMs && resumedAtMs <= nowMs) {
    return accountForPause(schedule, due, resumedAtMs);
  }
  return account(schedule, due, nowMs);
}

function advanceOf(
  { scope, triggerId, revision, dueAtMs }: DueSchedule,
  { firings, next }: Accounted,
): ScheduleAdvance {
  return { scope, triggerId, revision, dueAtMs, firings, next };
}

function isDue({ dueAtMs }: ScheduleAdvance["next"], nowMs: number): boolean {
  return dueAtMs !== undefined && dueAtMs <= nowMs;
}
