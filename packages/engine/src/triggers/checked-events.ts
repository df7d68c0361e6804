import { maxJsonDepth, maxRequestBytes, ProcedoError } from "@procedo/contract";
import type { InboundEvent } from "../integrations/inbound-integration.ts";
import { copyJson } from "../json/json-copy.ts";
import { dedupeWindowMs } from "./inbound-target.ts";

/** The latest time that has a timestamp of four-digit years. */
const latestMs = Date.parse("9999-12-31T23:59:59.999Z");

const limits = { depth: maxJsonDepth, bytes: maxRequestBytes };

/**
 * Checks the events that the code of an integration returned, and copies those of the given types. That code reads texts
 * of another service, and may be written without types.
 *
 * @throws ProcedoError `invalid_input`
 */
export function checkedEvents(given: unknown, types: ReadonlySet<string>): readonly InboundEvent[] {
  if (!Array.isArray(given)) throw refused("The events are not a list.");
  return (given as readonly unknown[]).flatMap((one, index) => {
    const event = checkedEvent(one, `Event ${index}`);
    return types.has(event.type) ? [copied(event, `Event ${index}`)] : [];
  });
}

function checkedEvent(given: unknown, subject: string): InboundEvent {
  if (typeof given !== "object" || given === null) throw refused(`${subject} is not an object.`);
  const { id, type, occurredAtMs, event, knownForMs } = given as Partial<Record<keyof InboundEvent, unknown>>;
  // One empty id would make all events the same.
  if (typeof id !== "string" || id === "") throw refused(`${subject} has no id that is text.`);
  if (typeof type !== "string") throw refused(`${subject} has no type that is text.`);
  if (occurredAtMs !== undefined && !isTime(occurredAtMs)) {
    throw refused(`${subject} has a time that is not a number of milliseconds since the epoch.`);
  }
  if (event === undefined) throw refused(`${subject} has no event.`);
  if (knownForMs !== undefined && !isDuration(knownForMs)) {
    throw refused(`${subject} is known for a time that is not a number of milliseconds from 1 to ${dedupeWindowMs}.`);
  }
  return {
    ...{ id, type, occurredAtMs: occurredAtMs === undefined ? undefined : Math.floor(occurredAtMs) },
    event: event as InboundEvent["event"],
    ...(knownForMs !== undefined && { knownForMs: Math.floor(knownForMs) }),
  };
}

function copied(event: InboundEvent, subject: string): InboundEvent {
  const copy = copyJson(event.event, limits);
  if (!copy.ok) throw refused(`${subject} ${copy.message}.`);
  return { ...event, event: copy.value };
}

function isTime(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= latestMs;
}

function isDuration(value: unknown): value is number {
  return typeof value === "number" && value >= 1 && value <= dedupeWindowMs;
}

function refused(problem: string): ProcedoError {
  return new ProcedoError("invalid_input", problem);
}
