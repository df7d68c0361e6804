import type { WebhookEvent } from "@procedo/webhooks";
import type { Scene } from "./run-scenario.ts";

/** The events expected from a story, each once per run. */
export function expectedEvents(scenes: readonly Pick<Scene, "run" | "reviews">[]): readonly string[] {
  return scenes.flatMap(({ run: { runId, status }, reviews }) => [
    ...reviews.map(() => `human_review_requested ${runId}`),
    ...(status === "completed" ? [`custom.payment_sent ${runId}`, `run_completed ${runId}`] : [`run_failed ${runId}`]),
  ]);
}

/** Compares the received webhooks with the expected events. Returns the missing and the unexpected ones. */
export function checkWebhooks(
  scenes: readonly Pick<Scene, "run" | "reviews">[],
  events: readonly WebhookEvent[],
): readonly string[] {
  const missing = [...expectedEvents(scenes)];
  const surplus: string[] = [];
  for (const { event, data } of events) {
    const name = `${event} ${data.runId}`;
    const index = missing.indexOf(name);
    if (index === -1) surplus.push(name);
    else missing.splice(index, 1);
  }
  return [
    ...missing.map((name) => `The webhook ${name} did not arrive.`),
    ...surplus.map((name) => `The webhook ${name} arrived unexpectedly.`),
  ];
}
