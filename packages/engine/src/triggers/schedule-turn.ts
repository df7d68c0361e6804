import type { DueSchedule, ScheduleAdvance, ScheduleState, Storage } from "@procedo/storage";
import { account, skipUntil, type Accounted } from "../schedules/account.ts";
import { scheduleOf } from "../schedules/schedule.ts";
import { pausedAt } from "./new-trigger.ts";
import type { StoredTrigger, StoredTriggers } from "./stored-triggers.ts";
import type { UnreadableSchedules } from "./unreadable-schedules.ts";

export interface ScheduleTurnPorts {
  readonly storage: Pick<Storage, "triggers">;
  readonly workspace: string;
  readonly triggers: Pick<StoredTriggers, "find">;
  readonly unreadable: UnreadableSchedules;
}

/** Schedules that are accounted for together, beside those that this node cannot read and that therefore stay due. */
const maxSchedules = 100;

const dayMs = 86_400_000;
/** The age of a time that is looked at while servers run. */
const presentMs = 60_000;

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
export async function takeScheduleTurn(ports: ScheduleTurnPorts): Promise<ScheduleTurn> {
  const { storage, workspace, triggers, unreadable } = ports;
  const limit = maxSchedules + unreadable.count();
  const { schedules, nowMs, nextDueAtMs } = await storage.triggers.due({ workspace, limit });
  const items: ScheduleAdvance[] = [];
  for (const due of schedules) {
    const trigger = await triggers.find({ environment: due.scope.environment, triggerId: due.triggerId });
    const isCurrent = trigger?.revision === due.revision;
    const accounted = isCurrent ? unreadable.orUndefined(trigger, () => accountFor(trigger, due, nowMs)) : undefined;
    if (accounted !== undefined) items.push(advanceOf(due, accounted));
  }
  if (items.length > 0) await storage.triggers.advance(items);
  // Without progress, the next turn would meet the same schedules.
  const hasProgress = items.length > 0 || maxSchedules + unreadable.count() > limit;
  const hasMore = hasProgress && (schedules.length === limit || items.some(({ next }) => isDue(next, nowMs)));
  return { nowMs, hasMore, nextInMs: nextDueAtMs === undefined ? undefined : nextDueAtMs - nowMs };
}

/**
 * The times of a trigger's schedule that are due. Pure. `undefined` when its state is right, or it has no schedule.
 *
 * @throws Error for a schedule that this node cannot read
 */
export function accountFor(
  { triggerId, body }: StoredTrigger,
  state: ScheduleState,
  nowMs: number,
): Accounted | undefined {
  const { source, paused, resumedAtMs, restoredAtMs = -Infinity } = body;
  if (source.kind !== "schedule") return undefined;
  if (paused !== undefined) return { firings: [], next: pausedAt(state.accountedAtMs) };
  const schedule = scheduleOf(source, triggerId);
  if (resumedAtMs !== undefined && resumedAtMs > state.accountedAtMs && resumedAtMs <= nowMs) {
    return skipUntil(schedule, state, "paused", resumedAtMs);
  }
  const restoredUntilMs = restoredUntil(restoredAtMs, nowMs);
  const skipped =
    restoredUntilMs > state.accountedAtMs ? skipUntil(schedule, state, "restored", restoredUntilMs) : undefined;
  return skipped !== undefined && skipped.firings.length > 0 ? skipped : account(schedule, state, nowMs);
}

/**
 * The time up to which a schedule's times belong to the original of a restored copy, also by a clock that is behind that
 * of the restore. One that was more than a day ahead at the restore must silence no schedule: present times then fire.
 */
function restoredUntil(restoredAtMs: number, nowMs: number): number {
  return Math.min(restoredAtMs, restoredAtMs > nowMs + dayMs ? nowMs - presentMs : nowMs);
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
