import { hash } from "node:crypto";
import type { JsonObject, JsonValue } from "@procedo/contract";
import type { AddedFiring, EventFacts } from "@procedo/storage";

/*
 * The event of a firing that a person asked for: either an event that the trigger's mapping reads, or the input of the
 * run in place of the mapping's.
 */

const eventType = "procedo.manual";
const inputType = "procedo.manual_input";

/** @param id identifies the request of the person */
export function manualEvent(
  id: string,
  given: { readonly event?: JsonValue; readonly data?: JsonObject },
): NonNullable<AddedFiring["event"]> | undefined {
  const { event, data } = given;
  const value = data ?? event;
  if (value === undefined) return undefined;
  const body = JSON.stringify(ordered(value));
  const type = data === undefined ? eventType : inputType;
  return { id, type, digest: hash("sha256", body, "hex"), body, headers: undefined };
}

/** The same value with the members of objects in one order, so that a repeated request has the same digest. */
function ordered(value: JsonValue): JsonValue {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return (value as readonly JsonValue[]).map(ordered);
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, ordered(member)]));
}

/** Whether the event is the input of the run. */
export function isManualInput({ type }: Pick<EventFacts, "type">): boolean {
  return type === inputType;
}

/** Whether a person gave the event. */
export function isManualEvent({ type }: Pick<EventFacts, "type">): boolean {
  return type === eventType || type === inputType;
}
