import { expect, test } from "vitest";
import { choiceOf, eventsOf } from "./event-names.ts";

test("the events of a webhook go through its form unchanged", () => {
  const events = ["run_completed", "human_review_requested", "custom.payment_made", "custom.ledger.closed"];
  expect(eventsOf(choiceOf(events))).toEqual(events);
});

test("custom events are typed with or without their prefix, and count once", () => {
  const custom = " payment_made, ,custom.payment_made,  refund ";
  expect(eventsOf({ chosen: [], custom })).toEqual(["custom.payment_made", "custom.refund"]);
});
