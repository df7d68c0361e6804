import type { WebhookEvent } from "@procedo/webhooks";
import { expect, test } from "vitest";
import { checkWebhooks } from "./check-webhooks.ts";
import type { Scene } from "./run-scenario.ts";

const scenes = [
  { run: { runId: "run_1", status: "completed" }, reviews: [] },
  { run: { runId: "run_2", status: "failed" }, reviews: [{}] },
] as unknown as readonly Scene[];
const event = (name: string, runId: string) => ({ event: name, data: { runId } }) as unknown as WebhookEvent;
const all = [
  event("custom.payment_sent", "run_1"),
  event("human_review_requested", "run_2"),
  event("run_failed", "run_2"),
  event("run_completed", "run_1"),
];

test("accepts each event once, in any order", () => {
  expect(checkWebhooks(scenes, all)).toEqual([]);
});

test("names a missing event and an unexpected event", () => {
  expect(checkWebhooks(scenes, [...all.slice(1), event("run_failed", "run_1")])).toEqual([
    "The webhook custom.payment_sent run_1 did not arrive.",
    "The webhook run_failed run_1 arrived unexpectedly.",
  ]);
});
