import type { Entry } from "@procedo/procedure";
import type { Check } from "./check.ts";

/** Every event in a journal has one delivery, for the one webhook that subscribes to all events. */
export const deliveries: Check = ({ database, runs }) => {
  const faults: string[] = [];
  const deliveriesOf = Map.groupBy(database.deliveries, ({ runId }) => runId);
  for (const { stored, entries } of runs) {
    const told = entries.flatMap(({ entry }) => eventsOf(entry)).sort();
    const kept = (deliveriesOf.get(stored.runId) ?? []).map(({ event }) => event).sort();
    if (told.join() !== kept.join()) {
      faults.push(
        `Run ${stored.runId} records the events ${told.join()}; there are deliveries of ${kept.join() || "none"}.`,
      );
    }
  }
  const ids = database.deliveries.map(({ eventId }) => eventId);
  if (new Set(ids).size < ids.length) faults.push("Two events have one id.");
  return faults;
};

function eventsOf(entry: Entry): readonly string[] {
  switch (entry.type) {
    case "review_opened":
      return ["human_review_requested"];
    case "emitted":
      return [entry.event];
    case "ended":
      return [`run_${entry.result.status}`];
    default:
      return [];
  }
}
