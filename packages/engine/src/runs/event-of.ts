import type { Entry, RunState } from "@procedo/procedure";
import type { NewEvent } from "@procedo/storage";

/**
 * The event that an entry publishes; `undefined` for an entry without an event. Pure.
 *
 * @param run the run's state after the entry: its `counts.events` is the event's number within the run
 */
export function eventOf(
  run: Pick<RunState, "facts" | "counts">,
  entry: Entry,
  seq: number,
  index: number,
): NewEvent | undefined {
  switch (entry.type) {
    case "review_opened": {
      const data = { reviewTitle: entry.review.title, reviewData: entry.review.data };
      return newEvent(run, entry.atMs, seq, index, "human_review_requested", data);
    }
    case "emitted":
      return newEvent(run, entry.atMs, seq, index, entry.event, { payload: entry.payload });
    case "ended": {
      const name = entry.result.status === "completed" ? "run_completed" : "run_failed";
      return newEvent(run, entry.atMs, seq, index, name, entry.result);
    }
    case "started":
    case "recovered":
    case "branch_taken":
    case "prompted":
    case "replied":
    case "concluded":
    case "intent":
    case "outcome":
    case "held":
    case "node_failed":
    case "review_closed":
    case "cancel_requested":
    case "superseded":
      return undefined;
  }
}

function newEvent(
  { facts: { runId, procedureId, environment }, counts }: Pick<RunState, "facts" | "counts">,
  createdAtMs: number,
  seq: number,
  index: number,
  event: string,
  data: object,
): NewEvent {
  return {
    // Derived from the event's place, so that an event keeps its id when its row is written again.
    eventId: `evt_${runId.slice(runId.indexOf("_") + 1)}_${seq}_${index}`,
    event,
    createdAtMs,
    data: JSON.stringify({ runId, procedureId, environment, sequence: counts.events, ...data }),
  };
}
