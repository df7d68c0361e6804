import { expectTypeOf, test } from "vitest";
import type { CustomEvent, EventEnvelope, EventName } from "./events.ts";
import type { JsonObject } from "./json.ts";

test("an event narrows by its name", () => {
  const read = (envelope: EventEnvelope): JsonObject | string => {
    switch (envelope.event) {
      case "run_completed":
        expectTypeOf(envelope.data.status).toEqualTypeOf<"completed">();
        return envelope.data.output;
      case "run_failed":
        return envelope.data.error;
      case "human_review_requested":
        expectTypeOf(envelope.data.reviewTitle).toBeString();
        return envelope.data.reviewData;
      default:
        expectTypeOf(envelope).toEqualTypeOf<CustomEvent>();
        return envelope.data.payload;
    }
  };
  expectTypeOf(read).parameter(0).toEqualTypeOf<EventEnvelope>();
});

test("names are the contract's three and custom.<name>", () => {
  expectTypeOf<EventName>().toEqualTypeOf<
    "run_completed" | "run_failed" | "human_review_requested" | `custom.${string}`
  >();
});
