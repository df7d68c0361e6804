import { eventNameSchema, ProcedoError, type EventName } from "@procedo/contract";

const maxEvents = 100;
const maxNameLength = 200;

/**
 * The events of a webhook, each once.
 *
 * @param pointer JSON pointer to the event in the request
 * @throws ProcedoError `invalid_input`
 */
export function checkEvents(events: readonly string[], pointer?: string): readonly EventName[] {
  const known = events.map((event) => eventNameSchema.safeParse(event));
  const details = known.flatMap(({ success, error }, index) =>
    success ? [] : [{ path: pointer ?? `/events/${index}`, message: error.issues[0]?.message ?? "is not an event" }],
  );
  if (events.length === 0) details.push({ path: "/events", message: "must name at least one event" });
  if (events.length > maxEvents)
    details.push({ path: "/events", message: `must not name more than ${maxEvents} events` });
  if (details.length > 0) throw new ProcedoError("invalid_input", "The webhook's events are not valid.", { details });
  return [...new Set(known.flatMap(({ data }) => data ?? []))];
}

/** @throws ProcedoError `invalid_input` */
export function checkName(name: string | undefined): void {
  if (name === undefined || (name.length >= 1 && name.length <= maxNameLength)) return;
  const message = `must have 1 to ${maxNameLength} characters`;
  throw new ProcedoError("invalid_input", `The webhook's name ${message}.`, { details: [{ path: "/name", message }] });
}
