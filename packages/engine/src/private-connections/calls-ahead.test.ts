import { createMemoryStorage } from "@procedo/storage";
import { expect, test } from "vitest";
import { manualClock } from "../../test/manual-clock.ts";
import { createCallsAhead } from "./calls-ahead.ts";

const place = { environment: "sandbox", connectionId: "con_1" } as const;
const invocation = {
  ...{ invocationId: "inv_1", connectionId: "con_1", functionName: "pay", idempotent: false, payload: "{}" },
  ...{ effectKey: "effect", deadlineMs: Infinity },
};
const lease = { invocationId: "inv_1", leaseToken: "token~" };

test("a call is recalled until its client has acknowledged it, also while its commit is under way", () => {
  const clock = manualClock();
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const ahead = createCallsAhead({ storage: createMemoryStorage({ now: clock.now }), workspace: "acme", clock, log });
  ahead.sent(place, invocation, "token~", () => {});
  expect(ahead.recall("inv_2")).toBeUndefined();
  expect(ahead.recall("inv_1")).toBe("token~");
  ahead.sent(place, invocation, "token~", () => {});
  void ahead.acknowledge(place, lease);
  expect(ahead.recall("inv_1")).toBeUndefined();
});
