import { expect, test } from "vitest";
import { alice, createHarness } from "./harness.ts";
import { call, procedure } from "./documents.ts";
import { held } from "./scripted-bank.ts";

const request = { procedureId: "p", environment: "sandbox", data: {}, by: alice } as const;

test("runs that find no room are executed as others end, long before the next poll", async () => {
  const harness = await createHarness({ worker: { capacity: 40, pollMs: 10_000 } });
  await harness.publish(procedure([call("a", "once")]));
  const slow = held();
  harness.bank.plan("once", ...Array.from({ length: 40 }, () => slow.behaviour));
  await Promise.all(Array.from({ length: 500 }, () => harness.engine.runs.start(request)));
  await harness.clock.settle();
  // An eighth of the capacity is reserved for the other environment.
  expect(harness.bank.calls).toHaveLength(35);
  slow.answer({});
  await harness.clock.advance(1_000);
  const { items } = await harness.engine.runs.list({ environment: "sandbox", status: "completed", limit: 500 });
  expect([harness.bank.calls.length, items.length]).toEqual([500, 500]);
});
