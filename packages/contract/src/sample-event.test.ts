import { eventEnvelopeSchema, type EventName } from "./events.ts";
import { expect, test } from "vitest";
import { sampleEventData } from "./sample-event.ts";

const events: readonly EventName[] = ["run_completed", "run_failed", "human_review_requested", "custom.payment_sent"];

test.each(events)("the sample of %s has the shape that the contract defines for the event", (event) => {
  const envelope = { id: "dlv_1", event, createdAt: "2026-01-02T12:00:00.000Z", data: sampleEventData(event, "live") };
  expect(eventEnvelopeSchema.safeParse(envelope).error).toBeUndefined();
});
