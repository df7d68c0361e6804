import { createMemoryStorage } from "@procedo/storage";
import { expect, test, vi } from "vitest";
import { manualClock } from "../../test/manual-clock.ts";
import { createCallsAhead } from "./calls-ahead.ts";

const place = { environment: "sandbox", connectionId: "con_1" } as const;
const lease = { invocationId: "inv_1", leaseToken: "token~" };

function sent(timeoutMs = 60_000) {
  const clock = manualClock();
  const storage = createMemoryStorage({ now: clock.now });
  const unacknowledge = vi.spyOn(storage.invocations, "unacknowledge");
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const ahead = createCallsAhead({ storage, workspace: "acme", clock, log });
  const call = { functionName: "pay", idempotent: false, payload: "{}", effectKey: "effect" };
  const late = vi.fn();
  const invocation = { ...call, ...place, invocationId: "inv_1", deadlineMs: clock.now() + timeoutMs };
  const offer = ahead.sent(place, invocation, "token~", late);
  return { ahead, clock, offer, unacknowledge, late };
}

test("a call is recalled until its client has acknowledged it, also while its commit is under way", () => {
  const { ahead } = sent();
  expect(ahead.recall("inv_2")).toBeUndefined();
  expect(ahead.recall("inv_1")).toBe("token~");
  const other = sent().ahead;
  void other.acknowledge(place, lease);
  expect(other.recall("inv_1")).toBeUndefined();
});

test("one that was recalled says nothing of how soon clients acknowledge", async () => {
  const { ahead, clock, offer, late, unacknowledge } = sent();
  offer.taken();
  ahead.recall("inv_1");
  await clock.advance(1_000);
  expect(late).not.toHaveBeenCalled();
  expect(unacknowledge).toHaveBeenCalledOnce();
});

test.each([
  ["its deadline has come", 500, 600],
  ["the time for which this is known is over", 60_000, 70_000],
] as const)("what was asked in time is for storage to say once %s", async (_when, timeoutMs, takenAfterMs) => {
  const { ahead, clock, offer } = sent(timeoutMs);
  const asked = ahead.acknowledge(place, lease);
  await clock.advance(takenAfterMs);
  const askedAgain = ahead.acknowledge(place, lease);
  offer.taken();
  expect([await asked, await askedAgain]).toEqual(["ask", "ask"]);
});

test("one that was refused after a doubt may have been stored before, and is taken back", async () => {
  const { clock, offer, unacknowledge } = sent();
  offer.doubted();
  offer.dropped();
  await clock.advance(1_000);
  expect(unacknowledge).toHaveBeenCalledOnce();
});
