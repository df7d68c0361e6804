import type { Entry } from "@procedo/procedure";
import type { Checker } from "./checker.ts";

export const deliveries: Checker = {
  invariant: "events",
  promise: "every event with a subscriber has one delivery for each, in order, and event ids are unique",
  always: false,
  check: async ({ runs, storage, workspace, webhooks }) => {
    const faults: string[] = [];
    for (const { webhookId, environment, events } of webhooks) {
      const scope = { workspace, environment };
      const page = await storage.deliveries.list({ scope, webhookId, limit: 1000 });
      const kept = [...page.items].sort((a, b) => placeOf(a.eventId) - placeOf(b.eventId));
      if (new Set(kept.map(({ eventId }) => eventId)).size !== kept.length) faults.push("An event has two deliveries.");
      for (const { run, entries } of runs) {
        if (run.scope.environment !== environment) continue;
        const expected = entries.flatMap(({ entry }) => eventName(entry)).filter((event) => events.includes(event));
        const found = kept.filter(({ runId }) => runId === run.runId).map(({ event }) => event);
        if (expected.join() !== found.join()) {
          faults.push(
            `Webhook ${webhookId} should receive "${expected.join()}" of ${run.runId}; it will receive "${found.join()}".`,
          );
        }
      }
    }
    return faults;
  },
};

/** The id of an event contains its row and its position in the row. */
function placeOf(eventId: string): number {
  const [index, seq] = eventId.split("_").reverse().map(Number);
  return (seq ?? 0) * 1_000 + (index ?? 0);
}

function eventName(entry: Entry): readonly string[] {
  switch (entry.type) {
    case "review_opened":
      return ["human_review_requested"];
    case "emitted":
      return [entry.event];
    case "ended":
      return [entry.result.status === "completed" ? "run_completed" : "run_failed"];
    default:
      return [];
  }
}
