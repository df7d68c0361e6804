import type { Firing, ScheduledTime, Trigger, TriggerTest } from "@procedo/contract";
import type { FiringView, MappingTest, NextTime, TriggerPause, TriggerView } from "@procedo/engine";
import { inboundAnswer } from "./inbound-answer.ts";
import { named } from "./named.ts";
import { timestamp } from "./timestamp.ts";

/** Converts a trigger to its form in answers. */
export function triggerAnswer(trigger: TriggerView, inboundUrl: (address: string) => string): Trigger {
  const { triggerId, name, environment, procedureId, source, version, when, input, overlap } = trigger;
  const { maxOpenRuns, pauseAfterFailures, paused, health, next, inbound, problems } = trigger;
  const { createdBy, createdAtMs, updatedBy, updatedAtMs, revision } = trigger;
  const { status, consecutiveFailures, lastFiringAtMs, waiting } = health;
  return {
    id: triggerId,
    name,
    environment,
    procedureId,
    source,
    version,
    when,
    input,
    overlap,
    maxOpenRuns,
    pauseAfterFailures,
    state: paused === undefined ? "active" : "paused",
    ...(paused !== undefined && { paused: pauseAnswer(paused) }),
    health: {
      status,
      consecutiveFailures,
      ...(lastFiringAtMs !== undefined && { lastFiringAt: timestamp(lastFiringAtMs) }),
      waiting,
    },
    next: next.map(timeAnswer),
    ...(inbound !== undefined && { inbound: inboundAnswer(inbound, inboundUrl) }),
    problems: [...problems],
    createdBy,
    createdAt: timestamp(createdAtMs),
    updatedBy,
    updatedAt: timestamp(updatedAtMs),
    revision,
  };
}

function pauseAnswer({ atMs, by, reason, events }: TriggerPause): NonNullable<Trigger["paused"]> {
  return { at: timestamp(atMs), by, ...named({ reason }), events };
}

/** Converts a time of a schedule to its form in answers. */
export function timeAnswer({ atMs, scheduledAtMs, local, note }: NextTime): ScheduledTime {
  return { at: timestamp(atMs), scheduledAt: timestamp(scheduledAtMs), local, ...named({ note }) };
}

/** Converts a firing to its form in lists. */
export function firingAnswer(firing: FiringView): Firing {
  const { firingId, triggerId, status, reason, error, count, requestedBy, event, run, lateMs, duplicates } = firing;
  const { scheduledAtMs, occurredAtMs, receivedAtMs, refireOf } = firing;
  return {
    id: firingId,
    triggerId,
    status,
    ...named({ reason }),
    ...(error !== undefined && { error: { message: error.message, details: [...error.details] } }),
    count,
    ...named({ requestedBy }),
    ...(scheduledAtMs !== undefined && { scheduledAt: timestamp(scheduledAtMs) }),
    ...(occurredAtMs !== undefined && { occurredAt: timestamp(occurredAtMs) }),
    receivedAt: timestamp(receivedAtMs),
    ...named({ event }),
    ...(run !== undefined && { runId: run.runId, procedureVersion: run.procedureVersion }),
    ...named({ lateMs }),
    duplicates,
    ...named({ refireOf }),
  };
}

/** Converts the result of a test of a mapping to its form in answers. */
export function testAnswer({ matches, input, problems }: MappingTest): TriggerTest {
  return { matches, ...named({ input }), problems: [...problems] };
}
