import type { FiringReason, JsonObject, JsonValue } from "@procedo/contract";
import type { EventContent, FiringRow } from "@procedo/storage";
import type { FiringError } from "./firing-error.ts";
import type { FiringDetailsView, FiringView } from "./triggers.ts";

/** A stored firing, as it is shown. */
export function shownFiring(row: FiringRow): FiringView {
  const { scope: _scope, startedAtMs, reason, error, event, run, ...facts } = row;
  return {
    ...facts,
    reason: reason as FiringReason | undefined,
    error: error === undefined ? undefined : (JSON.parse(error) as FiringError),
    event: event && { id: event.id, type: event.type, digest: event.digest },
    run: run && { runId: run.runId, procedureVersion: run.procedureVersion },
    lateMs: startedAtMs === undefined ? undefined : startedAtMs - (row.scheduledAtMs ?? row.receivedAtMs),
  };
}

/** The content of an event, parsed. */
export function shownContent(content: EventContent | undefined): FiringDetailsView["content"] {
  if (content === undefined) return undefined;
  return { event: JSON.parse(content.body) as JsonValue, headers: headersOf(content) };
}

export function headersOf({
  headers,
}: Pick<EventContent, "headers">): JsonObject & { readonly [name: string]: string } {
  return headers === undefined ? {} : (JSON.parse(headers) as Record<string, string>);
}
