import { environments } from "@procedo/contract";
import type { ScheduleAdvance, Storage } from "@procedo/storage";
import type { Clock } from "../ports/clock.ts";
import { accountFor } from "./schedule-turn.ts";
import type { StoredTrigger, StoredTriggers } from "./stored-triggers.ts";
import type { UnreadableSchedules } from "./unreadable-schedules.ts";

export interface ReviewPorts {
  readonly storage: Pick<Storage, "triggers">;
  readonly workspace: string;
  readonly clock: Pick<Clock, "monotonic">;
  readonly triggers: Pick<StoredTriggers, "all">;
  readonly unreadable: UnreadableSchedules;
}

/** A clock that is slewed stays within this of one that is not. */
const toleranceMs = 1_000;

/** Schedules whose states are read together. */
const batch = 100;

/**
 * Corrects the due times of all schedules at the first call, and when storage's clock was set back: a due time from
 * before may be far ahead, and a turn only reads those that have passed. A new release of the time zone database is
 * noticed by the first call, as the process has started with it.
 *
 * @returns a function that takes the time of storage's clock
 */
export function createScheduleReview(ports: ReviewPorts): (nowMs: number) => Promise<void> {
  let expectedMs: number | undefined;
  return async (nowMs) => {
    const startedMs = ports.clock.monotonic();
    const isBack = expectedMs === undefined || nowMs < expectedMs + startedMs - toleranceMs;
    if (isBack) await reviewSchedules(ports, nowMs);
    expectedMs = nowMs - startedMs;
  };
}

async function reviewSchedules(ports: ReviewPorts, nowMs: number): Promise<void> {
  const { storage, workspace, triggers, unreadable } = ports;
  for (const environment of environments) {
    const scope = { workspace, environment };
    let some: StoredTrigger[] = [];
    const correct = async (): Promise<void> => {
      const found = new Map(some.map((trigger) => [trigger.triggerId, trigger]));
      const states = await storage.triggers.states({ scope, triggerIds: [...found.keys()] });
      const items = states.flatMap(({ triggerId, schedule }): readonly ScheduleAdvance[] => {
        const trigger = found.get(triggerId);
        if (trigger === undefined || schedule === undefined) return [];
        const accounted = unreadable.orUndefined(trigger, () => accountFor(trigger, schedule, nowMs));
        const { revision } = trigger;
        return accounted === undefined ? [] : [{ scope, triggerId, revision, dueAtMs: schedule.dueAtMs, ...accounted }];
      });
      if (items.length > 0) await storage.triggers.advance(items);
      some = [];
    };
    for await (const trigger of triggers.all(environment)) {
      if (trigger.body.source.kind !== "schedule" || trigger.body.paused !== undefined) continue;
      some.push(trigger);
      if (some.length === batch) await correct();
    }
    if (some.length > 0) await correct();
  }
}
