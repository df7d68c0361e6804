import type { JsonObject, JsonValue, ScheduleSource, TriggerSource } from "@procedo/contract";
import { createStepBudget, valueTypes, type ScopeTypes, type ValueScope } from "@procedo/procedure";
import type { EventFacts } from "@procedo/storage";
import { localTime } from "../schedules/next-times.ts";
import { scheduleOf } from "../schedules/schedule.ts";

/*
 * The values that the mapping of a trigger reads, and their types. Pure.
 *
 *   event     the event, of every source but a schedule
 *   headers   the headers of its request, of a webhook
 *   source    { id, type, occurredAt } of the event
 *   schedule  { scheduledAt, local, date, previousAt, timeZone }, of a schedule
 *   trigger   { id, name }
 */

/** An occurrence, as a mapping reads it. */
export interface Occurrence {
  /** The nominal time of a schedule, in milliseconds since the epoch. */
  readonly scheduledAtMs: number;
  /** The sender's time of the event, in milliseconds since the epoch. */
  readonly occurredAtMs: number | undefined;
  /** `undefined` for a schedule. */
  readonly event:
    (Pick<EventFacts, "id" | "type"> & { readonly value: JsonValue; readonly headers: JsonObject }) | undefined;
}

const text = { type: "string" };
const optionalText = { type: ["string", "null"] };
const facts = (properties: JsonObject): JsonObject => ({ type: "object", properties });

const triggerSchema = facts({ id: text, name: text });
const sourceSchema = facts({ id: text, type: text, occurredAt: optionalText });
const headersSchema = { type: "object", additionalProperties: text };
const scheduleSchema = facts({ scheduledAt: text, local: text, date: text, previousAt: optionalText, timeZone: text });
const customEventSchema = facts({ runId: text, procedureId: text, name: text, payload: {} });

/** @param eventSchema that of the integration's events, if it has one */
export function mappingTypes({ kind }: TriggerSource, eventSchema?: JsonObject): ScopeTypes {
  switch (kind) {
    case "schedule":
      return valueTypes({ schedule: scheduleSchema, trigger: triggerSchema });
    case "integration":
      return valueTypes({ event: eventSchema, source: sourceSchema, trigger: triggerSchema });
    case "webhook":
      return valueTypes({ event: undefined, headers: headersSchema, source: sourceSchema, trigger: triggerSchema });
    case "event":
      return valueTypes({ event: customEventSchema, source: sourceSchema, trigger: triggerSchema });
  }
}

/** The types of a webhook's dedupe expression. */
export const dedupeTypes = valueTypes({ event: undefined, headers: headersSchema });

/** `when` and `input` share one budget of steps. */
export function mappingScope(
  trigger: { readonly triggerId: string; readonly name: string; readonly source: TriggerSource },
  { scheduledAtMs, occurredAtMs, event }: Occurrence,
): ValueScope {
  const { triggerId: id, name, source } = trigger;
  const values: JsonObject = {
    trigger: { id, name },
    ...(source.kind === "schedule" && { schedule: scheduleValues(source, scheduledAtMs) }),
    ...(event !== undefined && {
      event: event.value,
      headers: event.headers,
      source: { id: event.id, type: event.type, occurredAt: timeText(occurredAtMs) },
    }),
  };
  return { values, budget: createStepBudget() };
}

function scheduleValues(source: ScheduleSource, scheduledAtMs: number): JsonObject {
  const local = localTime(source.timeZone, scheduledAtMs);
  return {
    scheduledAt: timeText(scheduledAtMs),
    local,
    date: local.slice(0, 10),
    previousAt: timeText(scheduleOf(source, undefined).before(scheduledAtMs)),
    timeZone: source.timeZone,
  };
}

function timeText(atMs: number | undefined): string | null {
  return atMs === undefined ? null : new Date(atMs).toISOString();
}
