import type { ScheduleSource } from "@procedo/contract";
import type { ScheduledFiring, Storage } from "@procedo/storage";
import { scheduleOf } from "../schedules/schedule.ts";
import { accountFor } from "./schedule-turn.ts";
import type { StoredTrigger } from "./stored-triggers.ts";

export interface AccountPorts {
  readonly storage: Pick<Storage, "triggers">;
  readonly workspace: string;
}

/** The times of a schedule that are accounted for. */
export interface AccountedTimes {
  /** The moment up to which they are. */
  readonly untilMs: number;
  /** Their firings, as far as this call stored them. */
  readonly firings: readonly ScheduledFiring[];
}

/**
 * Accounts for the times up to now of a schedule that is not paused, as the pump does.
 *
 * @returns `undefined` when the trigger was changed or removed meanwhile
 */
export async function accountUntil(
  { storage, workspace }: AccountPorts,
  trigger: StoredTrigger,
  nowMs: number,
): Promise<AccountedTimes | undefined> {
  const { triggerId, environment, revision } = trigger;
  const scope = { workspace, environment };
  const firings: ScheduledFiring[] = [];
  // The pump of a node may account for them at the same time. An answer that stays stale is that of another revision.
  for (let stale = 0; stale < maxStale;) {
    const [state] = await storage.triggers.states({ scope, triggerIds: [triggerId] });
    if (state?.schedule === undefined) return undefined;
    const accounted = accountFor(trigger, state.schedule, nowMs);
    if (accounted === undefined) return { untilMs: state.schedule.accountedAtMs, firings };
    const { dueAtMs } = state.schedule;
    const [result] = await storage.triggers.advance([{ scope, triggerId, revision, dueAtMs, ...accounted }]);
    if (result === "stale") stale++;
    else firings.push(...accounted.firings);
  }
  return undefined;
}

const maxStale = 5;

/** Whether this node knows the zone and reads the expression. The times of another schedule cannot be told here. */
export function isReadable(source: ScheduleSource): boolean {
  try {
    scheduleOf(source, undefined);
    return true;
  } catch {
    return false;
  }
}
