import { expect, test } from "vitest";
import { alice, createBench } from "./bench.ts";
import { call, procedure } from "./documents.ts";
import { held } from "./scripted-bank.ts";

const request = { procedureId: "p", environment: "sandbox", data: {}, by: alice } as const;

test("runs that find no room are executed as others end, long before the next poll", async () => {
  const bench = await createBench({ worker: { capacity: 40, pollMs: 10_000 } });
  await bench.publish(procedure([call("a", "once")]));
  const slow = held();
  bench.bank.plan("once", ...Array.from({ length: 40 }, () => slow.behaviour));
  await Promise.all(Array.from({ length: 500 }, () => bench.engine.runs.start(request)));
  await bench.clock.settle();
  // An eighth of the room is kept for the other environment.
  expect(bench.bank.calls).toHaveLength(35);
  slow.answer({});
  await bench.clock.advance(1_000);
  const { items } = await bench.engine.runs.list({ environment: "sandbox", status: "completed", limit: 500 });
  expect([bench.bank.calls.length, items.length]).toEqual([500, 500]);
});
