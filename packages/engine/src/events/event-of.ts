import type { Entry, RunState } from "@procedo/procedure";
import type { NewEvent } from "@procedo/storage";

/** The event that an entry makes known to the outside; `undefined` for the many that stay inside. Pure. */
export function eventOf(facts: RunState["facts"], entry: Entry, seq: number, index: number): NewEvent | undefined {
  const { runId, procedureId, environment } = facts;
  const event = (name: string, data: object): NewEvent => ({
    // One event has one id, however often its row is written.
    eventId: `evt_${runId.slice(runId.indexOf("_") + 1)}_${seq}_${index}`,
    event: name,
    createdAtMs: entry.atMs,
    data: JSON.stringify({ runId, procedureId, environment, ...data }),
  });
  switch (entry.type) {
    case "asked":
      return event("human_review_requested", { reviewTitle: entry.review.title, reviewData: entry.review.data });
    case "emitted":
      return event(entry.event, { payload: entry.payload });
    case "ended":
      return event(entry.result.status === "completed" ? "run_completed" : "run_failed", entry.result);
    case "started":
    case "recovered":
    case "chose":
    case "intent":
    case "outcome":
    case "raised":
    case "answered":
    case "cancel_requested":
    case "overtaken":
      return undefined;
  }
}
