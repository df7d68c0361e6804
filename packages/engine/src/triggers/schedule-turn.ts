import type { DueSchedule, ScheduleAdvance, ScheduleState, Storage } from "@procedo/storage";
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
  /** The time of storage's clock. */
  readonly nowMs: number;
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
    const isCurrent = trigger?.revision === due.revision;
    const accounted = isCurrent ? accountFor(trigger, due, nowMs) : undefined;
    if (accounted !== undefined) items.push(advanceOf(due, accounted));
  }
  if (items.length > 0) await storage.triggers.advance(items);
  const hasMore =
    items.length > 0 && (schedules.length === maxSchedules || items.some(({ next }) => isDue(next, nowMs)));
  return { nowMs, hasMore, nextInMs: nextDueAtMs === undefined ? undefined : nextDueAtMs - nowMs };
}

/** The times of a trigger's schedule that are due. Pure. `undefined` when its state is right, or it has no schedule. */
export function accountFor(
  { triggerId, body }: StoredTrigger,
  state: ScheduleState,
  nowMs: number,
): Accounted | undefined {
  const { source, paused, resumedAtMs } = body;
  if (source.kind !== "schedule") return undefined;
  if (paused !== undefined) return { firings: [], next: pausedAt(state.accountedAtMs) };
  const schedule = scheduleOf(source, triggerId);
  if (resumedAtMs !== undefined && resumedAtMs > state.accountedAtMs && resumedAtMs <= nowMs) {
    return accountForPause(schedule, state, resumedAtMs);
  }
  return account(schedule, state, nowMs);
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
