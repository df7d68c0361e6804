import { expect, test } from "vitest";
import { longWaitsOfKey } from "../src/access/wait-limiter.ts";
import { createHarness } from "./harness.ts";

test("a key has a limited number of synchronous starts; the next is refused, and other keys are not affected", async () => {
  const harness = await createHarness();
  const [key, other] = [await harness.key(), await harness.key()];
  const start = (as: string) =>
    harness.ask("POST /v1/procedures/slow/sandbox", {
      key: as,
      headers: { "idempotency-key": as.slice(-8) },
      body: { data: {}, control: { executionMode: "sync" } },
    });
  const held: ReturnType<typeof start>[] = [];
  while (held.length < longWaitsOfKey) {
    for (let n = 0; n < 50; n++) held.push(start(key));
    for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await start(key)).toMatchObject({ status: 429, body: { code: "rate_limited" } });
  // An immediate answer is not a long wait.
  expect((await harness.ask("GET /api/v1/runs", { key })).status).toBe(200);
  const ofOther = start(other);
  harness.release();
  for (const one of [...held, ofOther]) expect((await one).status).toBe(200);
  expect((await start(key)).status).toBe(200);
});
