import type { Environment } from "./environment.ts";
import type { EventEnvelope, EventName } from "./events.ts";

/** The `data` of a test event. It has the shape of a real event; its run does not exist. Pure. */
export function sampleEventData(event: EventName, environment: Environment): EventEnvelope["data"] {
  const origin = { runId: "run_00000000000000000000000000", procedureId: "sample", environment, sequence: 1 };
  switch (event) {
    case "run_completed":
      return { ...origin, status: "completed", output: { sample: true } };
    case "run_failed":
      return { ...origin, status: "failed", error: "This is a sample." };
    case "human_review_requested":
      return { ...origin, reviewTitle: "Sample review", reviewData: { sample: true } };
    default:
      return { ...origin, payload: { sample: true } };
  }
}
